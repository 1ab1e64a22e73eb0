"""Files that people send, on their way to an import."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from uuid import UUID

import structlog
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from backend.catalogue.models import Upload
from backend.catalogue.selectors import upload_folder
from backend.catalogue.sources import Limits, SourceUnreadable, open_source
from backend.common.errors import Conflict, ConnoteError, InvalidInput
from backend.people.models import User
from backend.projects.models import Project
from backend.runs import queue
from backend.runs.models import LIVE, Run

logger = structlog.get_logger(__name__)
MB = 1024 * 1024
ODD = re.compile(r"[^\w .()\[\]+,@=-]+", re.UNICODE)
MAX_NAME = 150
MAX_UPLOADS = 20
LOOK = Limits(max_members=20_000, max_inflated_bytes=64 * MB, max_directory_bytes=8 * MB, only_looks=True)


class TooLarge(ConnoteError):
    """These files are too large for this site. Send them in parts."""

    code = "files_too_large"
    status = 413


class QuotaReached(ConnoteError):
    """This project has all the uploads that it can have. Delete an imported one, then send again."""

    code = "quota_reached"
    status = 409


class UploadInUse(Conflict):
    """An import reads this upload. Wait for it, or cancel it first."""

    code = "upload_in_use"


def check_table_size(file: UploadedFile[bytes], *, most: int) -> None:
    """Raises TooLarge if a file, whose sender waits for its import, has more than `most` MB."""
    if (file.size or 0) > most * MB:
        raise TooLarge(
            "This file has more than {most} MB. Send it in parts.", code="file_too_large", params={"most": most}
        )


def safe_file_name(name: str) -> str:
    """The last part of `name` with odd characters replaced. Raises InvalidInput where nothing is left."""
    last = re.split(r"[\\/]", name)[-1]
    plain = ODD.sub("_", last).strip(" .")
    if not plain:
        raise InvalidInput(
            "A file has a name that Connote cannot use. Rename it, then send it again.",
            code="file_without_name",
        )
    stem, dot, ending = plain.rpartition(".")
    return f"{stem[: MAX_NAME - len(ending)]}{dot}{ending}" if dot else plain[:MAX_NAME]


def keep_upload(*, project: Project, uploaded_by: User, files: Sequence[UploadedFile[bytes]]) -> Upload:
    """Write the files where imports find them, then the row that names them: all or nothing.

    Raises InvalidInput on names that cannot be told apart, TooLarge and QuotaReached.
    """
    names = _names_of(files)
    check_size(sum(file.size or 0 for file in files))
    if Upload.objects.filter(project=project).count() >= MAX_UPLOADS:
        raise QuotaReached()
    upload = Upload(project=project, uploaded_by=uploaded_by)
    upload.files = [{"name": name, "n_bytes": file.size} for name, file in zip(names, files, strict=True)]
    folder = upload_folder(upload.pk)
    folder.mkdir(parents=True, mode=0o750)
    try:
        for name, file in zip(names, files, strict=True):
            _write(folder / name, file)
        upload.save(force_insert=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    transaction.on_commit(lambda: queue.send_look(str(upload.pk)), robust=True)
    upload.refresh_from_db()
    return upload


def _names_of(files: Sequence[UploadedFile[bytes]]) -> list[str]:
    names = [safe_file_name(file.name or "") for file in files]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(
            "Two files have the name {name}. Rename one, or send a zip with folders.",
            code="names_twice",
            params={"name": twice[0]},
        )
    return names


def check_size(n_bytes: int) -> None:
    """Raises TooLarge on more than CONNOTE_MAX_UPLOAD_MB, should a body be larger than it was announced to be."""
    limit = settings.MAX_UPLOAD_MB
    if n_bytes > limit * MB:
        raise TooLarge(
            "These are {n} MB. This site accepts at most {most} MB at once.",
            code="upload_too_large",
            params={"n": ceil(n_bytes / MB), "most": limit},
        )


def _write(path: Path, file: UploadedFile[bytes]) -> None:
    with path.open("xb") as out:
        for chunk in file.chunks():
            out.write(chunk)


def look_at_upload(*, upload_id: str) -> None:
    """Note the layout that an import would find in the upload; nothing where it cannot tell.

    A worker does this once: opening an archive takes time and memory that no request should wait for.
    """
    try:
        layout = open_source(upload_folder(UUID(upload_id)), limits=LOOK).layout
    except (SourceUnreadable, OSError) as error:  # an import says what is wrong
        logger.info("upload_not_understood", upload=upload_id, error=str(error))
        return
    Upload.objects.filter(pk=upload_id).update(layout=layout)


@transaction.atomic
def delete_upload(*, upload: Upload) -> None:
    """Forget an upload; what was imported from it stays. Raises UploadInUse while a run would lose its files."""
    if Run.objects.filter(project=upload.project_id, status__in=LIVE, parameters__upload=str(upload.pk)).exists():
        raise UploadInUse()
    folder = upload_folder(upload.pk)
    upload.delete()
    transaction.on_commit(lambda: shutil.rmtree(folder, ignore_errors=True))
