"""Tables as people have them: the same rows out of every encoding, packing and layout, and a place for every fault."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import json
import lzma
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from backend.methods.tables import (
    Fault,
    Row,
    Several,
    Wanted,
    as_text,
    many_in,
    open_table,
    outline,
    read_list,
    read_members,
    read_rows,
    values_of,
)

KNOWN = Wanted(known=("image", "caption", "file_name"))
ROWS = (("1.jpg", "Zoë, a dog"), ("2.jpg", "Two\u2028of\x0bone\x85text"))
RECORDS = [dict(zip(("image", "caption"), row, strict=True)) for row in ROWS]
BY_COLUMN = {name: [record[name] for record in RECORDS] for name in RECORDS[0]}
BARS = "image|caption\n" + "".join(f"{image}|{caption}\n" for image, caption in ROWS)
QUOTED = "image,caption\n" + "".join(f'{image},"{caption}"\n' for image, caption in ROWS)


def read(raw: bytes, wanted: Wanted = KNOWN) -> list[Row | Fault]:
    return list(read_rows(io.BytesIO(raw), "rows", wanted))


def taken(found: list[Row | Fault]) -> list[tuple[Any, ...]]:
    return [tuple(row.values.values()) for row in found if isinstance(row, Row)]


def faults(found: list[Row | Fault]) -> list[tuple[int | None, str]]:
    return [(row.line, row.code) for row in found if isinstance(row, Fault)]


def sheet(*rows: tuple[object, ...], other: bool = False) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if other:
        book.create_sheet("More").append(["image"])
    book.save(saved := io.BytesIO())
    return saved.getvalue()


def columns_file(table: pa.Table) -> bytes:
    parquet.write_table(table, written := io.BytesIO())
    return written.getvalue()


def zipped(**members: bytes) -> bytes:
    with zipfile.ZipFile(packed := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return packed.getvalue()


@pytest.mark.parametrize(
    "raw",
    [
        BARS.encode(), BARS.encode("utf-8-sig"), BARS.encode("utf-16"), codecs.BOM_UTF16_BE + BARS.encode("utf-16-be"),
        BARS.encode("utf-16-le"), BARS.encode("utf-32"), BARS.replace("\n", "\r\n").encode(),
        BARS.replace("\n", "\r").encode(), BARS.replace("\n", "\n\n").encode(), BARS.replace("|", "\t").encode(),
        BARS.replace("|", ";").encode(), QUOTED.encode(), QUOTED.replace(",\"", ", \"").encode(),
        b"sep=|\r\n" + BARS.encode(), BARS.replace("image|caption", " Image |CAPTION ").encode(),
        gzip.compress(BARS.encode()), bz2.compress(BARS.encode()), lzma.compress(BARS.encode()),
        zipped(rows__csv=BARS.encode(), a__jpg=b"\xff\xd8"), zipped(rows__csv__gz=gzip.compress(BARS.encode())),
        json.dumps(RECORDS).encode(), json.dumps(RECORDS, indent=1).encode(), json.dumps(RECORDS).encode("utf-16"),
        "\n".join(json.dumps(record, ensure_ascii=False) for record in RECORDS).encode(),
        "".join(json.dumps(record, indent=1) for record in RECORDS).encode(),
        "".join(map(json.dumps, RECORDS)).encode(),
        json.dumps({"version": 1, "rows": RECORDS}).encode(), json.dumps(BY_COLUMN).encode(),
        json.dumps({name: dict(enumerate(column)) for name, column in BY_COLUMN.items()}).encode(),
        sheet(("image", "caption"), *((image, caption.replace("\x0b", "_x000B_")) for image, caption in ROWS)),
        columns_file(pa.table(BY_COLUMN)),
        columns_file(pa.table({name: pa.array(column).dictionary_encode() for name, column in BY_COLUMN.items()})),
    ],
)  # fmt: skip
def test_the_same_rows_come_out_of_every_way_to_write_them(raw: bytes) -> None:
    found = read(raw)
    assert (taken(found), faults(found)) == (list(ROWS), [])


def test_a_quote_that_never_closes_is_named_and_takes_no_other_row_with_it() -> None:
    found = read(b'image,caption\n1.jpg,"Sunset\n2.jpg,A dog\n3.jpg,"Two, three"\n4.jpg,"Tall" trees\n5.jpg,"a\nb"\n')
    assert taken(found) == [("2.jpg", "A dog"), ("3.jpg", "Two, three"), ("4.jpg", '"Tall" trees'), ("5.jpg", "a\nb")]
    assert [(row.line, row.message) for row in found if isinstance(row, Fault)] == [
        (2, "A quote opens on this line and never closes. Close it, or write it twice.")
    ]


@pytest.mark.parametrize("closing", ['2.jpg,A dog"\n', '2.jpg,A dog\n3.jpg,A cat"\n', '"2.jpg","A dog"\n', ""])
def test_a_quote_closed_by_another_row_is_an_open_quote_all_the_same(closing: str) -> None:
    found = read(f'image,caption\n1.jpg,"Sunset\n{closing}9.jpg,last\n'.encode())
    assert faults(found) == [(2, "open_quote")]
    assert len(taken(found)) == closing.count("\n") + 1 and taken(found)[-1] == ("9.jpg", "last")


def test_a_cell_of_several_lines_stays_one_text() -> None:
    text = 'image,caption\n1.jpg,"one, two,\nthree, ""four""\n\nfive"\n2.jpg,six\n'
    assert taken(read(text.encode())) == [("1.jpg", 'one, two,\nthree, "four"\n\nfive'), ("2.jpg", "six")]
    assert [row.line for row in read(text.encode())] == [2, 6]


def test_quotes_mean_nothing_in_a_tsv() -> None:
    found = read(b'image\tcaption\n1.jpg\t"Sunset\n2.jpg\t"Tall" trees\n')
    assert (taken(found), faults(found)) == ([("1.jpg", '"Sunset'), ("2.jpg", '"Tall" trees')], [])


def test_bytes_that_are_not_utf8_cost_only_their_row() -> None:
    found = read("image,caption\n1.jpg,Über\n2.jpg,fine\n".encode("cp1252"))
    assert (taken(found), faults(found)) == ([("2.jpg", "fine")], [(2, "not_utf8")])
    found = read('[{"caption": "Über"}, {"caption": "fine"}]'.encode("cp1252"))
    assert (taken(found), faults(found)) == ([("fine",)], [(1, "not_utf8")])
    found = read(BARS.encode("utf-16") + b"\x00")
    assert faults(found) == [(4, "not_utf8")]


def test_columns_without_a_header_have_the_names_of_the_caller() -> None:
    wanted = Wanted(known=KNOWN.known, columns=("image", "caption"))
    assert taken(read(b"1.jpg#0\tA dog\n2.jpg#1\tA cat, a mat\n", wanted)) == [
        ("1.jpg#0", "A dog"), ("2.jpg#1", "A cat, a mat"),
    ]  # fmt: skip
    assert taken(read(b"Image,Caption\n1.jpg,A dog\n", wanted)) == [("1.jpg", "A dog")]
    assert taken(read(sheet(("1.jpg", "A dog")), wanted)) == [("1.jpg", "A dog")]


def test_columns_may_stand_apart_by_blanks() -> None:
    assert taken(read(b'image  caption\n1.jpg A red dog\n2.jpg  "A cat"\n')) == [
        ("1.jpg", "A red dog"), ("2.jpg", "A cat"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        ({"caption": "one"}, ["one"]),
        ({"caption_1": "one", "caption_10": "three", "caption_2": "two"}, ["one", "two", "three"]),
        ({"Caption 1": "one", "caption.2": "two", "caption3": "three", "caption[4]": "four"},
         ["one", "two", "three", "four"]),
        ({"caption": Several(["one", "two"])}, ["one", "two"]),
        ({"captions": ["one", {"text": "two"}]}, ["one", {"text": "two"}]),
        ({"captions": '["one", "it\'s \\u00fc"]'}, ["one", "it's ü"]),
        ({"captions": "['one', \"it's\", 'a \\'b\\' \\n c']"}, ["one", "it's", "a 'b' \n c"]),
        ({"captions": "['one' 'two'\n 'three']"}, ["one", "two", "three"]),
        ({"caption": "[a dog] and (a cat)"}, ["[a dog] and (a cat)"]),
        ({"caption": "[1, 2]"}, ["[1, 2]"]),
        ({"caption": "('a', 'b"}, ["('a', 'b"]),
        ({"captions": "[]", "text": "one"}, ["one"]),
        ({"caption": float("nan"), "text": "one"}, ["one"]),
        ({"caption_id": "7", "captioned": "no"}, []),
    ],
)  # fmt: skip
def test_several_captions_stay_several_and_one_stays_one(record: dict[str, Any], texts: list[object]) -> None:
    raw = json.dumps({"image": "1.jpg"} | record).encode()
    (row,) = read(raw) if not isinstance(record.get("caption"), Several) else [Row(1, record)]
    assert isinstance(row, Row) and values_of(row.values, ("caption", "captions", "text")) == texts


def test_columns_of_one_name_lose_nothing() -> None:
    (row,) = read(b"image,caption,Caption,caption\n1.jpg,one,,two\n")
    assert isinstance(row, Row) and row.values == {"image": "1.jpg", "caption": ["one", "two"]}
    (row,) = read(b'{"caption": "one", "caption": "two", "CAPTION": "three"}')
    assert isinstance(row, Row) and many_in(row.values["caption"]) == ["one", "two", "three"]


def test_json_may_have_commas_too_many_and_what_python_writes_for_no_number() -> None:
    found = read(b'[{"caption": NaN, "rank": [1, 2,],}, {"caption": ",]", "similarity": -Infinity}, ]')
    assert [row.values for row in found if isinstance(row, Row)] == [
        {"caption": None, "rank": [1, 2]}, {"caption": ",]", "similarity": float("-inf")},
    ]  # fmt: skip


def test_a_json_value_that_cannot_be_read_costs_only_itself() -> None:
    found = read(b'[{"caption": "a"}, {"caption": "he said "hi" to"}, 7, {"caption": "b"}]')
    assert (taken(found), faults(found)) == ([("a",), ("b",)], [(2, "not_json"), (3, "not_json_object")])
    found = read(b'{"caption": "a"}\n{oops\n[1]\n\n"text"\n' + b"[" * 100_000 + b'\n{"caption": "b"}\n{"caption": "c')
    codes = ["not_json", "not_json_object", "not_json_object", "json_too_deep", "not_json"]
    assert taken(found) == [("a",), ("b",)]
    assert faults(found) == list(zip((2, 3, 5, 6, 8), codes, strict=True))


def test_json_that_ends_early_keeps_what_came_before_and_says_where() -> None:
    whole = json.dumps([{"caption": "a"}, {"caption": "b"}, {"caption": "c"}]).encode()
    found = read(whole[:-8])
    assert (taken(found), faults(found)) == ([("a",), ("b",)], [(3, "json_ends")])
    assert faults(read(whole + b"}")) == [(None, "json_goes_on")]


def test_an_object_of_other_shapes_is_told_by_what_it_holds() -> None:
    pair = Wanted(known=KNOWN.known, pair=("image", "caption"))
    assert taken(read(b'{"1.jpg": ["a", "b"], "2.jpg": "c"}', pair)) == [("1.jpg", ["a", "b"]), ("2.jpg", "c")]
    assert taken(read(b'{"1.jpg": {"caption": "a"}, "2.jpg": {"caption": "b"}}', pair)) == [
        ("1.jpg", "a"), ("2.jpg", "b"),
    ]  # fmt: skip
    assert taken(read(b'{"image": "1.jpg", "caption": ["a", "b"]}')) == [("1.jpg", ["a", "b"])]
    assert faults(read(b'{"images": [{"id": 1}], "annotations": [{"id": 2}]}')) == [(None, "several_lists")]


def test_one_list_of_an_object_is_read_wherever_it_stands() -> None:
    coco = {"info": {"images": "no"}, "annotations": [{"id": 9, "caption": "a"}], "images": [{"id": 1}, {"id": 2}]}
    raw = json.dumps(coco).encode()
    assert taken(list(read_list(io.BytesIO(raw), "coco", "images"))) == [(1,), (2,)]
    assert taken(list(read_list(io.BytesIO(raw), "coco", "annotations"))) == [(9, "a")]
    assert list(read_list(io.BytesIO(raw), "coco", "licenses")) == []
    assert faults(list(read_list(io.BytesIO(raw[:-5]), "coco", "images"))) == [(2, "json_ends")]
    assert outline(io.BytesIO(raw), "coco").members == {"info": "{", "annotations": "[{", "images": "[{"}
    found = list(read_members(io.BytesIO(b'{"a": {"x": 1}, "b": [2,], "c": oops}'), "votes"))
    assert found[:2] == [(1, "a", {"x": 1}), (2, "b", [2])] and faults(found[2:]) == [(3, "not_json")]  # type: ignore[arg-type]


def test_parquet_keeps_images_lists_and_structs() -> None:
    table = pa.table({"image": [{"bytes": b"\x89PNG", "path": "1.png"}], "captions": [["a", "b"]], "n": [7.0]})
    (row,) = read(columns_file(table))
    assert isinstance(row, Row)
    assert row.values == {"image": {"bytes": b"\x89PNG", "path": "1.png"}, "captions": ["a", "b"], "n": 7.0}
    assert (as_text(row.values["n"]), as_text(b"caf\xc3\xa9"), as_text(b"\x89PNG")) == ("7", "café", "")


def test_a_sheet_has_cells_as_a_csv_would_and_says_which_sheets_were_not_read() -> None:
    import datetime as dt

    raw = sheet(
        ("Image", None, "caption", "n"), (), ("1.jpg", "x", 12, dt.date(2026, 1, 2)), (1, 2, 3, 4, 5), other=True
    )
    found = read(raw)
    assert taken(found) == [("1.jpg", "12", "2026-01-02T00:00:00")]
    assert faults(found) == [(4, "row_has_more_cells"), (None, "other_sheet")]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "table_empty"), (b" \n\r\n", "table_empty"), ("\ufeff".encode(), "table_empty"),
        (b"image,caption\n", "no_rows"), (b"sep=;\n", "no_rows"), (b"[]", "no_records"), (b"{}", "no_records"),
        (sheet(("image", "caption")), "no_rows"), (sheet(), "table_empty"),
        (columns_file(pa.table({"image": pa.array([], pa.string())})), "no_records"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(range(256)) * 9, "no_table"), (bytes(range(1, 256)) * 9, "no_table"),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "old_spreadsheet"), (b"PAR1 torn", "file_damaged"),
        (sheet(("image",))[:900], "file_damaged"), (b"\x1f\x8b torn", "file_damaged"),
        (zipped(mimetype=b"application/vnd.oasis", content__xml=b"<x/>"), "old_spreadsheet"),
        (zipped(a__jpg=b"x"), "no_table_inside"), (zipped(a__csv=b"x", b__csv=b"x"), "several_tables"),
        (b",".join(b"c%d" % n for n in range(100_000)) + b"\n", "too_many_columns"),
        (gzip.compress(bytes(1024)), "no_table"),
        (gzip.compress(b"image\n" + b"1" * (70 * 1024 * 1024)), "unpacks_too_large"),
        (zipped(a__csv=bytes(70_000_000)), "unpacks_too_large"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_told_once(raw: bytes, code: str) -> None:
    found = [fault for fault in read_rows(io.BytesIO(raw), "rows.csv", KNOWN) if isinstance(fault, Fault)]
    assert [(fault.name, fault.code) for fault in found] == [("rows.csv", code)]
    assert found[0].message.endswith(".") and "{" not in found[0].message


def test_a_table_says_once_which_columns_it_lacks() -> None:
    table = open_table(io.BytesIO(b"picture;who\n1;2\n3;4\n"), "rows.csv", KNOWN)
    fault = table.lacking("captions", ("caption", "text"))
    assert fault is not None and fault.message == (
        "The file has no column for captions. Use one of these names: caption, text. Its columns: picture, who."
    )
    assert table.lacking("people", ("WHO",)) is None


@pytest.mark.nightly
def test_damage_in_the_middle_keeps_what_came_before() -> None:
    whole = gzip.compress(b"image\n" + b"".join(b"%d.jpg\n" % (n * n) for n in range(90_000)))
    found = read(whole[: len(whole) // 2])
    assert len(taken(found)) > 20_000 and [code for _, code in faults(found)] == ["file_damaged"]


LONG = 4_300_000


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"image,caption\n1.jpg," + LONG * b"x" + b"\n2.jpg,y\n", "line_too_long"),
        (b"image,caption\n1.jpg," + LONG // 4 * b"x" + b"\n2.jpg,y\n", "cell_too_long"),
        (b'image,caption\n1.jpg,"' + 20_000 * b"\n" + b"\n2.jpg,y\n", "open_quote"),
        (b'{"caption": "' + LONG * b"x" + b'"}\n{"caption": "y"}\n', "line_too_long"),
        (b'[{"caption": "' + LONG * b"x" + b'"}, {"caption": "y"}]', "line_too_long"),
        (b'[{"caption": "' + LONG // 4 * b"x" + b'"}, {"caption": "y"}]', "cell_too_long"),
        (b"[" + 20_000 * b"[" + 20_000 * b"]" + b', {"caption": "y"}]', "json_too_deep"),
    ],
)
def test_what_is_too_long_is_left_out_without_being_held(raw: bytes, code: str) -> None:
    tracemalloc.start()
    found = read(raw)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [each for _, each in faults(found)] == [code] and taken(found)[-1][-1] == "y"
    assert peak < 16_000_000


@pytest.mark.nightly
@pytest.mark.parametrize(
    "write",
    [
        lambda n: b"image,caption\n" + b"".join(b'%d.jpg,"number %d"\n' % (at, at) for at in range(n)),
        lambda n: b"".join(b'{"image": "%d.jpg"}\n' % at for at in range(n)),
        lambda n: json.dumps([{"image": f"{at}.jpg"} for at in range(n)]).encode(),
        lambda n: gzip.compress(b"image\n" + b"".join(b"%d.jpg\n" % at for at in range(n))),
        lambda n: columns_file(pa.table({"image": [f"{at}.jpg" for at in range(n)]})),
    ],
)
def test_memory_stays_flat_however_many_rows_there_are(write: Callable[[int], bytes]) -> None:
    def peak(n: int) -> int:
        file = io.BytesIO(write(n))
        tracemalloc.start()
        assert sum(isinstance(row, Row) for row in read_rows(file, "rows", KNOWN)) == n
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(80_000) < 1.5 * peak(20_000) + 500_000


def test_a_file_on_disk_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    assert faults(list(read_rows(tmp_path / "gone.csv", "gone.csv"))) == [(None, "file_damaged")]


def test_formulas_without_a_value_are_counted() -> None:
    found = read(sheet(("image", "caption"), ("1.jpg", "A dog"), ("2.jpg", '="A "&"cat"'), ("3.jpg", "=A1")))
    assert taken(found)[0] == ("1.jpg", "A dog")
    assert [row.message for row in found if isinstance(row, Fault) and row.is_ignored] == [
        "2 cells have a formula but no value. Open the file in Excel and save it."
    ]
    raw = sheet(("image", "caption"), ("1.jpg", '=""'), ("2.jpg", '="A cat"'))
    book = zipfile.ZipFile(io.BytesIO(raw))
    members = {info.filename: book.read(info) for info in book.infolist()}
    xml = members["xl/worksheets/sheet1.xml"]
    for cell, value in ((b"B2", b""), (b"B3", b"A cat")):
        start = xml.index(b'r="' + cell)
        xml = xml[:start] + re.sub(
            rb'^(r="B[23]")(.*?)<v ?/?>(?:</v>)?', rb'\1 t="str"\2<v>' + value + b"</v>", xml[start:]
        )
    found = read(
        zipped(
            **{
                name.replace(".", "__"): content
                for name, content in {**members, "xl/worksheets/sheet1.xml": xml}.items()
            }
        )
    )
    assert (taken(found), faults(found)) == ([("1.jpg",), ("2.jpg", "A cat")], [])


def test_members_of_an_object_within_an_object_are_read_one_at_a_time() -> None:
    raw = b'{"a": {"x": 0}, "in": {"1": {"b": [1]}, "2": 3}, "z": [1]}'
    assert list(read_members(io.BytesIO(raw), "", within="in")) == [(1, "1", {"b": [1]}), (2, "2", 3)]
    found = list(read_members(io.BytesIO(raw[:40]), "", within="in"))
    assert found[0] == (1, "1", {"b": [1]}) and [each.code for each in found[1:] if isinstance(each, Fault)] == [
        "json_ends"
    ]
