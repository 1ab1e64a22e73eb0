"""Every reader on drawn and damaged files: none stops with an error, no row is lost unseen, and time grows evenly."""

from __future__ import annotations

import csv
import gc
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from time import process_time
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from backend.catalogue.sources import CaptionRow, ImageRow, Refused, SourceUnreadable, open_source
from backend.catalogue.sources.queries import read_queries
from backend.methods.foreign.reading import Rows, read_judgments
from backend.methods.foreign.told import NotJudgmentsError
from backend.methods.tables import Fault, Row, Wanted, read_rows
from drawn import draw, write_tar
from nightly import examples

pytestmark = pytest.mark.nightly
MANY = settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
KNOWN = Wanted(known=("image", "caption"), telling=("image", "caption"))
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\"'\u2028\x85"), max_size=40)
Records = list[dict[str, str]]
records = st.lists(TEXTS, min_size=1, max_size=8).map(
    lambda texts: [{"image": f"{n}.jpg", "caption": f"c{text}"} for n, text in enumerate(texts)]
)


def as_csv(rows: Records, delimiter: str = ",") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, tuple(rows[0]), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_lines(rows: Records) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def as_array(rows: Records) -> bytes:
    return json.dumps(rows, ensure_ascii=False, indent=1).encode()


def as_nested(rows: Records) -> bytes:
    return json.dumps({"status": "ok", "data": {"n": len(rows), "items": rows}}).encode()


def as_columns(rows: Records) -> bytes:
    parquet.write_table(pa.Table.from_pylist(rows), written := io.BytesIO())
    return written.getvalue()


def as_sheet(rows: Records) -> bytes:
    book = openpyxl.Workbook()
    for row in (tuple(rows[0]), *(tuple(row.values()) for row in rows)):
        book.active.append(row)
    book.save(saved := io.BytesIO())
    return saved.getvalue()


def as_zip(rows: Records) -> bytes:
    with zipfile.ZipFile(packed := io.BytesIO(), "w") as archive:
        archive.writestr("rows.csv", as_csv(rows))
    return packed.getvalue()


WAYS: dict[str, Callable[[Records], bytes]] = {
    "rows.csv": as_csv, "rows.jsonl": as_lines, "rows.json": as_array, "nested.json": as_nested,
    "rows.parquet": as_columns,
    "rows.csv.gz": lambda rows: gzip.compress(as_csv(rows, ";")), "zipped.csv": as_zip,
}  # fmt: skip
ALL_WAYS = {**WAYS, "rows.xlsx": as_sheet}
harms = st.tuples(st.integers(0, 2000), st.sampled_from(["cut", "drop", "flip", "put"]), st.binary(max_size=4))
damage = st.lists(harms, min_size=1, max_size=4)


def damaged(raw: bytes, harm: Iterable[tuple[int, str, bytes]]) -> bytes:
    for place, kind, part in harm:
        at = place % (len(raw) + 1)
        if kind == "cut":
            raw = raw[:at]
        elif kind == "drop":
            raw = raw[:at] + raw[at + 1 :]
        elif kind == "flip" and at < len(raw):
            raw = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        else:
            raw = raw[:at] + part + raw[at:]
    return raw


@MANY
@given(records, st.sampled_from(sorted(WAYS)))
def test_what_is_written_is_what_is_read(rows: Records, name: str) -> None:
    found = list(read_rows(io.BytesIO(WAYS[name](rows)), name, KNOWN))
    assert [row.values for row in found if isinstance(row, Row)] == rows
    assert len(found) == len(rows)


@MANY
@given(records, st.sampled_from(sorted(ALL_WAYS)), damage)
def test_a_damaged_table_gives_rows_and_faults_with_a_sentence(rows: Records, name: str, harm: Any) -> None:
    found = list(read_rows(io.BytesIO(damaged(ALL_WAYS[name](rows), harm)), name, KNOWN))
    assert found and all(isinstance(row, Row) or row.message.endswith(".") for row in found)
    lines = [row.line for row in found if row.line is not None]
    assert lines == sorted(lines)


@MANY
@given(records, st.integers(0, 7), st.sampled_from(["\u00fc".encode("cp1252"), b'"open', b"a,b,c,d"]))
def test_one_bad_row_of_a_csv_costs_no_other(rows: Records, place: int, bad: bytes) -> None:
    plain = [{"image": row["image"], "caption": " ".join(row["caption"].replace('"', "").split())} for row in rows]
    lines = as_csv(plain).splitlines()
    lines.insert(1 + place % len(lines), b"x.jpg," + bad)
    found = list(read_rows(io.BytesIO(b"\n".join(lines)), "rows.csv", KNOWN))
    if sum(isinstance(row, Fault) for row in found) == 1:
        assert [row.values for row in found if isinstance(row, Row)] == plain
    assert len(found) == len(rows) + 1


@MANY
@given(records, st.sampled_from(sorted(ALL_WAYS)), damage)
def test_no_source_stops_with_an_error(tmp_path: Path, rows: Records, name: str, harm: Any) -> None:
    (tmp_path / name).write_bytes(damaged(ALL_WAYS[name](rows), harm))
    try:
        source = open_source(tmp_path / name)
        found: list[object] = [*source.captions(), *source.images()]
    except SourceUnreadable as error:
        assert error.message
    else:
        assert found and all(isinstance(row, ImageRow | CaptionRow | Refused) for row in found)
    try:
        list(read_queries(tmp_path / name))
    except SourceUnreadable as error:
        assert error.message


@MANY
@given(st.lists(st.sampled_from(["png", "txt", "json"]), min_size=1, max_size=6), damage)
def test_no_damaged_tar_stops_with_an_error(tmp_path: Path, kinds: list[str], harm: Any) -> None:
    content = {"png": draw(1), "txt": b"a bird\n", "json": b'{"caption": "a cat"}'}
    path = write_tar(tmp_path / "x.tar", {f"{n // 2}.{n}.{kind}": content[kind] for n, kind in enumerate(kinds)})
    path.write_bytes(damaged(path.read_bytes(), [(place * 37, kind, part) for place, kind, part in harm]))
    try:
        source = open_source(path)
        list(source.captions())
        list(source.images())
    except SourceUnreadable as error:
        assert error.message


@MANY
@given(st.lists(st.sampled_from(["good", "bad", "unsure"]), min_size=2, max_size=9), st.sampled_from(sorted(ALL_WAYS)),
       damage)  # fmt: skip
def test_no_file_of_judgments_stops_with_an_error(labels: list[str], name: str, harm: Any) -> None:
    rows = [{"task": f"t{n // 2}", "worker": f"w{n % 2}", "label": label} for n, label in enumerate(labels)]
    raw = ALL_WAYS[name](rows)
    whole = read_judgments(raw)
    assert isinstance(whole, Rows) and (len(whole.rows), len(whole.left_out)) == (len(rows), 0)
    try:
        read = read_judgments(damaged(raw, harm))
    except NotJudgmentsError as problem:
        assert str(problem)
    else:
        assert not isinstance(read, Rows) or len(read.rows) + len(read.left_out) > 0


SHAPES: dict[str, Callable[[int], bytes]] = {
    "quoted rows": lambda n: b"image,caption\n" + b"".join(b'%d.jpg,"a, ""b"""\n' % at for at in range(n)),
    "open quotes": lambda n: b"image,caption\n" + b'1.jpg,"a\n' * n,
    "open quotes with pairs": lambda n: b"image,caption\n" + b'1.jpg,"a""b\n' * n,
    "one open quote": lambda n: b'image,caption\n1.jpg,"a\n' + b"more\n" * n,
    "lines": lambda n: b'{"image": "1.jpg"}\n' * n,
    "commas too many": lambda n: b"[" + b'{"image": "1.jpg",},' * n + b"]",
    "values that are broken": lambda n: b"[" + b'{"image": 1.jpg},' * n + b"]",
    "one long text": lambda n: b'[{"image": "' + 20 * b"x" * n + b'"}]',
    "backslashes": lambda n: b'[{"image": "' + 20 * b"\\" * n + b'"}]',
    "brackets": lambda n: b"[" * 10 * n,
    "nested": lambda n: b'{"a": {"b": [' + b'{"image": "1.jpg"},' * n + b"]}}",
    "many lists": lambda n: b"{" + b'"a": [{"image": "1.jpg"}],' * n + b"}",
    "names": lambda n: json.dumps({f"{at}.jpg": ["a"] for at in range(n)}).encode(),
    "empty lines": lambda n: b"image\n" + b"\n" * 10 * n,
    "columns": lambda n: b",".join(b"c%d" % at for at in range(n)) + b"\n" + b"1," * n + b"\n",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_as_much_takes_about_four_times_as_long(shape: str) -> None:
    def seconds(n: int) -> float:
        file = io.BytesIO(SHAPES[shape](n))
        gc.collect()
        begun = process_time()
        for _ in read_rows(file, "rows", KNOWN):
            pass
        return process_time() - begun

    few, many = min(seconds(20_000) for _ in range(3)), min(seconds(80_000) for _ in range(2))
    assert many < 12 * few + 0.2  # a step for each pair of rows would be 16 times as long
