"""A full disk and a folder that nobody may write to, told in one sentence instead of as an error in Connote."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from backend.common.errors import ConnoteError

FULL = (errno.ENOSPC, errno.EDQUOT)
LOCKED = (errno.EROFS, errno.EACCES, errno.EPERM)
# What libraries and databases say without a number: C, SQLite.
FULL_WORDS = (os.strerror(errno.ENOSPC), "database or disk is full")
LOCKED_WORDS = (os.strerror(errno.EROFS), "attempt to write a readonly database")
FULL_OF_POSTGRESQL = "53100"


class DiskFull(ConnoteError):
    """A disk of the server is full. Ask an administrator to make room, then try again."""

    code = "disk_full"
    status = 507


class DiskLocked(ConnoteError):
    """The server cannot write to a folder. Ask an administrator to allow it, then try again."""

    code = "disk_locked"
    status = 507


FULL_IN_RUN = "The disk with the folder {folder} is full. Make room, then retry. Retry continues from there."
LOCKED_IN_RUN = "Connote cannot write to the folder {folder}. Allow it, then retry. Retry continues from there."


def disk_error(error: BaseException) -> DiskFull | DiskLocked | None:
    """What an exception says about a disk; None where it is about something else.

    A folder that is not ours to write, an import source for example, is something else.
    """
    for cause in _causes(error):
        number, words = getattr(cause, "errno", None), str(cause)
        if number in FULL or _has(words, FULL_WORDS) or getattr(cause, "sqlstate", "") == FULL_OF_POSTGRESQL:
            return DiskFull()
        if _has(words, LOCKED_WORDS) or (number in LOCKED and _is_ours(getattr(cause, "filename", None))):
            return DiskLocked()
    return None


def sentence_for_run(error: BaseException, told: DiskFull | DiskLocked) -> str:
    """The same for the report of a run, which curators and operators read: with the folder."""
    named = next((name for cause in _causes(error) if (name := getattr(cause, "filename", None))), None)
    folder = Path(os.fsdecode(named)).parent if named else min(_folders(), key=_free)
    return (FULL_IN_RUN if isinstance(told, DiskFull) else LOCKED_IN_RUN).format(folder=folder)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)


def _folders() -> list[Path]:
    """The folders that Connote writes to."""
    folders = [settings.DATA_DIR, Path(settings.MEDIA_ROOT), settings.EMBEDDINGS, Path(tempfile.gettempdir())]
    return [folder for folder in folders if folder.is_dir()]


def _is_ours(name: object) -> bool:
    if not isinstance(name, (str, bytes)):
        return False
    path = Path(os.fsdecode(name)).resolve()
    return any(path.is_relative_to(folder.resolve()) for folder in _folders())


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free
