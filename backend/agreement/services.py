"""Figures are counted again from all judgments: by a worker soon after judgments came, or at once where they are few.

One process works on a project at a time: it claims the snapshot. All parts are replaced in one transaction, so that a
reader sees figures and intervals of the same judgments. A process that is killed leaves the snapshot as it was, and its
claim runs out.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.agreement.figures import tell_all
from backend.agreement.models import Part, Snapshot, SnapshotPart
from backend.agreement.progress import tell_progress
from backend.agreement.rows import read_rows
from backend.agreement.selectors import Mark, View, read_mark, read_marks, read_parts
from backend.projects.models import Project

logger = structlog.get_logger(__name__)
FEW = 20_000  # judgments: a reader has them counted at once
QUICK = 2.0  # seconds that the last time may have taken for that
REST = 10  # times as long as the work took a large project waits until it is done again
CLAIM = timedelta(minutes=10)


def look(*, project: Project, parts: QuerySet[SnapshotPart]) -> View:
    """Parts of the newest snapshot. Where judgments are few and the snapshot is not of them, it is made first; where
    they are many, the answer says that it is stale. A page asks for several parts at once: one request makes the
    snapshot, and the others wait for it, so that none of them says that there are no figures. If the process that they
    waited for began before the last judgments came, the snapshot is made once more."""
    mark = read_mark(project=project)
    snapshot = Snapshot.objects.filter(project=project).first()
    if _is_for_readers(snapshot, mark) and not renew(project=project):
        _wait(project)
        if Snapshot.objects.filter(project=project, claimed_at=None).exclude(mark=mark.digest).exists():
            renew(project=project)
    return read_parts(project=project, mark=mark, parts=parts)


def _is_for_readers(snapshot: Snapshot | None, mark: Mark) -> bool:
    """Whether the snapshot is of other judgments than those of now, and a reader can wait for another one."""
    if snapshot is None:
        return mark.n_judgments <= FEW
    is_quick = max(mark.n_judgments, snapshot.n_judgments) <= FEW and snapshot.seconds <= QUICK
    return snapshot.mark != mark.digest and is_quick


def _wait(project: Project) -> None:
    """Until the other process is done, for at most QUICK seconds."""
    until = time.monotonic() + QUICK
    while time.monotonic() < until and Snapshot.objects.filter(project=project, claimed_at__isnull=False).exists():
        time.sleep(0.05)


def renew(*, project: Project) -> bool:
    """Work out all figures of the project and keep them. Returns False where another process does so."""
    claim = _claim(project)
    if claim is None:
        return False
    try:
        return _renew(project, claim)
    except BaseException:
        Snapshot.objects.filter(project=project, claimed_at=claim).update(claimed_at=None)
        raise


def _renew(project: Project, claim: datetime) -> bool:
    began = time.monotonic()
    as_of, mark = timezone.now(), read_mark(project=project)  # before the rows: they may be newer, never older
    rows = read_rows(project=project)
    told = [*tell_all(rows), (Part.PROGRESS, "", tell_progress(project, rows))]
    with transaction.atomic():
        snapshot = Snapshot.objects.select_for_update().filter(project=project, claimed_at=claim).first()
        if snapshot is None:  # the claim ran out, or the project is gone
            return False
        snapshot.parts.all().delete()
        parts = (SnapshotPart(snapshot=snapshot, part=part, value=value, figures=each) for part, value, each in told)
        SnapshotPart.objects.bulk_create(parts, batch_size=200)
        snapshot.as_of, snapshot.mark, snapshot.claimed_at = as_of, mark.digest, None
        snapshot.n_judgments, snapshot.seconds = int(rows.is_counted.sum()), time.monotonic() - began
        snapshot.save()
    logger.info("agreement_renewed", project=project.slug, judgments=len(rows), seconds=round(snapshot.seconds, 2))
    return True


def _claim(project: Project) -> datetime | None:
    """The moment of the claim, or None where a process holds a younger one. The conditional UPDATE lets one win."""
    now = timezone.now()
    Snapshot.objects.get_or_create(project=project)
    is_free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM)
    return now if Snapshot.objects.filter(is_free, project=project).update(claimed_at=now) else None


def keep_up() -> int:
    """Work out the figures of every project whose judgments changed since. Large ones are given a rest between.
    Returns how many projects were renewed."""
    marks = {pk: mark for pk, mark in read_marks().items() if mark.n_judgments}
    known = {snapshot.project_id: snapshot for snapshot in Snapshot.objects.filter(project__in=marks)}
    due = [pk for pk, mark in marks.items() if _is_due(known.get(pk), mark)]
    projects = Project.objects.in_bulk(due)
    return sum(renew(project=projects[pk]) for pk in sorted(projects))


def _is_due(snapshot: Snapshot | None, mark: Mark) -> bool:
    if snapshot is None or snapshot.as_of is None:
        return True
    rested = timezone.now() - snapshot.as_of >= timedelta(seconds=REST * snapshot.seconds)
    return rested and snapshot.mark != mark.digest
