"""The files of a benchmark's data: JSON and tables of every kind, as all imports read them.

Every function raises DataError with the name of the file and the place.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from backend.methods import tables
from backend.methods.benchmarks.data import DataError
from backend.methods.tables import Fault, Outline, TableFault, Wanted

COLUMNS = Wanted(known=(
    "image_id", "image", "file_name", "file", "key", "digest", "captions", "caption", "text", "sentences", "split",
    "categories", "rejected", "caption_id", "raw", "url",
))  # fmt: skip


def read_text(path: Path) -> str:
    """The text of a file, packed or not."""
    with path.open("rb") as file:
        return text_in(file, path.name)


def text_in(file: BinaryIO, name: str) -> str:
    """The text of the file called `name`."""
    try:
        return tables.read_text(file)
    except TableFault as fault:
        raise _error(fault.of(name)) from fault


def read_json(path: Path) -> Any:
    """The JSON of a file."""
    return parse_json(path.name, read_text(path))


def parse_json(name: str, text: str) -> Any:
    """The JSON of the text of the file called `name`."""
    try:
        return tables.parse_json(text)
    except TableFault as fault:
        raise DataError(f"{name} is not complete JSON: {fault}") from fault


def outline(path: Path) -> Outline | None:
    """What kind of table a file is; None where it is none."""
    try:
        with path.open("rb") as file:
            return tables.outline(file, path.name)
    except TableFault:
        return None


def rows_of(path: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a table, without the bytes of images: ids do not need them, and they are most of a file."""
    with path.open("rb") as file:
        for row in rows_in(file, path.name):
            yield {name: _without_bytes(value) for name, value in row.items()}


def rows_in(file: BinaryIO, name: str) -> Iterator[Mapping[str, Any]]:
    """The rows of the table that is called `name`."""
    for row in tables.read_rows(file, name, COLUMNS):
        if not isinstance(row, Fault):
            yield row.values
        elif not row.is_ignored:
            raise _error(row)


def rows_in_bytes(raw: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a table that was read; none of an empty file."""
    return rows_in(io.BytesIO(raw), name) if raw.strip() else iter(())


def field_of(row: Any, field: str, name: str, where: str) -> Any:
    """A field of a row, which must have it."""
    if not isinstance(row, Mapping) or row.get(field) is None:
        raise DataError(f"{name}, {where}: the field {field!r} is missing.")
    return row[field]


def _without_bytes(value: Any) -> Any:
    return value if not isinstance(value, dict) or "path" not in value else {**value, "bytes": None}


def _error(fault: Fault) -> DataError:
    place = "" if fault.line is None else f", line {fault.line}"
    return DataError(f"{fault.name}{place}: {fault.message}")
