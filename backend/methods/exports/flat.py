"""Tables of a project as it is now: their columns, and JSON lines, CSV and Parquet written as the rows are read.

The rows come as Arrow batches: Arrow turns a whole column into text at once, and no cell becomes a Python object. A
column whose values come again and again may be a dictionary of Arrow; its values are converted once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow.csv import CSVWriter, WriteOptions

from backend.methods.export_rows import NEEDS_GUARD
from backend.methods.exports.full_tables import CANDIDATES, EDIT
from backend.methods.exports.parquet_file import ROWS

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
CHUNK = 2000  # rows of a batch that is made from dictionaries
CONTROL = r"[\x00-\x1f]"  # what JSON writes as numbers, besides its own two signs
SORTED = orjson.OPT_SORT_KEYS
MOMENT = "%Y-%m-%dT%H:%M:%SZ"  # Arrow adds the milliseconds


def in_batches(rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows in batches. A row may lack columns, and may have others."""
    left = iter(rows)
    while part := list(islice(left, CHUNK)):
        yield pa.RecordBatch.from_pylist(part, schema=schema)


def write_jsonl(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """One JSON object on each line, its keys sorted."""
    names = sorted(schema.names)
    with path.open("wb") as file:
        for batch in batches:
            pieces: list[Any] = []
            for name in names:
                pieces += [f'{"," if pieces else "{"}"{name}":', pc.fill_null(_json(batch[name]), "null")]
            file.write(b"".join(_joined(*pieces, "}\n").cast(pa.binary()).to_pylist()))


def _joined(*pieces: Any) -> pa.Array:
    """Texts put together row by row; null where one of them is."""
    return pc.binary_join_element_wise(*pieces, "")


def _json(column: pa.Array) -> pa.Array:
    """The JSON of each value as text; null stays null."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _json(column.dictionary).take(column.indices)
    if pa.types.is_string(kind) and not pc.any(pc.match_substring_regex(column, CONTROL)).as_py():
        escaped = pc.replace_substring(pc.replace_substring(column, "\\", "\\\\"), '"', '\\"')
        return _joined('"', escaped, '"')
    if pa.types.is_timestamp(kind):
        return _joined('"', pc.strftime(column, MOMENT), '"')
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return column.cast(TEXT)
    if pa.types.is_floating(kind):
        return pa.array(orjson.dumps(column.to_pylist())[1:-1].split(b","), TEXT)
    values = (value if value is None else orjson.dumps(value, option=SORTED) for value in column.to_pylist())
    return pa.array(values, TEXT)


def write_csv(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """A table that no spreadsheet takes for formulas. Lists are JSON; true and false are yes and no."""
    as_cells = pa.schema([field if _is_number(field.type) else field.with_type(TEXT) for field in schema])
    with CSVWriter(path, as_cells, write_options=WriteOptions(quoting_style="all_valid")) as file:
        for batch in batches:
            cells = [_cells(batch[name]) for name in schema.names]
            file.write_batch(pa.record_batch(cells, schema=as_cells))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _cells(column: pa.Array) -> pa.Array:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return _cells(column.dictionary).take(column.indices)
    if pa.types.is_string(kind):
        # As backend.methods.export_rows.guard does with one text.
        is_formula = pc.match_substring_regex(column, f"^{NEEDS_GUARD.pattern}")
        return pc.if_else(is_formula, _joined("'", column), column)
    if pa.types.is_boolean(kind):
        return pc.if_else(column, "yes", "no")
    if pa.types.is_timestamp(kind):
        return pc.strftime(column, MOMENT)
    return column if _is_number(kind) else _json(column)


def write_parquet(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> None:
    """Typed columns, in row groups of ROWS rows."""
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        held = schema.empty_table()
        for batch in batches:
            columns = [_plain(batch[name]) for name in schema.names]
            held = pa.concat_tables([held, pa.table(columns, schema=schema)])
            while held.num_rows >= ROWS:
                file.write_table(held.slice(0, ROWS).combine_chunks(), row_group_size=ROWS)
                held = held.slice(ROWS)
        if held.num_rows:
            file.write_table(held.combine_chunks(), row_group_size=ROWS)


def _plain(column: pa.Array) -> pa.Array:
    return column.dictionary.take(column.indices) if pa.types.is_dictionary(column.type) else column


WRITERS: dict[str, Callable[[Path, pa.Schema, Iterable[pa.RecordBatch]], None]] = {
    "jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet,
}  # fmt: skip
