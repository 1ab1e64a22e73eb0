"""An export's life: asked for, claimed by a worker, written, kept for some days; cancelled, deleted, recovered."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.exports.filters import FORMATS, read_filter, takes_filter
from backend.exports.models import LIVE, Export, ExportedKind, ExportState
from backend.exports.selectors import has_withdrawn_image
from backend.exports.writing import count_rows, write_export
from backend.methods.exports.choices import LEAVABLE
from backend.methods.file_digests import sha256_of_file
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.exporting import UnfitFilter
from backend.releases.models import Release
from backend.runs import queue
from backend.webhooks.models import WebhookEvent
from backend.webhooks.services import emit

logger = structlog.get_logger(__name__)
AT_ONCE, MAX_ATTEMPTS, LOOK_SECONDS = 5, 3, 1.0
UNFIT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f"*/:<>?\\|\u200e\u200f\u202a-\u202e\u2066-\u2069]+')


class TooManyExports(Conflict):
    """This project has {most} unfinished exports. Wait until one is ready, or cancel one."""

    code = "too_many_exports"


class ExportOver(Conflict):
    """This export is already over."""

    code = "export_over"


class ExportLost(ConnoteError):
    """Another worker writes this export. This worker stops."""

    code = "export_lost"


class ExportCancelled(ConnoteError):
    """The export was cancelled."""

    code = "export_cancelled"


def create_export(
    *,
    project: Project,
    created_by: User | None,
    what: str,
    format: str,
    release: Release | None = None,
    filter: Mapping[str, Any] | None = None,
    leave_out: Sequence[str] = (),
) -> Export:
    """Ask for an export. Raises InvalidInput where the parts do not fit together, TooManyExports."""
    _check_parts(what, format, release, filter or {}, leave_out)
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        if Export.objects.filter(project=project, state__in=LIVE).count() >= AT_ONCE:
            raise TooManyExports(params={"most": AT_ONCE})
        export = Export.objects.create(
            project=project, created_by=created_by, what=what, format=format, release=release,
            filter=dict(filter or {}), leave_out=sorted(set(leave_out)),
        )  # fmt: skip
        transaction.on_commit(lambda: queue.send_export(str(export.pk)), robust=True)
    return export


def _check_parts(
    what: str, format: str, release: Release | None, filter: Mapping[str, Any], leave_out: Sequence[str]
) -> None:
    if format not in FORMATS[what]:
        raise InvalidInput(
            "The format must be one of: {formats}.",
            code="unknown_export",
            params={"formats": ", ".join(FORMATS[what])},
            field="format",
        )
    if (what == ExportedKind.RELEASE) != (release is not None):
        raise InvalidInput(
            "Name a release for an export of a release, and only then.", code="release_of_export", field="release"
        )
    if unknown := sorted(set(leave_out) - LEAVABLE.keys()):
        raise InvalidInput(
            "{name} cannot be left out. You can leave out: {names}.",
            code="unknown_left_out",
            params={"name": unknown[0][:40], "names": ", ".join(LEAVABLE)},
            field="leave_out",
        )
    if leave_out and what != ExportedKind.JUDGMENTS and set(leave_out) != {"rejected"}:
        raise InvalidInput(
            "Only an export of answers can leave something out.", code="nothing_to_leave_out", field="leave_out"
        )
    read_filter(what, filter)
    if filter and not takes_filter(what, format):
        raise UnfitFilter(field="filter")


def claim_export(*, export_id: str) -> Export | None:
    """Take an export that waits, or whose worker fell silent. None where there is nothing to take.

    The conditional UPDATE lets exactly one of two claimants win. A file that the worker before left is deleted.
    """
    now, holder = timezone.now(), secrets.token_hex(16)
    before = Export.objects.filter(pk=export_id).values_list("stored_as", flat=True).first()
    free = Export.objects.filter(_in_nobodys_hands(), pk=export_id, cancel_requested_at=None)
    taken = free.update(
        state=ExportState.RUNNING,
        holder=holder,
        attempt=F("attempt") + 1,
        started_at=Coalesce("started_at", now),
        heartbeat_at=now,
        done=0,
        stored_as=f"exports/{export_id}/{holder}",
    )
    if not taken:
        return None
    if before:
        default_storage.delete(before)
    return Export.objects.select_related("project", "release", "created_by").get(pk=export_id)


def _in_nobodys_hands() -> Q:
    stale = timezone.now() - timedelta(seconds=settings.RUN_STALE_SECONDS)
    return Q(state=ExportState.QUEUED) | Q(state=ExportState.RUNNING, heartbeat_at__lt=stale)


class Progress:
    """A worker's hold on an export. It tells the database about once a second how far it is."""

    def __init__(self, export: Export) -> None:
        self._mine = Export.objects.filter(pk=export.pk, holder=export.holder, state=ExportState.RUNNING)
        self._next = time.monotonic() + LOOK_SECONDS
        self.n = 0

    def tick(self, n: int = 1) -> None:
        """Count `n` more rows. Raises ExportLost, ExportCancelled."""
        self.n += n
        self.look()

    def look(self) -> None:
        """Tell the database, if a second is over. Raises ExportLost, ExportCancelled."""
        if time.monotonic() >= self._next:
            self.write()
            self._next = time.monotonic() + LOOK_SECONDS

    def write(self) -> None:
        """Tell the database now. Raises ExportLost, ExportCancelled."""
        if not self._mine.update(done=self.n, heartbeat_at=timezone.now()):
            raise ExportLost()
        if self._mine.exclude(cancel_requested_at=None).exists():
            raise ExportCancelled()


def beat_export(*, export: Export) -> bool:
    """Say that the worker is alive. False when the export is no longer its own, or was cancelled."""
    mine = Export.objects.filter(pk=export.pk, holder=export.holder, state=ExportState.RUNNING)
    return bool(mine.update(heartbeat_at=timezone.now())) and mine.filter(cancel_requested_at=None).exists()


def make_file(*, export: Export, folder: Path) -> None:
    """Write the file of a claimed export, store it and finish. Raises ConnoteError where it cannot be made."""
    Export.objects.filter(pk=export.pk, holder=export.holder).update(total=count_rows(export))
    progress = Progress(export)
    path = write_export(export=export, folder=folder, tick=progress.tick, look=progress.look)
    progress.write()
    with path.open("rb") as file:
        stored_as = default_storage.save(export.stored_as, File(file))
    now = timezone.now()
    days = settings.KEEP_EXPORTS_DAYS
    is_of_files = export.release is not None and export.format == "files"
    finished = {
        "n_rows": export.release.n_images if is_of_files and export.release else progress.n,
        "n_bytes": path.stat().st_size,
        "sha256": sha256_of_file(path),
        "file_name": name_file(export, path.suffix),
        "expires_at": now + timedelta(days=days) if days else None,
    }
    with transaction.atomic():
        is_ready = _end(export, ExportState.READY, done=progress.n, stored_as=stored_as, **finished)
        if is_ready:
            told = {"export": str(export.pk), "what": export.what, "format": export.format, **finished}
            emit(project=export.project, event=WebhookEvent.EXPORT_READY, data=told)
    if not is_ready:
        default_storage.delete(stored_as)
        raise ExportLost()


def name_file(export: Export, ending: str) -> str:
    """What a browser calls the file: the name of the project, what is in it, and the day."""
    of = f"release {export.release.label}" if export.release else export.what
    name = f"{export.project.name} {of} {export.format} {timezone.now():%Y-%m-%d}"
    return f"{UNFIT_IN_NAMES.sub('-', name)[:150].strip(' .')}{ending}"


def _end(export: Export, state: ExportState, **fields: Any) -> bool:
    mine = Export.objects.filter(pk=export.pk, holder=export.holder, state=ExportState.RUNNING)
    return bool(mine.update(state=state, finished_at=timezone.now(), **fields))


def fail_export(*, export: Export, error: Mapping[str, Any]) -> None:
    """The export could not be made; `error` has code, message and params."""
    _end(export, ExportState.FAILED, error=dict(error))


def stop_export(*, export: Export) -> None:
    """The worker saw that it was cancelled."""
    _end(export, ExportState.CANCELLED)


def cancel_export(*, export: Export) -> Export:
    """Cancel at once what no live worker holds; ask a running one to stop. Raises ExportOver."""
    now, this = timezone.now(), Export.objects.filter(pk=export.pk)
    ended = {"state": ExportState.CANCELLED, "cancel_requested_at": now, "finished_at": now}
    was_free = this.filter(_in_nobodys_hands()).update(**ended)
    if not was_free and not this.filter(state=ExportState.RUNNING).update(cancel_requested_at=now):
        raise ExportOver()
    export.refresh_from_db()
    return export


def delete_export(*, export: Export) -> None:
    """Forget an export with its file. A worker that writes it stops."""
    stored_as = export.stored_as
    Export.objects.filter(pk=export.pk).delete()
    if stored_as:
        default_storage.delete(stored_as)


def tend_exports() -> dict[str, int]:
    """Send silent exports again, and delete files whose days are over. Returns how many of each."""
    return {"sent": _recover(), "expired": _expire()}


def _recover() -> int:
    """Sending one twice is harmless: `claim_export` lets one worker win."""
    silent = _silent()
    over = {"finished_at": timezone.now()}
    silent.exclude(cancel_requested_at=None).update(state=ExportState.CANCELLED, **over)
    died = {"code": "export_worker_died", "message": WORKER_DIED.format(n=MAX_ATTEMPTS), "params": {"n": MAX_ATTEMPTS}}
    silent.filter(attempt__gte=MAX_ATTEMPTS).update(state=ExportState.FAILED, error=died, **over)
    waiting = [str(pk) for pk in silent.values_list("pk", flat=True)]
    for export_id in waiting:
        logger.warning("export_recovered", export=export_id)
        queue.send_export(export_id)
    return len(waiting)


WORKER_DIED = "{n} workers stopped at this export, perhaps because memory was full. Look at their logs."


def _silent() -> QuerySet[Export]:
    stale = timezone.now() - timedelta(seconds=settings.RUN_STALE_SECONDS)
    touched = Export.objects.filter(state__in=LIVE).alias(touched=Coalesce("heartbeat_at", "created_at"))
    return touched.filter(touched__lt=stale)


def _expire() -> int:
    """Files whose days are over, and those with an image that was withdrawn since."""
    n, ready = 0, Export.objects.filter(state=ExportState.READY)
    over = [*ready.filter(expires_at__lt=timezone.now())]
    withdrawn = [each for each in ready.exclude(release=None) if has_withdrawn_image(export=each)]
    for export in (*over, *withdrawn):
        if Export.objects.filter(pk=export.pk, state=ExportState.READY).update(state=ExportState.EXPIRED, stored_as=""):
            default_storage.delete(export.stored_as)
            n += 1
    return n
