"""Hugging Face's `imagefolder`: pictures with a metadata.jsonl (.csv, .parquet) in their folder, one for each split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

from backend.catalogue.sources.container import Container, faults_of, left_over
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import Record
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused, Row, told_of_file
from backend.catalogue.sources.table import Table
from backend.methods.tables import SENTENCES, Fault, Wanted, read_rows

METADATA = ("metadata.jsonl", "metadata.csv")
ANY_METADATA = (*METADATA, "metadata.parquet")


@dataclass(frozen=True)
class ImageFolder:
    container: Container
    names: tuple[str, ...]
    is_whole: bool = True
    layout: str = "imagefolder"

    def images(self) -> Iterator[ImageRow | Refused]:
        used = set(self.names)
        yield from self.container.problems if self.is_whole else ()
        for split in self._splits():
            yield from self._naming(split, split.image_rows(used))
        if self.is_whole:
            yield from left_over(self.container, used)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        if self.is_whole:
            yield from faults_of(self.container)
        for split in self._splits():
            yield from self._naming(split, split.caption_rows())

    def _splits(self) -> Iterator[Table]:
        for name in self.names:
            folder = str(PurePosixPath(name).parent)
            records = partial(_rows_of, self.container, name) if name.endswith(".parquet") else None
            yield Table(self.container, name, "" if folder == "." else folder, records)

    def _naming(self, split: Table, rows: Iterator[Row | Refused]) -> Iterator[Row | Refused]:
        return (told_of_file(row, split.name) for row in rows) if len(self.names) > 1 else rows


def _rows_of(container: Container, name: str) -> Iterator[Record | Refused]:
    with container.open(name) as file:
        for row in read_rows(file, name, Wanted(as_written=True)):
            if isinstance(row, Fault):
                yield Refused(row.line, printable(row.name), row.code, SENTENCES[row.code], row.params)
            else:
                yield row.line, dict(row.values)
