"""COCO captions, and Hugging Face's `imagefolder`: a table, and the pictures as files of the same folder."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.columns import CAPTIONS, Naming, caption_rows, image_row, read_key
from backend.catalogue.sources.container import Finder, Folder
from backend.catalogue.sources.pairs.rows import (
    CUT,
    CorpusPair,
    Slice,
    cut_off,
    judged,
    no_column,
    once_each,
    shard_path,
)
from backend.catalogue.sources.records import LEFT_UNREAD, Record, read_records
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Limits, MemberRefused, Refused


@dataclass
class _Beside(ABC):
    """What both have in common: rows that name files of the folder."""

    folder: Path
    part: Slice
    limits: Limits = field(default_factory=Limits)
    _held: list[CorpusPair | Refused] | None = field(default=None, init=False, repr=False)

    @cached_property
    def container(self) -> Folder:
        return Folder(self.folder, self.limits)

    def read(self, place: str) -> bytes:
        """The file of that name."""
        return self.container.read(place)

    def state(self) -> str:
        """SHA-256 over name, size and time of change of the pictures, which the table's checksum does not cover."""
        digest = hashlib.sha256()
        if self.part.n is not None:  # `pairs` need not parse the table again: a slice is small enough to hold
            self._held = list(self.pairs())
        for row in self.pairs():
            if isinstance(row, CorpusPair):
                state = self.container.path_of(row.place).stat()
                digest.update(f"{row.place}\0{state.st_size}\0{state.st_mtime_ns}\n".encode())
        return digest.hexdigest()

    def pairs(self) -> Iterator[CorpusPair | Refused]:
        """See ShardReader."""
        shard_path(self.folder, self.part.file)
        yield from once_each(self._rows()) if self._held is None else self._held

    @abstractmethod
    def count(self) -> int:
        """How many rows the whole table has. Raises SourceUnreadable."""

    @abstractmethod
    def _rows(self) -> Iterator[CorpusPair | Refused]:
        """The pairs of the slice, before a key that comes twice is refused."""

    def _pair(self, image: ImageRow, texts: list[str]) -> Iterator[CorpusPair | Refused]:
        yield from judged(image.line, image.key, texts, image.name, partial(self.container.read, image.name))


class CocoShard(_Beside):
    """The images of a COCO file in its order, each with all its captions."""

    @cached_property
    def _coco(self) -> Coco:
        return Coco(self.container, self.part.file)

    def count(self) -> int:
        """How many images the file lists."""
        return sum(1 for row in self._coco.records() if not self._is_end(row))

    def _rows(self) -> Iterator[CorpusPair | Refused]:
        captions: dict[str, list[str]] = {}
        for row in self._coco.captions():
            if isinstance(row, CaptionRow):
                captions.setdefault(row.image_key, []).append(row.text)
            elif self._is_end(row):
                raise cut_off(self.part.file, row.message)
        finder = Finder(self.container, str(PurePosixPath(self.part.file).parent))
        for record in self.part.of(self._coco.records()):
            image = record if isinstance(record, Refused) else image_row(*record, finder, Naming())
            if isinstance(image, Refused):
                yield self._checked(image)
            else:
                yield from self._pair(image, captions.get(image.key, []))

    def _checked(self, refused: Refused) -> Refused:
        if self._is_end(refused):
            raise cut_off(self.part.file, refused.message)
        return refused

    def _is_end(self, row: object) -> bool:
        return isinstance(row, Refused) and row.code in (*LEFT_UNREAD, CUT)


class ImageFolderShard(_Beside):
    """Rows of a metadata.jsonl or .csv; those that follow each other about one picture are one pair."""

    def count(self) -> int:
        """How many pictures the table is about."""
        return sum(1 for _ in self._groups())

    def _rows(self) -> Iterator[CorpusPair | Refused]:
        folder = str(PurePosixPath(self.part.file).parent)
        finder = Finder(self.container, folder)
        columns: set[str] = set()
        for records in self.part.of(self._groups()):
            if isinstance(records, Refused):
                yield records
                continue
            columns.update(name for _, record in records for name in record)
            image = image_row(*records[0], finder, self._naming)
            said = [row for record in records for row in caption_rows(*record, self._naming)]
            yield from (row for row in said if isinstance(row, Refused) and row.code != "no_caption")
            if isinstance(image, Refused):
                yield image
            else:
                yield from self._pair(image, [row.text for row in said if isinstance(row, CaptionRow)])
        if columns and columns.isdisjoint(CAPTIONS):
            self._refuse_without_captions()

    def _refuse_without_captions(self) -> None:
        """Over the whole table: where captions are few, a slice may have none. Raises SourceUnreadable."""
        columns: set[str] = set()
        for row in self._records():
            columns.update(() if isinstance(row, Refused) else row[1])
            if not columns.isdisjoint(CAPTIONS):
                return
        raise no_column(self.part.file, "captions", CAPTIONS, sorted(columns))

    @property
    def _naming(self) -> Naming:
        folder = str(PurePosixPath(self.part.file).parent)
        return Naming("" if folder == "." else folder)

    def _groups(self) -> Iterator[list[Record] | Refused]:
        """Records about the same picture that follow each other; what is no record by itself."""
        for _, group in groupby(enumerate(self._records()), key=self._about):
            rows = [row for _, row in group]
            if isinstance(rows[0], Refused):
                yield from (row for row in rows if isinstance(row, Refused))
            else:
                yield [row for row in rows if not isinstance(row, Refused)]

    def _about(self, numbered: tuple[int, Record | Refused]) -> Any:
        number, row = numbered
        try:
            return number if isinstance(row, Refused) else read_key(row[1], self._naming)
        except MemberRefused:
            return number

    def _records(self) -> Iterator[Record | Refused]:
        with self.container.open(self.part.file) as file:
            yield from read_records(file, self.part.file, self.limits)
