"""Tables and archives as people and their tools send them, beyond one clean table beside its images."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import openpyxl
import pyarrow
import pytest
from pyarrow import parquet

from backend.catalogue.sources import ImageRow, SourceUnreadable, open_source
from drawn import write_tar, write_zip
from source_rows import A, B, as_lines, captions, ignored, images, keys, refused, texts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "1.png").write_bytes(A)
    (tmp_path / "2.png").write_bytes(B)
    return tmp_path


def test_an_excel_sheet_with_a_title_and_merged_cells(folder: Path) -> None:
    """One cell names the image of two rows, and one cell of the header names two columns of captions."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Our captions"], ["File", "Caption"], ["1.png", "A", "B"], ["2.png", "C"], [None, "D"]):
        sheet.append(row)
    for cells in ("A1:C1", "B2:C2", "A4:A5"):
        sheet.merge_cells(cells)
    book.save(folder / "captions.xlsx")
    assert keys(images(folder)) == ["1.png", "2.png", "2.png"]
    assert texts(captions(folder)) == [("1.png", "A"), ("1.png", "B"), ("2.png", "C"), ("2.png", "D")]
    assert ignored(captions(folder)) == [("captions.xlsx", "above_header")] and refused(captions(folder)) == []


def test_lines_above_the_header_of_a_csv_are_told_and_the_rest_is_read(folder: Path) -> None:
    (folder / "captions.csv").write_text("Our captions,,\n\n,made in May,\nfile,caption,note\n1.png,A,\n2.png,B,x\n")
    rows = captions(folder)
    assert texts(rows) == [("1.png", "A"), ("2.png", "B")]
    assert ignored(rows) == [("captions.csv", "above_header")] * 2


def test_a_damaged_file_keeps_the_rows_that_were_read_in_search_of_the_header(folder: Path) -> None:
    packed = gzip.compress(b"picture no,words\n1.png,A\n")
    (folder / "captions.csv.gz").write_bytes(packed[:-8] + bytes(8))
    assert refused(list(open_source(folder / "captions.csv.gz").captions())) == [(None, "column_missing")]
    (folder / "captions.csv.gz").write_bytes(gzip.compress(b"file,caption\n1.png,A\n")[:-8] + bytes(8))
    rows = captions(folder)
    assert texts(rows) == [("1.png", "A")]
    assert [(row.name, row.code) for row in rows if hasattr(row, "code")] == [("captions.csv.gz", "file_damaged")]


@pytest.mark.parametrize("names", [("train-00000-of-00002", "train-00001-of-00002"), ("0000", "0001")])
def test_the_parts_of_one_parquet_table_are_read_together(tmp_path: Path, names: tuple[str, str]) -> None:
    """Their pictures have no names: the number of a row is one only within its part."""
    (tmp_path / "data").mkdir()
    for name, picture in zip(names, (A, B), strict=True):
        rows = [{"image": {"bytes": picture, "path": None}, "text": f"Of {name}"}]
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "data" / f"{name}.parquet")
    found = [f"data/{name}/000000001" for name in names]
    assert keys(images(tmp_path)) == found
    assert texts(captions(tmp_path)) == [(key, f"Of {name}") for key, name in zip(found, names, strict=True)]


def test_tables_of_two_versions_are_not_read_together(folder: Path) -> None:
    for name in ("captions_v1.csv", "captions_v2.csv"):
        (folder / name).write_text("file,caption\n1.png,A\n")
    with pytest.raises(SourceUnreadable) as refusal:
        open_source(folder)
    assert refusal.value.error_code == "ambiguous_source"


def test_a_table_of_images_beside_a_table_of_captions(folder: Path) -> None:
    """The ids look like the files of other images: the table of images says which is meant."""
    (folder / "images.csv").write_text("id,file_name\n2,1.png\n1,2.png\n")
    (folder / "captions.csv").write_text("image_id,caption\n2,Of A\n1,Of B\n9,Of none\n")
    assert [(row.key, row.name) for row in images(folder) if hasattr(row, "key")] == [("2", "1.png"), ("1", "2.png")]
    rows = captions(folder)
    assert texts(rows) == [("2", "Of A"), ("1", "Of B"), ("9", "Of none")]
    assert [row.picture.read() for row in rows[:2] if hasattr(row, "picture") and row.picture] == [A, B]
    assert getattr(rows[2], "picture", 0) is None


def test_captions_that_their_own_source_rejected_do_not_count(folder: Path) -> None:
    made = {"images": [{"id": 1, "file_name": "1.png"}], "annotations": [
        {"id": 1, "image_id": 1, "caption": "Good", "is_rejected": False},
        {"id": 2, "image_id": 1, "caption": "Too dark", "is_rejected": True},
    ]}  # fmt: skip
    (folder / "val.json").write_text(json.dumps(made))
    assert texts(captions(folder)) == [("1", "Good")]
    assert ignored(captions(folder)) == [("1", "caption_withdrawn")]
    (folder / "val.json").unlink()
    turns = [{"image": "1.png", "caption": word, "answer": word, "_task_hash": 1} for word in ("accept", "ignore")]
    (folder / "prodigy.jsonl").write_text(as_lines(*turns, {"image": "2.png", "caption": "B", "answer": "reject"}))
    assert texts(captions(folder)) == [("1.png", "accept"), ("2.png", "B")]


def test_captions_of_mechanical_turk(folder: Path) -> None:
    (folder / "results.csv").write_text(
        '"HITId","AssignmentStatus","Input.image_url","Answer.caption"\n'
        '"H1","Approved","https://x.org/1.png","A dot, grey"\n"H1","Rejected","https://x.org/1.png","asdf"\n'
    )
    assert set(keys(images(folder))) == {"https://x.org/1.png"}
    assert texts(captions(folder)) == [("https://x.org/1.png", "A dot, grey")]
    assert ignored(captions(folder)) == [("https://x.org/1.png", "caption_withdrawn")]


def test_a_list_beside_a_picture_is_its_captions(tmp_path: Path) -> None:
    write_tar(tmp_path / "s.tar", {"s.png": A, "s.json": b'["One", {"text": "Two"}]'})
    assert keys(images(tmp_path)) == ["s"]
    assert texts(captions(tmp_path)) == [("s", "One"), ("s", "Two")]


def test_every_json_of_a_sample_is_read(tmp_path: Path) -> None:
    facts = b'{"author": "Ann", "caption": "One"}'
    write_tar(tmp_path / "s.tar", {"s.png": A, "s.json": facts, "s.more.json": b'["One", "Two"]', "s.last.json": b"{"})
    [row] = images(tmp_path)
    assert isinstance(row, ImageRow) and row.author == "Ann"
    assert texts(captions(tmp_path)) == [("s", "One"), ("s", "One"), ("s", "Two")]
    assert refused(captions(tmp_path)) == [(1, "sample_not_json")]


def test_a_text_in_a_second_column_is_told_but_all_columns_of_wit_are_captions(folder: Path) -> None:
    (folder / "captions.csv").write_text("file,caption,alt_text,description\n1.png,A,B,\n2.png,,C,\n")
    assert texts(captions(folder)) == [("1.png", "A"), ("2.png", "C")]
    assert ignored(captions(folder)) == [("1.png", "other_column")]
    (folder / "captions.csv").write_text(
        "image_url,caption_reference_description,caption_attribution_description,caption_alt_text_description\n"
        "https://x.org/1.png,A fossil,A whole skeleton,\n"
    )
    assert [text for _, text in texts(captions(folder))] == ["A fossil", "A whole skeleton"]
    assert ignored(captions(folder)) == []


def test_what_is_damaged_is_named_as_what_it_is(tmp_path: Path) -> None:
    whole = write_zip(tmp_path / "set.zip", {"1.png": A, "2.png": B}).read_bytes()
    (tmp_path / "set.zip").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceUnreadable) as refusal:
        open_source(tmp_path)
    assert refusal.value.error_code == "no_zip"
    (tmp_path / "set.zip").unlink()
    out = io.BytesIO(write_tar(tmp_path / "s.tar.gz", {"1.png": A, "1.txt": b"A"}, "w:gz").read_bytes())
    (tmp_path / "s.tar.gz").write_bytes(out.getvalue()[:-30])
    assert ("s.tar.gz", "truncated_archive") in [
        (row.name, row.code) for row in images(tmp_path) if hasattr(row, "code")
    ]


def test_what_desktops_leave_is_ignored_and_a_spreadsheet_is_no_image(folder: Path) -> None:
    for name in ("Thumbs.db", "desktop.ini", "captions.ods"):
        (folder / name).write_bytes(b"\xd0\xcf\x11\xe0" + bytes(99))
    rows = images(folder)
    assert sorted(ignored(rows)) == [("Thumbs.db", "hidden_file"), ("desktop.ini", "hidden_file")]
    assert [code for _, code in refused(rows)] == ["old_spreadsheet"]


def test_a_table_whose_rows_name_paths_lists_no_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People have a table in a folder of hundreds of thousands of files."""
    (folder / "captions.csv").write_text("file,caption\n1.png,A\n2.png,B\n")
    source = open_source(folder / "captions.csv")
    walked = []
    monkeypatch.setattr("os.walk", lambda *_: walked.append(1) or iter(()))
    assert keys(list(source.images())) == ["1.png", "2.png"]
    assert [row.picture.read() for row in source.captions() if hasattr(row, "picture") and row.picture] == [A, B]
    open_source(folder / "captions.csv")
    assert walked == []
