"""Captions out of annotation tools, as their exports have them beside boxes, labels and choices."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from backend.catalogue.sources import CaptionRow, ImageRow, Refused, open_source
from drawn import draw

Found = list[CaptionRow | Refused]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for n, name in enumerate(("x.png", "y.png")):
        (tmp_path / name).write_bytes(draw(n + 1))
    return tmp_path


def captions(folder: Path, content: Any, name: str = "export.json") -> Found:
    (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    source = open_source(folder)
    assert sum(isinstance(row, ImageRow) for row in source.images()) >= 1
    return list(source.captions())


def texts(rows: Found) -> list[tuple[str, str, str]]:
    return [(row.image_key, row.text, row.ref) for row in rows if isinstance(row, CaptionRow)]


def told(rows: Found) -> list[tuple[str, bool]]:
    return [(row.code, row.is_ignored) for row in rows if isinstance(row, Refused)]


def test_texts_of_label_studio_are_captions_and_what_else_was_annotated_is_told(folder: Path) -> None:
    written = {"type": "textarea", "from_name": "caption", "value": {"text": ["A dot.", "A red dot."]}}
    box = {"type": "rectanglelabels", "value": {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["dot"]}}
    of_box = {"type": "textarea", "value": {"x": 1, "y": 2, "width": 3, "height": 4, "text": ["42"]}}
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    tasks = [
        {"id": 1, "data": {"image": "/data/upload/1/3f2a1b4c-x.png"}, "annotations": [
            {"id": 7, "was_cancelled": False, "result": [written, box, of_box, choice]},
            {"id": 8, "was_cancelled": True, "result": [written]},
        ]},
        {"id": 2, "data": {"image": "/data/upload/1/77aa88bb-y.png"}, "annotations": []},
    ]  # fmt: skip
    rows = captions(folder, tasks)
    image = "/data/upload/1/3f2a1b4c-x.png"
    assert texts(rows) == [(image, "A dot.", "7#1"), (image, "A red dot.", "7#2")]
    assert told(rows) == [*[("other_annotation", True)] * 3, ("caption_withdrawn", True), ("not_annotated", True)]


def test_what_nobody_submitted_in_label_studio_is_ignored_with_a_reason(folder: Path) -> None:
    said = [{"type": "textarea", "value": {"text": ["A dot."]}}]
    tasks = [
        {"data": {"image": "x.png"}, "annotations": [{"id": 7, "result": said}], "predictions": [{"result": said}] * 2,
         "drafts": [{"result": said}]},
        {"data": {"image": "y.png"}, "annotations": [], "predictions": [{"result": said}, {"result": []}, 4]},
        {"data": {"image": "y.png"}, "predictions": [{"result": said}]},
    ]  # fmt: skip
    rows = captions(folder, tasks)
    assert texts(rows) == [("x.png", "A dot.", "7#1")]
    assert told(rows) == [
        ("model_prediction", True), ("model_prediction", True), ("annotation_draft", True),
        *[("not_annotated", True), ("model_prediction", True)] * 2,
    ]  # fmt: skip


def test_a_project_of_the_third_via_has_texts_about_images(folder: Path) -> None:
    project = {
        "project": {"pname": "Dots", "data_format_version": "3.1.1", "vid_list": ["1", "2", "3"]},
        "config": {"file": {"loc_prefix": {"1": ""}}},
        "attribute": {
            "1": {"aname": "Caption", "anchor_id": "FILE1_Z0_XY0", "type": 1, "options": {}},
            "2": {"aname": "colour", "anchor_id": "FILE1_Z0_XY0", "type": 4, "options": {"r": "red"}},
            "3": {"aname": "note", "anchor_id": "FILE1_Z0_XY0", "type": 1},
        },
        "file": {"7": {"fid": 7, "fname": "x.png", "type": 2, "loc": 1, "src": "x.png"},
                 "8": {"fid": 8, "fname": "y.png", "type": 2, "loc": 2, "src": "https://example.org/y.png"}},
        "metadata": {
            "1_a": {"vid": "1", "flg": 0, "z": [], "xy": [], "av": {"1": "A dot.", "2": "r"}},
            "1_b": {"vid": "1", "flg": 0, "z": [], "xy": [2, 1, 1, 5, 5], "av": {"1": "the middle"}},
            "2_a": {"vid": "2", "flg": 0, "z": [], "xy": [], "av": {"3": "blurred"}},
            "3_a": {"vid": "3", "flg": 0, "z": [], "xy": [], "av": {"1": "Both are dots."}},
            "4_a": 3,
        },
        "view": {"1": {"fid_list": [7]}, "2": {"fid_list": ["8"]}, "3": {"fid_list": [7, 8]}, "4": {"fid_list": [8]}},
    }  # fmt: skip
    rows = captions(folder, project)
    assert texts(rows) == [("x.png", "A dot.", "")]
    assert sorted(told(rows)) == [
        ("no_caption_attribute", False), ("not_annotated", True), ("not_json_object", False),
        *[("other_annotation", True)] * 3,
    ]  # fmt: skip


@pytest.mark.parametrize("is_project", [True, False])
def test_attributes_of_files_in_via_are_captions(folder: Path, is_project: bool) -> None:
    region = {"shape_attributes": {"name": "rect", "x": 1}, "region_attributes": {"name": "dot"}}
    images = {
        "x.png9": {"filename": "x.png", "size": 9, "regions": [region, region],
                   "file_attributes": {"caption": "A dot.", "public_domain": "no", "image_url": ""}},
        "y.png9": {"filename": "y.png", "size": 9, "regions": [], "file_attributes": {"beschreibung": "Ein Punkt."}},
        "y.png8": {"filename": "y.png", "size": 8, "regions": [], "file_attributes": {}},
    }  # fmt: skip
    project = {"_via_settings": {"ui": {}}, "_via_img_metadata": images, "_via_attributes": {"region": {}, "file": {}}}
    rows = captions(folder, project if is_project else images)
    assert texts(rows) == [("x.png", "A dot.", "")]
    assert told(rows) == [
        *[("other_annotation", True)] * 2, ("no_caption_attribute", False), ("not_annotated", True),
    ]  # fmt: skip


def test_a_table_of_via_has_its_captions_in_a_cell(folder: Path) -> None:
    header = ["filename", "file_size", "file_attributes", "region_count", "region_id", "region_shape_attributes"]
    attributes = json.dumps({"caption": "A dot."})
    out = io.StringIO(newline="")
    csv.writer(out).writerows(
        [
            header,
            ["x.png", 9, attributes, 2, 0, "{}"],
            ["x.png", 9, attributes, 2, 1, "{}"],
            ["y.png", 9, "{}", 0, 0, "{}"],
        ]
    )
    rows = captions(folder, out.getvalue(), "via.csv")
    assert texts(rows) == [("x.png", "A dot.", "")]
    assert told(rows) == [("other_annotation", True), ("not_annotated", True)]


def test_captions_of_datumaro_are_read_and_its_boxes_told(folder: Path) -> None:
    box = {"id": 0, "type": "bbox", "label_id": 0, "bbox": [0, 0, 1, 1]}
    items = [
        {"id": "x", "annotations": [{"id": 0, "type": "caption", "caption": "A red dot."}, box],
         "image": {"path": "x.png", "size": [30, 40]}},
        {"id": "y", "annotations": [], "media": {"path": "y.png"}},
    ]  # fmt: skip
    rows = captions(folder, {"info": {}, "categories": {"label": {"labels": [{"name": "dot"}]}}, "items": items})
    assert texts(rows) == [("x", "A red dot.", "x#1")]
    assert told(rows) == [("other_annotation", True), ("not_annotated", True)]


def test_a_file_beside_bare_pictures_that_may_hold_captions_is_named(folder: Path) -> None:
    for name in ("captions.ods", "old.xls", "more.7z", "annotations.xml", "README.md"):
        (folder / name).write_bytes(b"anything")
    rows = list(open_source(folder).captions())
    assert [(row.name, row.code) for row in rows if isinstance(row, Refused)] == [
        ("more.7z", "archive_kind"), ("README.md", "no_captions_here"), ("annotations.xml", "captions_in_xml"),
        ("captions.ods", "old_spreadsheet"), ("old.xls", "old_spreadsheet"),
    ]  # fmt: skip
    assert all(isinstance(row, Refused) for row in rows)
