"""Where the bytes of pictures lie: named by their content, so that equal pictures are kept once for all projects."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage, storages

SIZES = ("small", "large")  # of thumbnails
WITHDRAWN = "withdrawn/"  # how names of files begin whose image was withdrawn: there is never a file behind them
ENDINGS = {"JPEG": "jpg", "TIFF": "tif", "JPEG2000": "jp2"}


def original_name(digest: str, format: str) -> str:
    return f"originals/{digest[:2]}/{digest}.{ENDINGS.get(format, format.lower())}"


def thumbnail_name(digest: str, size: str) -> str:
    return f"thumbnails/{digest[:2]}/{digest}-{size}.webp"


def is_local() -> bool:
    """Whether stored files are files of this machine's disk."""
    return isinstance(storages["default"], FileSystemStorage)


def keep_file(name: str, data: bytes) -> None:
    """Store `data` as `name` whole or not at all. A file of that name and size is the same file and stays.

    On a local disk it is written beside its place and moved there, so that a kill leaves no half picture behind.
    """
    if not is_local():
        if not default_storage.exists(name):
            default_storage.save(name, ContentFile(data))
        return
    path = Path(default_storage.path(name))
    if _size_of(path) == len(data):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:  # a full disk: a try for every picture would only fill it further
        part.unlink(missing_ok=True)
        raise


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1
