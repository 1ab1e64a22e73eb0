"""Opens a source by looking at what it holds."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from backend.catalogue.sources.archive_guards import is_tar
from backend.catalogue.sources.archives import UNZIPPABLE, Tar, Zip
from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.container import Container, Folder
from backend.catalogue.sources.files import Files
from backend.catalogue.sources.imagefolder import METADATA, ImageFolder
from backend.catalogue.sources.names import is_archive, is_table
from backend.catalogue.sources.records import first_bytes
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Limits, MemberRefused, Refused, SourceUnreadable
from backend.catalogue.sources.table import Table
from backend.catalogue.sources.webdataset import FACTS, TEXT, WebDataset, key_of

LOOKED_AT = 2000
AMBIGUOUS = "There are several tables here ({names}). Choose one of them as the source."
NO_TABLE = "There is no CSV, JSONL or JSON file here. Add one that describes the images."
NOTHING = "There is nothing here to import. Choose another source."
DAMAGED = "Connote cannot read {name} ({error}). Copy it again."


class Source(Protocol):
    """Where rows come from. Both streams can be started any number of times and give the same rows each time."""

    @property
    def layout(self) -> str: ...

    def images(self) -> Iterator[ImageRow | Refused]: ...

    def captions(self) -> Iterator[CaptionRow | Refused]: ...


def open_source(path: Path | str, layout: str = "auto", limits: Limits | None = None) -> Source:
    """The source at `path`: a folder, a tar, a zip, or a table with its pictures beside it.

    Raises SourceUnreadable with a sentence where nothing can be read at all; single bad rows come out as Refused.
    """
    place, bounds = Path(path), limits or Limits()
    if not place.exists():
        raise SourceUnreadable(f"The file or folder {place} does not exist. Check the path.")
    if place.is_file() and not _is_packed(place):
        return _open_table(Folder(place.parent, bounds), place.name, layout)
    shards = _shards(place)
    if len(shards) > 1 and layout in ("auto", "webdataset"):
        return WebDataset(tuple(Tar(shard, bounds) for shard in shards))
    return _open_container(_container(shards[0] if shards else place, bounds), layout)


def _is_packed(path: Path) -> bool:
    return is_archive(path.name) or zipfile.is_zipfile(path) or is_tar(path)


def _shards(place: Path) -> list[Path]:
    """The archives of a folder that holds nothing else, such as an upload of one zip or a dataset of many tars."""
    if place.is_file():
        return [place]
    visible = sorted(path for path in place.iterdir() if not path.name.startswith("."))
    if not visible:
        raise SourceUnreadable(NOTHING)
    return visible if all(path.is_file() and is_archive(path.name) for path in visible) else []


def _container(place: Path, limits: Limits) -> Container:
    if place.is_dir():
        return Folder(place, limits)
    return Zip(place, limits) if zipfile.is_zipfile(place) else Tar(place, limits)


def _open_container(container: Container, layout: str) -> Source:
    """The container under the layout asked for, or under the one its members suggest."""
    if layout == "files":
        return Files(container)
    if layout == "webdataset":
        return WebDataset((container,))
    metadata = tuple(sorted(name for name in _tables(container) if PurePosixPath(name).name in METADATA))
    if layout == "imagefolder" or (layout == "auto" and metadata):
        if not metadata:
            raise SourceUnreadable(
                "There is no metadata.jsonl or metadata.csv here. Add one, or choose another layout."
            )
        for name in metadata:
            _head_of(container, name)
        return ImageFolder(container, metadata)
    if layout == "auto" and _looks_like_samples(container):
        return WebDataset((container,))
    return _open_by_table(container, layout)


def _open_by_table(container: Container, layout: str) -> Source:
    tables = _tables(container)
    depth = min((name.count("/") for name in tables), default=0)
    nearest = [name for name in tables if name.count("/") == depth]
    if len(nearest) > 1:
        raise SourceUnreadable(AMBIGUOUS.format(names=", ".join(sorted(nearest)[:10])), code="ambiguous_source")
    if nearest:
        return _open_table(container, nearest[0], layout)
    if layout != "auto":
        raise SourceUnreadable(NO_TABLE)
    if not container.problems and next(container.members(), None) is None:
        raise SourceUnreadable(NOTHING)
    return Files(container)


def _tables(container: Container) -> list[str]:
    """Tables outside of samples: 000.json beside 000.jpg describes one picture and is none."""
    return [member.name for member in container.members() if is_table(member.name)]


def _looks_like_samples(container: Container) -> bool:
    """Whether pictures have a .txt or .json of their own name beside them, in the first members."""
    words: set[str] = set()
    others: set[str] = set()
    for member in container.members():
        is_words = member.name.lower().endswith((*TEXT, *FACTS))
        (words if is_words else others).add(key_of(member.name))
        if member.line >= LOOKED_AT:
            break
    return bool(words & others)


def _open_table(container: Container, name: str, layout: str) -> Source:
    """One file of rows: COCO's object, or a table. Raises SourceUnreadable where it is neither."""
    head = _head_of(container, name)
    if layout == "imagefolder":
        return ImageFolder(container, (name,))
    if layout == "coco" or (layout == "auto" and begins_object(head, name)):
        return Coco(container, name)
    if layout not in ("auto", "table") or not is_table(name):
        raise SourceUnreadable(f"Connote cannot read {name} in the layout {layout!r}. Choose another layout.")
    return Table(container, name)


def _head_of(container: Container, name: str) -> bytes:
    """The first bytes of a table. Raises SourceUnreadable where it is damaged, or a link that leads out."""
    try:
        with container.open(name) as file:
            return first_bytes(file)
    except MemberRefused as refused:
        raise SourceUnreadable(refused.message, code=refused.code) from refused
    except UNZIPPABLE as error:
        raise SourceUnreadable(DAMAGED.format(name=name, error=error), code="damaged") from error


def begins_object(head: bytes, name: str) -> bool:
    """Whether a .json begins one object, as COCO is; JSONL begins one too, and ends it on its first line."""
    if not name.lower().endswith(".json"):
        return False
    head = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    first_line = head.split(b"\n", 1)[0].rstrip()
    return head.startswith(b"{") and not (b"\n" in head and first_line.endswith(b"}") and first_line != b"{")
