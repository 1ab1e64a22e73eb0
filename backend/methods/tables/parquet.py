"""Rows of Parquet: structs, lists and dictionaries as they are, an image's bytes too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from backend.methods.tables.faults import Fault, TableFault
from backend.methods.tables.rows import Header, Row, TableLimits, plain

BATCH, BATCH_WITH_BYTES = 1000, 64  # rows in memory at once; an image may have megabytes


class ParquetRows:
    """The rows of a Parquet file. Raises TableFault where it is none."""

    unit = "row"

    def __init__(self, file: BinaryIO, name: str, limits: TableLimits, *, as_written: bool = False) -> None:
        import pyarrow
        from pyarrow import parquet

        self._name, self._limits = name, limits
        self._errors = (pyarrow.ArrowException, OSError, UnicodeDecodeError, OverflowError)
        try:
            self._table = parquet.ParquetFile(file)
            schema = self._table.schema_arrow
        except self._errors:
            raise TableFault("file_damaged") from None
        if len(schema.names) > limits.max_columns:
            raise TableFault("too_many_columns", n=len(schema.names), most=limits.max_columns)
        self.header = Header(schema.names, as_written=as_written)
        self._size = BATCH_WITH_BYTES if any("binary" in str(kind) for kind in schema.types) else BATCH

    def __iter__(self) -> Iterator[Row | Fault]:
        n = 0
        try:
            for batch in self._table.iter_batches(self._size):
                columns = [column.to_pylist() for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    n += 1
                    yield self._row(n, cells)
        except self._errors:
            yield Fault(n + 1, self._name, "file_damaged")
            return
        if n == 0:
            yield Fault(None, self._name, "no_records")

    def _row(self, n: int, cells: tuple[Any, ...]) -> Row | Fault:
        for at, cell in enumerate(cells):
            if isinstance(cell, str) and len(cell) > self._limits.max_cell:
                column = self.header.names[at][:40]
                return Fault(n, self._name, "cell_too_long", {"column": column, "most": self._limits.max_cell})
        return Row(n, self.header.values([plain(cell) for cell in cells]))
