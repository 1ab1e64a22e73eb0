"""A CSV, TSV, JSONL or JSON array with one picture a row, and the pictures beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from backend.catalogue.sources.columns import caption_rows, image_row
from backend.catalogue.sources.container import Container, Finder
from backend.catalogue.sources.records import Record, read_records
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused


@dataclass(frozen=True)
class Table:
    """`key_folder` is put before the file names that stand in for missing ids."""

    container: Container
    name: str
    key_folder: str = ""
    layout: str = "table"

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.problems
        yield from self.image_rows()

    def captions(self) -> Iterator[CaptionRow | Refused]:
        yield from self.container.problems
        yield from self.caption_rows()

    def image_rows(self) -> Iterator[ImageRow | Refused]:
        finder = Finder(self.container, str(PurePosixPath(self.name).parent))
        for record in self._records():
            yield record if isinstance(record, Refused) else image_row(*record, finder, self.key_folder)

    def caption_rows(self) -> Iterator[CaptionRow | Refused]:
        for record in self._records():
            if isinstance(record, Refused):
                yield record
            else:
                yield from caption_rows(*record, self.key_folder)

    def _records(self) -> Iterator[Record | Refused]:
        with self.container.open(self.name) as file:
            yield from read_records(file, self.name, self.container.limits)
