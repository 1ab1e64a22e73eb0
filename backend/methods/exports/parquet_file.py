"""A Parquet file of a fixed schema, written row by row in row groups of a fixed size."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 10_000  # of a row group of plain values


class ParquetFile:
    """Use it in `with`. Row groups hold at most `rows` rows and about `n_bytes` bytes, by the sizes given to `add`."""

    def __init__(self, path: Path, schema: pa.Schema, *, rows: int = ROWS, n_bytes: int = 2**28) -> None:
        self._writer = pq.ParquetWriter(path, schema, compression="zstd")
        self._schema, self._most, self._most_bytes = schema, rows, n_bytes
        self._rows: list[Mapping[str, Any]] = []
        self._held = 0
        self.n_rows = 0
        self.n_bytes = 0

    def __enter__(self) -> ParquetFile:
        return self

    def __exit__(self, *problem: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, row: Mapping[str, Any], *, n_bytes: int = 0) -> None:
        """One row; a column that it lacks is null. `n_bytes` is the size of what is large in it."""
        if self._rows and self._held + n_bytes > self._most_bytes:
            self._flush()
        self._rows.append(row)
        self._held += n_bytes
        self.n_rows += 1
        self.n_bytes += n_bytes
        if len(self._rows) >= self._most:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            table = pa.Table.from_pylist(self._rows, schema=self._schema)
            self._writer.write_table(table, row_group_size=len(self._rows))
        self._rows, self._held = [], 0
