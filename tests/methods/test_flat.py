"""The tables of exports, read back by the standard library, which knows nothing of Arrow."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.export_rows import guard
from backend.methods.exports.flat import in_batches, write_csv, write_jsonl, write_parquet

KINDS: dict[str, Any] = {
    "z": (pa.string(), st.text() | st.text("'=+-@＝＋－＠\t\r\n\"\\\\x", max_size=4)),
    "a": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "real": (pa.float64(), st.floats(allow_nan=False, allow_infinity=False)),
    "is_so": (pa.bool_(), st.booleans()),
    "texts": (pa.list_(pa.string()), st.lists(st.text(max_size=3), max_size=3)),
    "when": (pa.timestamp("ms", tz="UTC"), st.datetimes(min_value=datetime(1970, 1, 1), timezones=st.just(UTC))),
}  # fmt: skip
SCHEMA = pa.schema([(name, kind) for name, (kind, _) in KINDS.items()])
ROW = st.fixed_dictionaries({name: st.none() | values for name, (_, values) in KINDS.items()})


def moment(value: datetime | None) -> str | None:
    return value and value.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@given(rows=st.lists(ROW, max_size=5))
def test_every_row_comes_back_from_each_format(tmp_path_factory: Any, rows: list[dict[str, Any]]) -> None:
    for row in rows:  # a table keeps milliseconds
        row["when"] = row["when"] and row["when"].replace(microsecond=row["when"].microsecond // 1000 * 1000)
    folder: Path = tmp_path_factory.mktemp("flat")
    write_jsonl(folder / "rows.jsonl", SCHEMA, in_batches(rows, SCHEMA))
    told = (folder / "rows.jsonl").read_bytes().split(b"\n")[:-1]
    assert [json.loads(line) for line in told] == [{**row, "when": moment(row["when"])} for row in rows]
    assert all(list(json.loads(line)) == sorted(KINDS) for line in told)

    write_csv(folder / "rows.csv", SCHEMA, in_batches(rows, SCHEMA))
    with (folder / "rows.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [cell["z"] for cell in cells] == [guard(row["z"] or "") for row in rows]
    assert [cell["a"] for cell in cells] == ["" if row["a"] is None else str(row["a"]) for row in rows]
    assert [cell["real"] and float(cell["real"]) for cell in cells] == [
        "" if row["real"] is None else row["real"] for row in rows
    ]
    assert [cell["is_so"] for cell in cells] == [{True: "yes", False: "no", None: ""}[row["is_so"]] for row in rows]
    assert [json.loads(cell["texts"] or "null") for cell in cells] == [row["texts"] for row in rows]
    assert [cell["when"] for cell in cells] == [moment(row["when"]) or "" for row in rows]

    write_parquet(folder / "rows.parquet", SCHEMA, in_batches(rows, SCHEMA))
    table = pq.read_table(folder / "rows.parquet")
    assert (table.schema, table.to_pylist()) == (SCHEMA, rows)


def test_row_groups_are_of_one_size(tmp_path: Path) -> None:
    schema = pa.schema([("n", pa.int64())])
    batches = (pa.record_batch({"n": range(size)}) for size in (1, 9_998, 20_002, 3))
    write_parquet(tmp_path / "rows.parquet", schema, batches)
    file = pq.ParquetFile(tmp_path / "rows.parquet")
    assert [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)] == [10_000, 10_000, 10_000, 4]
