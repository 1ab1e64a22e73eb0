"""Where pictures and captions come from: one file per layout, all read as streams.

`open_source(path)` looks at the content and picks the layout; `.images()` and `.captions()` then yield rows, or
`Refused` for each row that cannot be taken. Nothing here raises for a bad row, and nothing holds more than a picture.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.containers import Container, Folder, Tar, Zip
from backend.catalogue.sources.files import Files
from backend.catalogue.sources.imagefolder import ImageFolder, metadata_files
from backend.catalogue.sources.metadata import TABLES, first_character
from backend.catalogue.sources.rows import LIMITS, CaptionRow, ImageRow, Limits, Refused, UnreadableError
from backend.catalogue.sources.table import Table
from backend.catalogue.sources.webdataset import WebDataset

__all__ = ["CaptionRow", "ImageRow", "Limits", "Refused", "Source", "UnreadableError", "open_source"]


class Source(Protocol):
    """Pictures and captions of one layout."""

    layout: str

    def images(self) -> Iterator[ImageRow | Refused]: ...

    def captions(self) -> Iterator[CaptionRow | Refused]: ...


def open_source(path: Path, layout: str = "auto", limits: Limits = LIMITS) -> Source:
    """The source at `path`: a folder, a metadata file, a zip or a tar. Raises UnreadableError where there is none.

    A folder that holds one archive and nothing else, as an upload may, is that archive.
    """
    if not path.exists():
        raise UnreadableError("missing", f"There is nothing at {path.name}.")
    if path.is_dir():
        inside = [child for child in path.iterdir() if not child.name.startswith(".")]
        if len(inside) == 1 and inside[0].is_file() and is_archive(inside[0]):
            return open_source(inside[0], layout, limits)
        return _in_container(Folder(path, limits), layout)
    if is_archive(path):
        return _in_archive(path, layout, limits)
    if path.name.lower().endswith(TABLES):
        return _of_metadata(Folder(path.parent, limits), path.name, layout)
    return _in_container(_OneFile(path, limits), layout)


def is_archive(path: Path) -> bool:
    """Whether the content is a zip or a tar, whatever the name says."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


class _OneFile(Folder):
    """A folder of which one file is seen."""

    def __init__(self, path: Path, limits: Limits) -> None:
        super().__init__(path.parent, limits)
        self.only = path.name

    def names(self) -> list[str]:
        return [self.only]


def _in_archive(path: Path, layout: str, limits: Limits) -> Source:
    try:
        if zipfile.is_zipfile(path):
            return _in_container(Zip(path, limits), layout)
        if layout == "webdataset" or _is_compressed(path):
            return WebDataset(path, limits)
        container = Tar(path, limits)
    except (zipfile.BadZipFile, tarfile.TarError, OSError) as error:
        raise UnreadableError("damaged", f"The archive cannot be opened ({type(error).__name__}).") from error
    is_table = bool(metadata_files(container.names())) or layout not in ("auto", "webdataset")
    return _in_container(container, layout) if is_table else WebDataset(path, limits)


def _is_compressed(path: Path) -> bool:
    try:
        with tarfile.open(path, "r:"):
            return False
    except tarfile.ReadError:
        return True


def _in_container(container: Container, layout: str) -> Source:
    names = container.names()
    at_the_top = [name for name in names if "/" not in name and name.lower().endswith(TABLES)]
    if layout == "files" or not (at_the_top or metadata_files(names)):
        return Files(container)
    if layout == "imagefolder" or not at_the_top:
        return ImageFolder(container)
    candidates = metadata_files(at_the_top) or at_the_top
    if len(candidates) > 1:
        raise UnreadableError("ambiguous", f"There are several metadata files: name one of {', '.join(candidates)}.")
    return _of_metadata(container, candidates[0], layout)


def _of_metadata(container: Container, name: str, layout: str) -> Source:
    if layout == "auto":
        layout = "coco" if _is_coco(container, name) else "table"
    return Coco(container, name) if layout == "coco" else Table(container, [name])


def _is_coco(container: Container, name: str) -> bool:
    """One object whose lists are `images` or `annotations`, and not a line of JSON lines."""
    if not name.lower().endswith(".json"):
        return False
    with container.open(name) as file:
        return first_character(file) == "{"
