"""Tables of a project as it is now: their columns, and JSON lines, CSV and Parquet written as the rows are read.

The rows come in parts of at most CHUNK rows, each part by columns: a type is looked at once, not for each cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow.csv import CSVWriter, WriteOptions

from backend.methods.export_rows import STARTS, guard
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
WORDS = {True: "yes", False: "no"}
CHUNK = 2000  # rows of a part
NULL = b"null"
Columns = Mapping[str, Sequence[Any]]


def count(columns: Columns) -> int:
    """How many rows a part has."""
    return len(next(iter(columns.values())))


def in_columns(rows: Iterable[Mapping[str, Any]]) -> Iterator[Columns]:
    """The rows in parts, each by columns."""
    left = iter(rows)
    while part := list(islice(left, CHUNK)):
        yield {name: [row[name] for row in part] for name in part[0]}


def write_jsonl(path: Path, schema: pa.Schema, tables: Iterable[Columns]) -> None:
    """One JSON object on each line, its keys sorted."""
    fields = sorted(schema, key=lambda field: field.name)
    # Each column becomes JSON at once, and a line is put together from its texts: a dictionary for each line takes
    # longer by two thirds.
    line = b"{%b}\n" % b",".join(b'"%b":%%b' % field.name.encode() for field in fields)
    with path.open("wb") as file:
        for columns in tables:
            texts = [_json_texts(field.type, columns[field.name]) for field in fields]
            file.write(b"".join(map(line.__mod__, zip(*texts, strict=True))))


def _json_texts(kind: pa.DataType, values: Sequence[Any]) -> Sequence[bytes]:
    """The JSON of each value of a column. A value that comes again is encoded once."""
    if pa.types.is_list(kind):
        return _list_texts(values)
    if pa.types.is_timestamp(kind):
        return _texts(_moments(values))
    if pa.types.is_string(kind):
        return _texts(values)
    return orjson.dumps(list(values))[1:-1].split(b",")


def _texts(values: Sequence[str | None]) -> list[bytes]:
    texts = {value: orjson.dumps(value) for value in dict.fromkeys(values)}
    return [texts[value] for value in values]


def write_csv(path: Path, schema: pa.Schema, tables: Iterable[Columns]) -> None:
    """A table that no spreadsheet takes for formulas. Lists are JSON; true and false are yes and no."""
    as_cells = pa.schema([field if _is_number(field.type) else field.with_type(TEXT) for field in schema])
    with CSVWriter(path, as_cells, write_options=WriteOptions(quoting_style="all_valid")) as file:
        for columns in tables:
            cells = [_cells(field.type, columns[field.name]) for field in schema]
            arrays = [pa.array(values, field.type) for values, field in zip(cells, as_cells, strict=True)]
            file.write_batch(pa.record_batch(arrays, schema=as_cells))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _cells(kind: pa.DataType, values: Sequence[Any]) -> Sequence[Any]:
    if pa.types.is_string(kind):
        return [value if value is None or value[:1] not in STARTS else guard(value) for value in values]
    if pa.types.is_boolean(kind):
        return [WORDS.get(value) for value in values]
    if pa.types.is_list(kind):
        return [None if text == NULL else text.decode() for text in _list_texts(values)]
    if pa.types.is_timestamp(kind):
        return _moments(values)
    return values


def _moments(values: Sequence[datetime | None]) -> list[str | None]:
    return [_moment(value) if value else None for value in values]


@lru_cache(maxsize=10_000)
def _moment(value: datetime) -> str:
    """The answers of one assignment have the same."""
    return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _list_texts(values: Sequence[Any]) -> list[bytes]:
    """JSON of each list. The reader gives equal lists as one object, and each object is encoded once."""
    lists = {id(value): value for value in values}
    texts = {key: orjson.dumps(value, option=orjson.OPT_SORT_KEYS) for key, value in lists.items()}
    return [texts[id(value)] for value in values]


def write_parquet(path: Path, schema: pa.Schema, tables: Iterable[Columns]) -> None:
    """Typed columns, in row groups of ROWS rows."""
    batches = (pa.record_batch([pa.array(columns[field.name], field.type) for field in schema], schema=schema)
               for columns in tables)  # fmt: skip
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        while group := list(islice(batches, ROWS // CHUNK)):
            file.write_table(pa.Table.from_batches(group).combine_chunks(), row_group_size=ROWS)


WRITERS: dict[str, Callable[[Path, pa.Schema, Iterable[Columns]], None]] = {
    "jsonl": write_jsonl, "csv": write_csv, "parquet": write_parquet,
}  # fmt: skip
