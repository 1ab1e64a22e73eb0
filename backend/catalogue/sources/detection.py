"""Opens a source by looking at what it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Protocol

from backend.catalogue.sources.archives import UNZIPPABLE, is_packed, open_archive
from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.container import Container, Folder
from backend.catalogue.sources.files import Files
from backend.catalogue.sources.imagefolder import ANY_METADATA, ImageFolder
from backend.catalogue.sources.joined import Rest, archives_in, opened
from backend.catalogue.sources.json_shapes import check_known, column_records, is_coco
from backend.catalogue.sources.names import is_beside, is_hidden, is_table, printable
from backend.catalogue.sources.plain_lines import is_plain_text, plain_lines
from backend.catalogue.sources.records import first_bytes, object_of
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Limits, MemberRefused, Refused, SourceUnreadable
from backend.catalogue.sources.splits import Described, Splits
from backend.catalogue.sources.table import Table
from backend.catalogue.sources.via_projects import records_of
from backend.catalogue.sources.webdataset import FACTS, TEXT, WebDataset, key_of, stem_of
from backend.methods.tables import COLUMNS, Outline

LOOKED_AT = 2000
MOST_TEXTS = 50
AMBIGUOUS = "There are several tables here ({names}). Choose one of them as the source."
NO_TABLE = "There is no CSV, JSON, Excel or Parquet file here. Add one that describes the images."
NOT_THERE = "The file or folder {path} does not exist. Check the path."
NO_METADATA = "There is no metadata.jsonl, .csv or .parquet here. Add one, or choose another layout."
OTHER_LAYOUT = "Connote cannot read {name} in the layout {layout}. Choose another layout."
COMPANIONS = ("instances_", "person_keypoints_", "stuff_", "panoptic_", "image_info_")
# What differs in the names of tables that are one: a split, or a number as in train-00000-of-00002.parquet.
SPLIT = re.compile(r"(train|val|valid|validation|dev|test)[0-9]*")
PART = re.compile(r"(?:part|shard|chunk)?[-_.]?[0-9]{3,}(?:-of-[0-9]{3,})?(?:-[0-9a-f]{16})?(?![0-9a-f])")
NOTHING = "There is nothing here to import. Choose another source."
DAMAGED = "Connote cannot read {name} ({error}). Copy it again."


class Source(Protocol):
    """Where rows come from. Both streams can be started any number of times and give the same rows each time."""

    @property
    def layout(self) -> str: ...

    def images(self) -> Iterator[ImageRow | Refused]: ...

    def captions(self) -> Iterator[CaptionRow | Refused]: ...


def open_source(
    path: Path | str, layout: str = "auto", limits: Limits | None = None, columns: tuple[str, ...] = ()
) -> Source:
    """The source at `path`: a folder, a tar, a zip, or a table with its pictures beside it. `columns` are the names of
    the columns of a table without a header.

    Raises SourceUnreadable with a sentence where nothing can be read at all; single bad rows come out as Refused.
    """
    place, bounds = Path(path), replace(limits or Limits(), columns=columns)
    if not place.exists():
        raise SourceUnreadable(NOT_THERE, code="no_such_source", params={"path": printable(place)})
    if place.is_file():
        if is_packed(place):
            return _open_container(open_archive(place, bounds), layout)
        return _open_table(opened(Folder(place.parent, bounds), below=False), place.name, layout, is_whole=False)
    folder = Folder(place, bounds)
    archives = archives_in(folder, below=True)
    if shards := _shards(folder, archives, layout):
        return WebDataset(shards)
    is_only = len(archives) == 1 and all(is_hidden(one.name) or one.name == archives[0] for one in place.iterdir())
    return _open_container(open_archive(place / archives[0], bounds) if is_only else opened(folder), layout)


def _shards(folder: Folder, archives: tuple[str, ...], layout: str) -> tuple[Container, ...]:
    """The tars of a folder if they are shards of one dataset, and the other files of the folder as the last of them.

    A shard has samples. Tables beside shards have their names, as the 00000.parquet and 00000_stats.json of
    img2dataset; a metadata.csv makes the archives a part of an imagefolder.
    """
    names = [member.name for member in folder.members()]
    tables = [name for name in names if is_table(name) and not _is_of_shard(name, archives)]
    if len(archives) < (1 if layout == "webdataset" else 2) or layout not in ("auto", "webdataset"):
        return ()
    if layout == "auto" and tables:
        return ()
    shards = tuple(open_archive(folder.path_of(name), folder.limits) for name in archives)
    if layout == "auto" and not any(map(_looks_like_samples, shards)):
        return ()
    rest = [name for name in names if name not in archives]
    return (*shards, Rest(folder, tuple(rest))) if rest else shards


def _is_of_shard(table: str, archives: tuple[str, ...]) -> bool:
    stems = {archive.split(".", 1)[0] for archive in archives}
    return table.split(".", 1)[0].removesuffix("_stats") in stems


def _open_container(container: Container, layout: str) -> Source:
    """The container under the layout asked for, or under the one its members suggest."""
    if not container.problems and next(container.members(), None) is None:
        raise SourceUnreadable(NOTHING, code="empty_source")
    if layout == "files":
        return Files(container)
    if layout == "webdataset":
        return WebDataset((container,))
    names = (member.name for member in container.members())
    metadata = tuple(sorted(name for name in names if PurePosixPath(name).name in ANY_METADATA))
    if layout == "imagefolder" or (layout == "auto" and metadata):
        if not metadata:
            raise SourceUnreadable(NO_METADATA, code="no_metadata")
        for name in metadata:
            _head_of(container, name)
        return ImageFolder(container, metadata)
    if layout == "auto" and _looks_like_samples(container):
        return WebDataset((container,))
    return _open_by_table(container, layout)


def _open_by_table(container: Container, layout: str) -> Source:
    tables = [name for name in _tables(container) if not _is_companion(name)] or _tables(container)
    depth = min((name.count("/") for name in tables), default=0)
    nearest = sorted(name for name in tables if name.count("/") == depth)
    captions = [name for name in nearest if "caption" in PurePosixPath(name).name.lower()]
    chosen = captions if captions and layout in ("auto", "coco") else nearest
    if layout == "auto" and len(nearest) == 2 and (described := _described(container, nearest)):
        return described
    if len(chosen) > 1 and len({_without_split(name) for name in chosen}) > 1:
        raise SourceUnreadable(AMBIGUOUS, code="ambiguous_source", params={"names": ", ".join(chosen[:10])})
    if len(chosen) > 1:
        parts = (_open_table(container, name, layout, is_whole=False) for name in chosen)
        return Splits(container, tuple(_as_part(part) for part in parts if not isinstance(part, ImageFolder)))
    if chosen:
        return _open_table(container, chosen[0], layout, is_whole=True)
    texts = _plain_texts(container)
    if len(texts) > 1:
        raise SourceUnreadable(AMBIGUOUS, code="ambiguous_source", params={"names": ", ".join(texts[:10])})
    if texts:
        return _open_table(container, texts[0], layout, is_whole=True)
    if layout != "auto":
        raise SourceUnreadable(NO_TABLE, code="no_table_here")
    return Files(container)


def _plain_texts(container: Container) -> list[str]:
    """Text files of images and captions, outside of samples; only the first texts are looked at."""
    texts = (member.name for member in container.members() if is_plain_text(member.name))
    return [name for name in islice(texts, MOST_TEXTS) if plain_lines(container, name)]


def _is_companion(name: str) -> bool:
    """Whether a table has no captions by its name: the other files of a COCO download, and notes about a dataset."""
    stem = PurePosixPath(name).stem.lower()
    return stem.startswith(COMPANIONS) or stem.endswith("_stats") or stem in ("dataset_info", "dataset_infos")


def _without_split(name: str) -> str:
    return PART.sub("", SPLIT.sub("", PurePosixPath(name).name.lower()))


def _as_part(part: Coco | Table) -> Coco | Table:
    """A table among others: each counts its own rows, so the number of a row alone is no id."""
    return replace(part, row_folder=str(PurePosixPath(part.name).with_suffix(""))) if isinstance(part, Table) else part


def _described(container: Container, names: list[str]) -> Described | None:
    """Two tables of which one names the files of the images and the other has the captions by the ids of these."""
    try:
        tables = [_open_table(container, name, "auto", is_whole=False) for name in names]
    except SourceUnreadable:
        return None
    images = [table for table in tables if isinstance(table, Table) and table.tells == (True, False)]
    captions = [table for table in tables if isinstance(table, Table) and table.tells == (False, True)]
    return Described(container, images[0], captions[0]) if images and captions else None


def _tables(container: Container) -> list[str]:
    """Tables outside of samples: 000.json beside 000.jpg describes one picture and is none."""
    members = list(container.members())
    pictures = {stem_of(member.name) for member in members if not is_beside(member.name)}
    return [member.name for member in members if is_table(member.name) and stem_of(member.name) not in pictures]


def _looks_like_samples(container: Container) -> bool:
    """Whether pictures have a .txt or .json of their own name beside them, in the first members."""
    words: set[str] = set()
    others: set[str] = set()
    for member in container.members():
        is_words = member.name.lower().endswith((*TEXT, *FACTS))
        if is_words or not is_beside(member.name):
            (words if is_words else others).add(key_of(member.name))
        if member.line >= LOOKED_AT:
            break
    return bool(words & others)


def _open_table(container: Container, name: str, layout: str, *, is_whole: bool) -> ImageFolder | Coco | Table:
    """One file of rows: COCO's object, or a table. Raises SourceUnreadable where it is neither."""
    _head_of(container, name)
    if layout == "imagefolder":
        return ImageFolder(container, (name,), is_whole)
    has_named = bool(container.limits.columns) and layout in ("auto", "table")
    if not has_named and layout in ("auto", "table") and (lines := plain_lines(container, name)):
        return Table(container, name, "", lines, is_whole)
    found = _object_of(container, name) if layout in ("auto", "coco", "table") else None
    if found and is_coco(found[0]):
        return Coco(container, name, is_whole)
    if found and (via := records_of(found[0].members)):
        return Table(container, name, "", partial(via, container, name), is_whole)
    if found:
        check_known(*found)
        lists = tuple(column for column, begins in found[0].members.items() if begins[:1] == "[")
        records = partial(column_records, container, name, lists) if found[1] == COLUMNS else None
        return Table(container, name, "", records, is_whole)
    if layout not in ("auto", "table") or not (is_table(name) or has_named):
        params = {"name": printable(name), "layout": layout}
        raise SourceUnreadable(OTHER_LAYOUT, code="other_layout", params=params)
    return Table(container, name, is_whole=is_whole)


def _head_of(container: Container, name: str) -> bytes:
    """The first bytes of a table. Raises SourceUnreadable where it is damaged, or a link that leads out."""
    try:
        with container.open(name) as file:
            return first_bytes(file)
    except MemberRefused as refused:
        raise SourceUnreadable(refused.template, code=refused.code, params=refused.params) from refused
    except UNZIPPABLE as error:
        params = {"name": printable(name), "error": str(error)}
        raise SourceUnreadable(DAMAGED, code="damaged_table", params=params) from error


def _object_of(container: Container, name: str) -> tuple[Outline, str] | None:
    with container.open(name) as file:
        return object_of(file, name)
