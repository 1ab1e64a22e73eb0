"""Tables of a project as it is now: their columns, and JSON lines, CSV and Parquet written as the rows are read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa

from backend.methods.export_rows import guard
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
Rows = Iterable[Mapping[str, Any]]


@lru_cache(maxsize=10_000)
def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} is not a value of a table")


_as_line = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain
).encode


def write_jsonl(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """One JSON object on each line."""
    with path.open("w", encoding="utf-8", newline="") as file:
        for row in rows:
            file.write(_as_line(row) + "\n")


def write_csv(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """A table that no spreadsheet takes for formulas. Lists are JSON; true and false are yes and no."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(columns.names)
        values = itemgetter(*columns.names)
        for row in rows:
            writer.writerow([CELLS[type(value)](value) if type(value) in CELLS else value for value in values(row)])


def _list_cell(value: list[Any]) -> str:
    """JSON. Most lists are empty, or the buttons in one of a few orders."""
    return _buttons(tuple(value)) if value and isinstance(value[0], str) else _as_line(value) if value else "[]"


@lru_cache(maxsize=1000)
def _buttons(names: tuple[str, ...]) -> str:
    return _as_line(list(names))


CELLS: dict[type, Callable[[Any], str]] = {str: guard, bool: WORDS.__getitem__, list: _list_cell, datetime: _plain}


def write_parquet(path: Path, columns: pa.Schema, rows: Rows) -> None:
    """Typed columns."""
    with ParquetFile(path, columns) as table:
        for row in rows:
            table.add(row)


WRITERS: dict[str, Callable[[Path, pa.Schema, Rows], None]] = {
    "jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet,
}  # fmt: skip
