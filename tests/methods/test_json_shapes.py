"""JSON of any shape: the rows are found wherever they lie, and nothing that could be rows is passed by in silence."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from backend.methods.tables import Fault, Row, Wanted, read_rows

RECORDS = [{"image": "1.jpg", "caption": "A dog"}, {"image": "2.jpg", "caption": "A cat"}]
NAMES, CELLS = ["image", "caption"], [["1.jpg", "A dog"], ["2.jpg", "A cat"]]
TELLING = ("image", "caption", "file_name")
WANTED = Wanted(known=(*TELLING, "id", "license", "url", "description"), telling=TELLING, pair=("image", "caption"))
LICENCES = [{"id": 1, "url": "https://site.org", "name": "CC0"}]


def read(text: str) -> list[Row | Fault]:
    return list(read_rows(io.BytesIO(text.encode()), "rows.json", WANTED))


@pytest.mark.parametrize(
    "value",
    [
        {"data": {"items": RECORDS}},
        {"status": "ok", "result": {"total": 2, "page": {"n": 1}, "records": RECORDS}},
        {"id": 7, "license": "CC0", "description": "My set", "rows": RECORDS},
        {"licenses": LICENCES, "rows": RECORDS, "categories": [{"id": 1, "name": "dog"}]},
        {"train": RECORDS[:1], "val": RECORDS[1:]},
        {"splits": {"train": RECORDS[:1], "val": RECORDS[1:]}},
        {"rows": [{"row_idx": n, "row": row, "truncated_cells": []} for n, row in enumerate(RECORDS)]},
        {"took": 3, "hits": {"total": {"value": 2}, "hits": [{"_id": "a", "_source": row} for row in RECORDS]}},
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": row} for row in RECORDS]},
        {"schema": {"fields": [{"name": "image", "type": "string"}]}, "data": RECORDS},
        {"columns": NAMES, "index": [0, 1], "data": CELLS},
        {name: {str(n): row[name] for n, row in enumerate(RECORDS)} for name in NAMES},
        {str(n): row for n, row in enumerate(RECORDS)},
        {row["image"]: row["caption"] for row in RECORDS},
        {row["image"]: {"caption": row["caption"]} for row in RECORDS},
        [{"data": row} for row in RECORDS],
        [NAMES, *CELLS],
    ],
)
def test_the_rows_are_found_in_whatever_holds_them(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=1)):
        found = [row for row in read(text) if isinstance(row, Row)]
        assert [(row.values["image"], row.values["caption"]) for row in found] == [tuple(cells) for cells in CELLS]
        assert [row.line for row in found] in ([1, 2], [2, 3])


def test_a_list_of_names_and_lists_of_cells_may_stand_on_lines() -> None:
    found = read("\n".join(json.dumps(each) for each in (NAMES, *CELLS, ["3.jpg", "A bird", "more"])))
    assert [row.line if isinstance(row, Row) else row.code for row in found] == [2, 3, "row_has_more_cells"]


@pytest.mark.nightly
def test_a_list_of_a_later_place_is_read_however_long_the_first_is() -> None:
    long = [{"image": f"{n}.jpg", "caption": "x" * 500} for n in range(10_000)]
    found = read(json.dumps({"train": long, "val": RECORDS, "licenses": LICENCES}))
    assert len(found) == 10_002 and found[-1] == Row(10_002, RECORDS[1])


def test_a_list_that_ends_too_early_is_told_once_and_one_bad_row_costs_no_other() -> None:
    text = json.dumps({"data": {"items": RECORDS}})
    assert [row.code if isinstance(row, Fault) else row.line for row in read(text[:-20])] == [1, "json_ends"]
    broken = text.replace('{"image": "1.jpg"', '{"image": 1.jpg')
    assert [row.code if isinstance(row, Fault) else row.line for row in read(broken)] == ["not_json", 2]


def test_lists_of_which_none_says_that_it_has_rows_are_named() -> None:
    (fault,) = read(json.dumps({"people": [{"name": "Ann"}], "places": [{"name": "Bonn"}]}))
    assert isinstance(fault, Fault) and fault.code == "several_lists" and "people, places" in fault.message
