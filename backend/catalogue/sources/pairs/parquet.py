"""Parquet with the pictures inside: columns `jpg` and `caption` as img2dataset has them, or Hugging Face's `image`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.catalogue.sources.columns import CAPTIONS, KEY, first_of
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.pairs.rows import (
    ADDRESSES,
    NO_PLACE,
    CorpusPair,
    Slice,
    cut_off,
    judged,
    no_column,
    once_each,
    shard_path,
)
from backend.catalogue.sources.rows import MemberRefused, Refused

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

PICTURES = ("jpg", "jpeg", "png", "webp", "image", "image_bytes", "bytes")
WHY_NOT = ("error_message", "status")
BATCH = 64  # rows in memory at once; a picture may have megabytes
NOT_THERE = "The row has no image: {why}."


@contextmanager
def opened(folder: Path, file: str) -> Iterator[ParquetFile]:
    """A Parquet file of the folder. Raises SourceUnreadable where it is gone, cut off or none, while it is read too."""
    import pyarrow
    from pyarrow import parquet

    path = shard_path(folder, file)
    try:
        with parquet.ParquetFile(path) as table:
            yield table
    except (pyarrow.ArrowException, OSError) as error:
        raise cut_off(file, getattr(error, "strerror", None) or error) from error


def column_of(table: ParquetFile, file: str, what: str, wanted: Sequence[str]) -> str:
    """The first of the `wanted` columns that the table has. Raises SourceUnreadable, naming those it has."""
    found = next((name for name in wanted if name in table.schema_arrow.names), None)
    if found is None:
        raise no_column(file, what, wanted, table.schema_arrow.names)
    return found


def captions_by_key(folder: Path, file: str) -> dict[str, list[str]]:
    """The captions of a table without pictures, by the key of its rows. Raises SourceUnreadable."""
    found: dict[str, list[str]] = {}
    with opened(folder, file) as table:
        key, caption = column_of(table, file, "keys", KEY), column_of(table, file, "captions", CAPTIONS)
        for batch in table.iter_batches(columns=[key, caption]):
            for row in batch.to_pylist():
                found.setdefault(first_of(row, (key,)), []).extend(texts_of(row[caption]))
    return found


def texts_of(value: object) -> list[Any]:
    """A caption's cell as a list: it may hold one text or several."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


@dataclass
class ParquetShard:
    folder: Path
    part: Slice

    def pairs(self) -> Iterator[CorpusPair | Refused]:
        """See ShardReader. The key is the row's own, else its number."""
        yield from once_each(self._rows())

    def check(self) -> int:
        """How many rows it has. Raises SourceUnreadable where it lacks pictures or captions."""
        with opened(self.folder, self.part.file) as table:
            column_of(table, self.part.file, "pictures", PICTURES)
            column_of(table, self.part.file, "captions", CAPTIONS)
            return int(table.metadata.num_rows)

    def read(self, place: str) -> bytes:
        """The picture of a row, its number as text."""
        with opened(self.folder, self.part.file) as table:
            if not place.isascii() or not place.isdecimal() or int(place) >= table.metadata.num_rows:
                raise MemberRefused("no_place", NO_PLACE.format(place=place[:100], file=self.part.file))
            group, row = self._group_of(table, int(place))
            column = column_of(table, self.part.file, "pictures", PICTURES)
            for batch in table.iter_batches(BATCH, row_groups=[group], columns=[column]):
                if row < len(batch):
                    return _bytes_of(batch.column(0)[row].as_py(), {})
                row -= len(batch)
        raise MemberRefused("no_place", NO_PLACE.format(place=place[:100], file=self.part.file))

    def state(self) -> str:
        """Empty: the file's checksum covers all of it."""
        return ""

    def _group_of(self, table: ParquetFile, row: int) -> tuple[int, int]:
        """The row group of a row, and its number in that."""
        for group in range(table.metadata.num_row_groups):
            n_rows = int(table.metadata.row_group(group).num_rows)
            if row < n_rows:
                return group, row
            row -= n_rows
        raise IndexError(row)

    def _rows(self) -> Iterator[CorpusPair | Refused]:
        with opened(self.folder, self.part.file) as table:
            picture = column_of(table, self.part.file, "pictures", PICTURES)
            caption = column_of(table, self.part.file, "captions", CAPTIONS)
            more = [name for name in (*KEY, *WHY_NOT, *ADDRESSES) if name in table.schema_arrow.names]
            number = 0
            for batch in table.iter_batches(BATCH, columns=[picture, caption, *more]):
                for row in batch.to_pylist():
                    yield from _pair(number, row, picture, caption)
                    number += 1


def _pair(number: int, row: dict[str, Any], picture: str, caption: str) -> Iterator[CorpusPair | Refused]:
    key = first_of(row, KEY) or f"{number:09d}"
    try:
        data = _bytes_of(row[picture], row)
    except MemberRefused as refused:
        yield Refused(number + 1, printable(key), refused.code, refused.message)
        return
    yield from judged(number + 1, key, texts_of(row[caption]), str(number), lambda: data, first_of(row, ADDRESSES))


def _bytes_of(value: object, row: dict[str, Any]) -> bytes:
    """A picture's cell: bytes, or Hugging Face's {bytes, path}. Raises MemberRefused where it is empty."""
    data = value.get("bytes") if isinstance(value, dict) else value
    if not isinstance(data, bytes) or not data:
        raise MemberRefused("missing_file", NOT_THERE.format(why=first_of(row, WHY_NOT)[:200] or "its cell is empty"))
    return data
