"""Tables of a project as it is now: their columns, and JSON lines, CSV and Parquet written as the rows are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
from pyarrow.csv import CSVWriter, WriteOptions

from backend.methods.export_rows import STARTS, guard
from backend.methods.exports.full_tables import CANDIDATES, EDIT
from backend.methods.exports.parquet_file import ParquetFile

TEXT, WHOLE, REAL, YES_NO, BIG = pa.string(), pa.int32(), pa.float64(), pa.bool_(), pa.int64()
JUDGMENTS = pa.schema([
    ("id", BIG), ("image", TEXT), ("caption", TEXT), ("annotator", TEXT), ("label", TEXT), ("lens", TEXT),
    ("is_generic", YES_NO), ("edits", pa.list_(EDIT)), ("comment", TEXT), ("seconds", REAL), ("position", WHOLE),
    ("options", pa.list_(TEXT)), ("submitted_at", pa.timestamp("ms", tz="UTC")), ("is_latest", YES_NO),
    ("is_counted", YES_NO), ("is_surplus", YES_NO), ("supersedes", BIG),
])  # fmt: skip
CAPTIONS = CANDIDATES.remove(CANDIDATES.get_field_index("split"))  # splits are drawn for a release
ANNOTATORS = pa.schema([
    ("annotator", TEXT), ("judgments", WHOLE), ("counted", WHOLE), ("changed", WHOLE), ("is_excluded", YES_NO),
    ("controls", WHOLE), ("controls_passed", WHOLE), ("controls_share", REAL), ("controls_low", REAL),
    ("controls_high", REAL), ("decided", WHOLE), ("agreed", WHOLE), ("agreement", REAL), ("agreement_low", REAL),
    ("agreement_high", REAL), ("median_seconds", REAL),
])  # fmt: skip
AGREEMENT = pa.schema([
    ("scope", TEXT), ("slice", TEXT), ("n_pairs", WHOLE), ("measure", TEXT), ("reading", TEXT), ("value", REAL),
    ("low", REAL), ("high", REAL), ("reason", TEXT), ("n_items", WHOLE), ("n_judgments", WHOLE),
])  # fmt: skip
SCHEMAS = {"judgments": JUDGMENTS, "captions": CAPTIONS, "annotators": ANNOTATORS, "agreement": AGREEMENT}
WORDS = {True: "yes", False: "no"}
CHUNK = 2000  # rows
Rows = Iterable[Mapping[str, Any]]


@lru_cache(maxsize=10_000)
def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} is not a value of a table")


def _as_line(value: object) -> bytes:
    return orjson.dumps(value, default=_plain, option=orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATETIME)


def write_jsonl(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """One JSON object on each line."""
    with path.open("wb") as file:
        for row in rows:
            file.write(_as_line(row) + b"\n")


def write_csv(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """A table that no spreadsheet takes for formulas. Lists are JSON; true and false are yes and no."""
    left = iter(rows)
    as_cells = pa.schema([field if _is_number(field.type) else field.with_type(TEXT) for field in columns])
    with CSVWriter(path, as_cells, write_options=WriteOptions(quoting_style="all_valid")) as file:
        while chunk := list(islice(left, CHUNK)):
            # Column by column: a type is looked at once, not for each cell.
            cells = [_cells(field.type, [row[field.name] for row in chunk]) for field in columns]
            arrays = [pa.array(values, field.type) for values, field in zip(cells, as_cells, strict=True)]
            file.write_batch(pa.record_batch(arrays, schema=as_cells))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _cells(kind: pa.DataType, values: list[Any]) -> list[Any]:
    if pa.types.is_string(kind):
        return [value if value is None or value[:1] not in STARTS else guard(value) for value in values]
    if pa.types.is_boolean(kind):
        return [WORDS.get(value) for value in values]
    if pa.types.is_list(kind):
        return [_list_cell(value) for value in values]
    if pa.types.is_timestamp(kind):
        return [value and _plain(value) for value in values]
    return values


def _list_cell(value: list[Any] | None) -> str | None:
    """JSON. Most lists are empty, or the buttons in one of a few orders."""
    if value and isinstance(value[0], str):
        return _buttons(tuple(value))
    return _as_line(value).decode() if value else None if value is None else "[]"


@lru_cache(maxsize=1000)
def _buttons(names: tuple[str, ...]) -> str:
    return _as_line(list(names)).decode()


def write_parquet(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """Typed columns."""
    with ParquetFile(path, columns) as table:
        for row in rows:
            table.add(row)


WRITERS: dict[str, Callable[[Path, pa.Schema, Rows], None]] = {
    "jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet,
}  # fmt: skip
