"""A file of rows with one picture or caption a row, and the pictures beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import PurePosixPath

from backend.catalogue.sources.beside import PicturesBeside
from backend.catalogue.sources.columns import (
    CAPTIONS,
    FILE,
    IMAGE_URL,
    KEY,
    PICTURE,
    ROW_ID,
    Naming,
    caption_rows,
    file_of,
    first_of,
    image_row,
    packed_of,
)
from backend.catalogue.sources.container import Container, Finder, faults_of, left_over
from backend.catalogue.sources.records import Record, read_records
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused
from backend.methods.tables import as_text, values_of

Records = Callable[[], Iterator[Record | Refused]]
NEEDS = ("images", (*FILE, *KEY, *IMAGE_URL, *PICTURE))
LOOKED_AT = 20_000  # rows, to see whether `id` numbers the rows


@dataclass(frozen=True)
class Table:
    """`key_folder` is put before the file names that stand in for missing ids.

    `rows` reads the records where the file is no plain table. `row_folder` is put before the number of a row that
    stands in for an id. With `is_whole`, the container is the source, and the report lists files that no row names.
    Otherwise the table alone is the source.
    """

    container: Container
    name: str
    key_folder: str = ""
    rows: Records | None = None
    is_whole: bool = True
    layout: str = "table"
    row_folder: str = ""

    def images(self) -> Iterator[ImageRow | Refused]:
        used = {self.name}
        yield from self.container.problems if self.is_whole else ()
        yield from self.image_rows(used)
        if self.is_whole:
            yield from left_over(self.container, used)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        if self.is_whole:
            yield from faults_of(self.container)
        yield from self.caption_rows()

    def image_rows(self, used: set[str]) -> Iterator[ImageRow | Refused]:
        """The rows as images; the files that they name are added to `used`."""
        finder = Finder(self.container, str(PurePosixPath(self.name).parent), used, self.name)
        for record in self.records():
            yield record if isinstance(record, Refused) else image_row(*record, finder, self.naming)

    def caption_rows(self) -> Iterator[CaptionRow | Refused]:
        beside = PicturesBeside(self.container, self.name)
        for record in self.records():
            if isinstance(record, Refused):
                yield record
            else:
                yield from caption_rows(*record, self.naming, beside.of(record[1], self.naming))

    @cached_property
    def naming(self) -> Naming:
        """In `id,image,caption`, an id that differs where the file is the same is the caption's."""
        ids: dict[str, str] = {}
        for record in islice(self.records(), LOOKED_AT):
            if isinstance(record, Refused):
                continue
            row_id, file = as_text(record[1].get(ROW_ID)), file_of(record[1])
            if not row_id or not file or first_of(record[1], KEY[:-1]):
                break
            if ids.setdefault(file, row_id) != row_id:
                return Naming(self.key_folder, has_row_ids=True, row_folder=self.row_folder)
        return Naming(self.key_folder, row_folder=self.row_folder)

    @property
    def tells(self) -> tuple[bool, bool]:
        """Whether its first row has a file, and whether it has a caption."""
        first = next(self.records(), None)
        if first is None or isinstance(first, Refused):
            return False, False
        return bool(file_of(first[1]) or packed_of(first[1])), bool(values_of(first[1], CAPTIONS))

    def records(self) -> Iterator[Record | Refused]:
        if self.rows:
            yield from self.rows()
            return
        with self.container.open(self.name) as file:
            yield from read_records(file, self.name, self.container.limits, NEEDS)
