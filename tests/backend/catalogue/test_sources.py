"""Reading what people have: every layout as a stream, every bad row and member refused by itself."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from backend.catalogue.sources import CaptionRow, ImageRow, Limits, Refused, SourceUnreadable, open_source
from drawn import BY, draw, write_tar, write_zip
from source_rows import A, B, as_lines, captions, ignored, images, keys, refused, texts

# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize("file", ["file_name", "file", "path", "filename"])
@pytest.mark.parametrize("key", ["id", "image_id", "key", "ImageID"])
@pytest.mark.parametrize("licence", ["license", "licence", "license_url", "License", "license_name"])
def test_the_columns_of_public_datasets_mean_the_same(table: Any, file: str, key: str, licence: str) -> None:
    (row,) = images(table(as_lines({file: "images/a.png", key: 7, licence: BY})))
    assert isinstance(row, ImageRow)
    assert (row.key, row.name, row.licence, row.read()) == ("7", "images/a.png", (BY,), A)


def test_a_table_is_found_in_its_folder_and_rows_keep_their_lines(table: Any, folder: Path) -> None:
    table('file_name,license\nimages/a.png,"x\ny"\nimages/b.png,z\nimages/c.png,z\n', "rows.csv")
    rows = images(folder)
    assert keys(rows) == ["images/a.png", "images/b.png"]
    assert [row.line for row in rows] == [2, 4, 5]
    assert refused(rows) == [(5, "missing_file")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_may_be_parted_by_commas_semicolons_or_tabs(table: Any, delimiter: str) -> None:
    path = table(delimiter.join(("id", "caption")) + "\n" + delimiter.join(("1", "a red bird")), "rows.csv")
    assert texts(captions(path)) == [("1", "a red bird")]


def test_a_row_may_name_its_picture_by_id_alone(table: Any) -> None:
    (row,) = images(table(as_lines({"ImageID": "a"})))
    assert isinstance(row, ImageRow) and row.read() == A


def test_captions_come_one_by_one_in_lists_and_with_their_own_ids(table: Any) -> None:
    rows = captions(
        table(
            as_lines(
                {"id": 1, "caption": "one"},
                {"id": 2, "captions": ["two", "three"]},
                {"id": 3, "captions": [{"text": "four", "caption_id": 40}, {"caption": "five", "id": 50}]},
                {"image": "x.png", "text": "six", "rank": 2, "similarity": 0.25, "source": "web"},
                {"id": 5},
                {"captions": ["whose?"]},
                {"id": 6, "captions": ["good", 7, None]},
            )
        )
    )
    assert texts(rows) == [
        ("1", "one"), ("2", "two"), ("2", "three"), ("3", "four"), ("3", "five"), ("x.png", "six"), ("6", "good"),
    ]  # fmt: skip
    assert [row.ref for row in rows if isinstance(row, CaptionRow)][3:5] == ["40", "50"]
    six = next(row for row in rows if isinstance(row, CaptionRow) and row.text == "six")
    assert (six.rank, six.similarity, six.source) == (2, 0.25, "web")
    assert refused(rows) == [(5, "no_caption"), (6, "no_key"), (7, "no_caption"), (7, "no_caption")]


def test_a_line_that_is_not_utf8_is_refused_and_the_others_survive(table: Any) -> None:
    lines = b'{"id": 1, "caption": "fine"}\n{"id": 2, "caption": "caf\xe9"}\n{"id": 3, "caption": "caf\xc3\xa9"}\n'
    rows = captions(table(lines))
    assert texts(rows) == [("1", "fine"), ("3", "café")] and refused(rows) == [(2, "not_utf8")]
    rows = captions(table(b"id,caption\n1,fine\n2,caf\xe9\n3,caf\xc3\xa9\n", "rows.csv"))
    assert texts(rows) == [("1", "fine"), ("3", "café")] and refused(rows) == [(3, "not_utf8")]


def test_bad_lines_are_refused_by_themselves(table: Any) -> None:
    lines = ['{"id": 1, "caption": "a"}', "{oops", "[1, 2]", "", '"text"', "[" * 100_000, '{"id": 2, "caption": "b"}']
    rows = captions(table("\ufeff" + "\n".join(lines)))
    assert texts(rows) == [("1", "a"), ("2", "b")]
    codes = ("not_json", "not_json_object", "not_json_object", "json_too_deep")
    assert refused(rows) == list(zip((2, 3, 5, 6), codes, strict=True))


def test_an_endless_line_is_skipped_without_being_held(table: Any) -> None:
    path = table(b'{"id": 1, "caption": "' + b"x" * 3_000_000 + b'"}\n{"id": 2, "caption": "b"}\n')
    source = open_source(path, limits=Limits(max_line_bytes=10_000))
    tracemalloc.start()
    rows = list(source.captions())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert texts(rows) == [("2", "b")] and refused(rows) == [(1, "line_too_long")]
    assert peak < 1_000_000


def test_a_row_with_more_fields_than_columns_is_refused(table: Any) -> None:
    rows = captions(table("id,caption\n1,a bird, a tree\n2,fine\n", "rows.csv"))
    assert texts(rows) == [("2", "fine")] and refused(rows) == [(2, "row_has_more_cells")]


def test_of_a_torn_json_array_everything_before_the_tear_is_kept(table: Any) -> None:
    rows = captions(table('[{"id": 1, "caption": "a"}, {"id": 2, "caption": "b"}, {"id": 3, "capt', "rows.json"))
    assert texts(rows) == [("1", "a"), ("2", "b")] and refused(rows) == [(3, "json_ends")]


def test_utf16_is_read(table: Any) -> None:
    assert texts(captions(table("id,caption\n1,a\n".encode("utf-16"), "rows.csv"))) == [("1", "a")]


def test_a_script_never_becomes_a_link(table: Any) -> None:
    row, *_ = images(
        table(as_lines({"file": "images/a.png", "url": "javascript:alert(1)", "coco_url": "http://x.org/1"}))
    )
    assert isinstance(row, ImageRow) and row.source_url == "http://x.org/1"


def bent(path: Path, at: int) -> Path:
    """The file with one bit changed."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl", "rows.json", "coco.json"])
def test_a_packed_table_that_cannot_be_opened_is_refused_with_a_sentence(tmp_path: Path, name: str) -> None:
    path = bent(write_zip(tmp_path / "sent.zip", {name: b'{"images": []}', "a.png": A}), at=0)
    with pytest.raises(SourceUnreadable, match=r"cannot read .* Copy it again"):
        open_source(path)


@pytest.mark.nightly
def test_of_a_packed_table_that_is_damaged_everything_readable_is_kept(tmp_path: Path) -> None:
    lines = "file,caption\n" + "".join(f"{n}.png,bird {n}\n" for n in range(9000))
    with zipfile.ZipFile(tmp_path / "sent.zip", "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("rows.csv", lines)
    rows = captions(bent(tmp_path / "sent.zip", at=90_000))
    assert len(texts(rows)) >= 8000 and refused(rows) == [(len(texts(rows)) + 2, "file_damaged")]


def test_of_a_packed_json_that_is_damaged_everything_readable_is_kept(tmp_path: Path) -> None:
    coco = {"images": [{"id": 1, "file_name": "a.png"}], "annotations": [{"image_id": 1, "caption": "x " * 200_000}]}
    with zipfile.ZipFile(tmp_path / "sent.zip", "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("a.png", A)
        packed.writestr("coco.json", json.dumps(coco))
    rows = images(bent(tmp_path / "sent.zip", at=300_000))
    assert keys(rows) == ["1"] and "file_damaged" in {code for _, code in refused(rows)}


def test_a_table_that_is_a_link_out_of_the_folder_is_refused_as_a_source(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("file,caption\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "rows.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(SourceUnreadable, match="is a link to a place outside the folder"):
        open_source(tmp_path / "folder")


def test_several_tables_at_the_top_ask_for_one(table: Any, folder: Path) -> None:
    table("{}", "one.jsonl")
    table("{}", "two.jsonl")
    with pytest.raises(SourceUnreadable, match=r"one\.jsonl, two\.jsonl"):
        open_source(folder)


# --- COCO, imagefolder, WebDataset, files -----------------------------------------------------------------------------


def test_coco_gives_images_with_their_licences_and_captions_by_image(table: Any) -> None:
    coco = {
        "annotations": [{"id": 9, "image_id": 1, "caption": "a bird"}, {"id": 10, "image_id": 1}, {"caption": "x"}],
        "images": [{"id": 1, "file_name": "a.png", "license": 4}, {"id": 2, "file_name": "c.png", "license": 4}],
        "licenses": [{"id": 4, "url": BY, "name": "Attribution License"}],
    }
    path = table(json.dumps(coco), "captions.json")
    source = open_source(path)
    assert source.layout == "coco"
    row, gone = source.images()
    assert isinstance(row, ImageRow) and (row.key, row.licence, row.read()) == ("1", (BY, "Attribution License"), A)
    assert isinstance(gone, Refused) and gone.code == "missing_file"
    rows = list(source.captions())
    assert texts(rows) == [("1", "a bird")] and refused(rows) == [(2, "annotation_without_caption"), (3, "no_image_id")]


def test_an_imagefolder_has_splits_whose_names_do_not_collide(tmp_path: Path) -> None:
    for split, picture in (("train", A), ("test", B)):
        (tmp_path / split).mkdir()
        (tmp_path / split / "0.png").write_bytes(picture)
        (tmp_path / split / "metadata.jsonl").write_text(as_lines({"file_name": "0.png", "text": split}, "bad"))
    source = open_source(tmp_path)
    assert source.layout == "imagefolder"
    rows = list(source.images())
    assert keys(rows) == ["test/0.png", "train/0.png"]
    assert [row.read() for row in rows if isinstance(row, ImageRow)] == [B, A]
    names = [row.name for row in rows if isinstance(row, Refused)]
    assert names == ["test/metadata.jsonl", "train/metadata.jsonl"]
    assert texts(list(source.captions())) == [("test/0.png", "test"), ("train/0.png", "train")]


def test_a_webdataset_is_one_sample_for_each_name(tmp_path: Path) -> None:
    members = {
        "000.png": A,
        "000.txt": b"a bird\nand a tree\n",
        "000.json": json.dumps({"license": BY, "author": "Ada"}).encode(),
        "001.json": json.dumps({"caption": "a cat"}).encode(),
        "001.png": B,
        "002.txt": b"nothing to see",
        "003.png": A,
        "003.json": b"{torn",
        "004.png": A,
        "004.txt": b"caf\xe9",
    }
    source = open_source(write_tar(tmp_path / "shard.tar", members))
    assert source.layout == "webdataset"
    rows = list(source.images())
    assert keys(rows) == ["000", "001", "004"] and refused(rows) == [
        (6, "sample_without_image"),
        (7, "sample_not_json"),
    ]
    first = rows[0]
    assert isinstance(first, ImageRow) and (first.licence, first.author, first.read()) == ((BY,), "Ada", A)
    rows = list(source.captions())
    assert texts(rows)[:3] == [("000", "a bird"), ("000", "and a tree"), ("001", "a cat")]
    assert refused(rows) == [(6, "sample_without_image"), (7, "sample_not_json"), (9, "file_not_utf8")]


def test_shards_are_read_one_after_the_other(tmp_path: Path) -> None:
    write_tar(tmp_path / "shard-0.tar", {"a.png": A, "a.txt": b"one"})
    write_tar(tmp_path / "shard-1.tar", {"b.png": B, "b.txt": b"two"})
    rows = images(tmp_path)
    assert keys(rows) == ["a", "b"] and [row.line for row in rows] == [1, 3]


@pytest.mark.parametrize("column", ["image", "jpg", "image_bytes"])
def test_a_picture_may_lie_in_a_table_as_bytes(tmp_path: Path, column: str) -> None:
    rows = pyarrow.table({column: [A, B], "caption": ["one", "two"], "key": ["a", "b"]})
    parquet.write_table(rows, tmp_path / "00000.parquet")
    source = open_source(tmp_path / "00000.parquet")
    assert [(row.key, row.read()) for row in source.images() if isinstance(row, ImageRow)] == [("a", A), ("b", B)]
    assert texts(list(source.captions())) == [("a", "one"), ("b", "two")]


def test_a_name_that_two_shards_have_is_of_two_samples(tmp_path: Path) -> None:
    """Many tools number the samples of each shard from zero."""
    for n, (picture, said) in enumerate(((A, b"one"), (B, b"two"), (draw(7), b"three"))):
        (tmp_path / f"{n}").mkdir()
        write_tar(tmp_path / f"{n}" / "shard.tar", {"a.png": picture, "a.txt": said})
    rows, said_of = images(tmp_path), texts(list(open_source(tmp_path).captions()))
    assert keys(rows) == ["a", "shard/a", "shard/shard/a"]
    assert [row.read() for row in rows if isinstance(row, ImageRow)] == [A, B, draw(7)]
    assert said_of == [("a", "one"), ("shard/a", "two"), ("shard/shard/a", "three")]


def test_bare_files_are_pictures_unless_their_names_say_otherwise(folder: Path) -> None:
    (folder / "README.md").write_text("about")
    (folder / ".DS_Store").write_bytes(b"junk")
    (folder / "more.zip").write_bytes(b"PK")
    rows = images(folder)
    assert keys(rows) == ["images/a.png", "images/b.png"] and refused(rows) == [(None, "no_tar")]
    assert ignored(rows) == [(".DS_Store", "hidden_file"), ("README.md", "not_needed")]


def test_an_upload_of_one_archive_is_that_archive(tmp_path: Path) -> None:
    write_zip(tmp_path / "sent.zip", {"set/rows.jsonl": as_lines({"file": "img/a.png"}).encode(), "set/img/a.png": A})
    (row,) = images(tmp_path)
    assert isinstance(row, ImageRow) and row.read() == A


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_may_be_compressed(tmp_path: Path, mode: str) -> None:
    rows = images(write_tar(tmp_path / "sent.tar", {"a.png": A, "b.png": B}, mode))
    assert keys(rows) == ["a.png", "b.png"]
    assert [row.read() for row in rows if isinstance(row, ImageRow)] == [A, B]


@pytest.mark.nightly
def test_memory_stays_flat_however_long_the_table_is(table: Any) -> None:
    def peak(n: int, name: str) -> int:
        rows = ({"id": place, "caption": f"caption number {place}"} for place in range(n))
        path = table(json.dumps(list(rows)), name)
        source = open_source(path)
        tracemalloc.start()
        for _ in source.captions():
            pass
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    few, many = peak(4_000, "few.json"), peak(40_000, "many.json")
    assert many < 1.2 * few


@pytest.mark.shared_data
def test_public_datasets_are_read_as_they_are(shared_data: Path) -> None:
    source = open_source(shared_data / "coco_cc_photos" / "photos_dev.json")
    rows, sentences = list(source.images()), list(source.captions())
    assert (len(keys(rows)), len(texts(sentences))) == (90, 450) and not refused([*rows, *sentences])
    rows = images(shared_data / "openimages_cc_photos")
    assert len(keys(rows)) == 18 and all(isinstance(row, ImageRow) and row.author and row.title for row in rows)
