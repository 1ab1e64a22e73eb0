"""The files of a benchmark's data: text, JSON, JSON lines and tables, packed with gzip or not.

Every function raises DataError with the name of the file and the place.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backend.methods.benchmarks.data import DataError


def read_text(path: Path) -> str:
    """The text of a file."""
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        with gzip.open(io.BytesIO(raw)) as packed:
            raw = packed.read()
    return raw.decode("utf-8-sig")


def read_json(path: Path) -> Any:
    """The JSON of a file."""
    return parse_json(path.name, read_text(path))


def parse_json(name: str, text: str) -> Any:
    """The JSON of the text of the file called `name`."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise DataError(f"{name} is not complete JSON: {problem}.") from problem


def is_json(text: str) -> bool:
    """Whether a text is complete JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def json_lines(name: str, text: str) -> Iterator[Any]:
    """The JSON of each line that is not empty."""
    for at, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as problem:
                raise DataError(f"{name}, line {at}: this is not JSON: {problem}.") from problem


def field_of(row: Any, field: str, name: str, where: str) -> Any:
    """A field of a row, which must have it."""
    if not isinstance(row, dict) or row.get(field) is None:
        raise DataError(f"{name}, {where}: the field {field!r} is missing.")
    return row[field]


def table_rows(path: Path) -> list[Any]:
    """The rows of JSON lines, CSV or Parquet, without the bytes of images."""
    if path.suffix == ".jsonl":
        return list(json_lines(path.name, read_text(path)))
    if path.suffix == ".csv":
        return [dict(row) for row in csv.DictReader(io.StringIO(read_text(path)))]
    from pyarrow import ArrowInvalid, parquet

    try:
        table = parquet.ParquetFile(path)
        # The bytes of images are not needed for ids, and they are most of the file.
        names = [name for name in table.schema_arrow.names if name != "image"]
        if "image" in table.schema_arrow.names:
            kind = table.schema_arrow.field("image").type
            names.append(
                "image.path" if hasattr(kind, "get_field_index") and kind.get_field_index("path") >= 0 else "image"
            )
        rows: list[Any] = table.read(columns=names).to_pylist()
    except ArrowInvalid as problem:
        raise DataError(f"{path.name} is not a complete Parquet file: {problem}.") from problem
    return rows
