"""Reading what people have: every layout as a stream, every bad row and member refused by itself."""

from __future__ import annotations

import json
import os
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.catalogue.sources import CaptionRow, ImageRow, Limits, Refused, SourceUnreadable, open_source
from backend.catalogue.sources.names import safe_name
from backend.catalogue.sources.rows import MemberRefused
from drawn import BY, draw, write_tar, write_zip

Row = ImageRow | CaptionRow | Refused
A, B = draw(1), draw(2)


def images(path: Path, layout: str = "auto", **limits: int) -> list[ImageRow | Refused]:
    return list(open_source(path, layout, Limits(**limits)).images())


def captions(path: Path, layout: str = "auto") -> list[CaptionRow | Refused]:
    return list(open_source(path, layout).captions())


def keys(rows: list[Any]) -> list[str]:
    return [row.key for row in rows if isinstance(row, ImageRow)]


def texts(rows: list[Any]) -> list[tuple[str, str]]:
    return [(row.image_key, row.text) for row in rows if isinstance(row, CaptionRow)]


def refused(rows: list[Any]) -> list[tuple[int | None, str]]:
    return [(row.line, row.code) for row in rows if isinstance(row, Refused)]


def as_lines(*rows: object) -> str:
    return "\n".join(json.dumps(row) for row in rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(A)
    (tmp_path / "images" / "b.png").write_bytes(B)
    return tmp_path


@pytest.fixture
def table(folder: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "rows.jsonl") -> Path:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder / name

    return write


# --- tables -----------------------------------------------------------------------------------------------------------


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
    assert refused(rows) == [(n, "malformed_json") for n in (2, 3, 5, 6)]


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
    assert texts(rows) == [("2", "fine")] and refused(rows) == [(2, "malformed_csv")]


def test_of_a_torn_json_array_everything_before_the_tear_is_kept(table: Any) -> None:
    rows = captions(table('[{"id": 1, "caption": "a"}, {"id": 2, "caption": "b"}, {"id": 3, "capt', "rows.json"))
    assert texts(rows) == [("1", "a"), ("2", "b")] and refused(rows) == [(3, "malformed_json")]


def test_utf16_is_refused_as_a_whole(table: Any) -> None:
    path = table("id,caption\n1,a\n".encode("utf-16"), "rows.csv")
    with pytest.raises(SourceUnreadable, match="UTF-8"):
        captions(path)


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
    with pytest.raises(SourceUnreadable, match=r"cannot be read .* copy it again"):
        open_source(path)


def test_of_a_packed_table_that_is_damaged_everything_readable_is_kept(tmp_path: Path) -> None:
    lines = "file,caption\n" + "".join(f"{n}.png,bird {n}\n" for n in range(9000))
    with zipfile.ZipFile(tmp_path / "sent.zip", "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("rows.csv", lines)
    rows = captions(bent(tmp_path / "sent.zip", at=90_000))
    assert len(texts(rows)) >= 8000 and (None, "damaged") in refused(rows)


def test_of_a_packed_json_that_is_damaged_everything_readable_is_kept(tmp_path: Path) -> None:
    coco = {"images": [{"id": 1, "file_name": "a.png"}], "annotations": [{"image_id": 1, "caption": "x " * 200_000}]}
    with zipfile.ZipFile(tmp_path / "sent.zip", "w", zipfile.ZIP_STORED) as packed:
        packed.writestr("a.png", A)
        packed.writestr("coco.json", json.dumps(coco))
    rows = images(bent(tmp_path / "sent.zip", at=300_000))
    assert keys(rows) == ["1"] and (2, "damaged") in refused(rows)


def test_a_table_that_is_a_link_out_of_the_folder_is_refused_as_a_source(tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("file,caption\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "rows.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(SourceUnreadable, match="leads out of the folder"):
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
    assert texts(rows) == [("1", "a bird")] and refused(rows) == [(2, "no_caption"), (3, "no_key")]


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
    messages = [row.message for row in rows if isinstance(row, Refused)]
    assert [message.rpartition(" ")[2] for message in messages] == ["(test/metadata.jsonl)", "(train/metadata.jsonl)"]
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
    assert keys(rows) == ["000", "001", "004"] and refused(rows) == [(6, "missing_file"), (7, "malformed_json")]
    first = rows[0]
    assert isinstance(first, ImageRow) and (first.licence, first.author, first.read()) == ((BY,), "Ada", A)
    rows = list(source.captions())
    assert texts(rows)[:3] == [("000", "a bird"), ("000", "and a tree"), ("001", "a cat")]
    assert refused(rows) == [(7, "malformed_json"), (9, "not_utf8")]


def test_shards_are_read_one_after_the_other(tmp_path: Path) -> None:
    write_tar(tmp_path / "shard-0.tar", {"a.png": A, "a.txt": b"one"})
    write_tar(tmp_path / "shard-1.tar", {"b.png": B, "b.txt": b"two"})
    rows = images(tmp_path)
    assert keys(rows) == ["a", "b"] and [row.line for row in rows] == [1, 3]


def test_bare_files_are_pictures_unless_their_names_say_otherwise(folder: Path) -> None:
    (folder / "README.md").write_text("about")
    (folder / ".DS_Store").write_bytes(b"junk")
    (folder / "more.zip").write_bytes(b"PK")
    rows = images(folder)
    assert keys(rows) == ["images/a.png", "images/b.png"] and refused(rows) == [(2, "nested_archive")]


def test_an_upload_of_one_archive_is_that_archive(tmp_path: Path) -> None:
    write_zip(tmp_path / "sent.zip", {"set/rows.jsonl": as_lines({"file": "img/a.png"}).encode(), "set/img/a.png": A})
    (row,) = images(tmp_path)
    assert isinstance(row, ImageRow) and row.read() == A


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_may_be_compressed(tmp_path: Path, mode: str) -> None:
    rows = images(write_tar(tmp_path / "sent.tar", {"a.png": A, "b.png": B}, mode))
    assert keys(rows) == ["a.png", "b.png"]
    assert [row.read() for row in rows if isinstance(row, ImageRow)] == [A, B]


# --- hostile ----------------------------------------------------------------------------------------------------------

CLIMBING = ("../up.png", "/etc/passwd", "a/../../up.png", "..\\up.png", "C:\\up.png", "C:up.png", "\\\\host\\share.png")


@pytest.mark.parametrize("name", CLIMBING)
def test_a_path_that_climbs_out_is_refused_wherever_it_stands(table: Any, tmp_path: Path, name: str) -> None:
    assert refused(images(table(as_lines({"file": name}, {"file": "images/a.png"})))) == [(1, "climbs_out")]
    rows = images(write_tar(tmp_path / "x.tar", {name: A, "ok.png": B}), "files")
    assert (keys(rows), refused(rows)) == (["ok.png"], [(1, "climbs_out")])
    rows = images(write_zip(tmp_path / "x.zip", {name: A, "ok.png": B}), "files")
    assert (keys(rows), refused(rows)) == (["ok.png"], [(1, "climbs_out")])


def test_links_out_of_a_folder_are_not_followed(table: Any, folder: Path, tmp_path_factory: Any) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.png"
    secret.write_bytes(A)
    (folder / "images" / "link.png").symlink_to(secret)
    (folder / "images" / "inside.png").symlink_to(folder / "images" / "a.png")
    (folder / "linked").symlink_to(secret.parent)
    (folder / "images" / "circle.png").symlink_to(folder / "images" / "circle.png")
    os.mkfifo(folder / "images" / "pipe.png")
    names = ("images/link.png", "images/inside.png", "linked/secret.png", "images/circle.png", "images/pipe.png")
    rows = images(table(as_lines(*({"file": name} for name in names))))
    assert keys(rows) == ["images/inside.png"]
    codes = ["link", "climbs_out", "climbs_out", "missing_file", "not_a_file"]
    assert [code for _, code in refused(rows)] == codes


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    special = tarfile.TarInfo()
    special.type, special.linkname = kind, "/etc/passwd"
    rows = images(write_tar(tmp_path / "x.tar", {"ok.png": A, "odd.png": special, "also.png": B}))
    assert keys(rows) == ["ok.png", "also.png"]
    assert refused(rows) == [(2, "link" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else "not_a_file")]


def test_links_in_a_zip_are_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as packed:
        link = zipfile.ZipInfo("link.png")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("ok.png", A)
    rows = images(tmp_path / "x.zip")
    assert (keys(rows), refused(rows)) == (["ok.png"], [(1, "link")])


def test_a_tar_that_was_cut_off_keeps_what_came_before(tmp_path: Path) -> None:
    whole = write_tar(tmp_path / "whole.tar", {"a.png": A, "b.png": B, "c.png": draw(3)}).read_bytes()
    (tmp_path / "cut.tar").write_bytes(whole[: 512 + 512 * (len(A) // 512 + 1) + 600])
    rows = images(tmp_path / "cut.tar")
    assert keys(rows) == ["a.png"] and [code for _, code in refused(rows)] == ["truncated_archive"]


def test_a_compressed_tar_that_was_cut_off_keeps_what_came_before(tmp_path: Path) -> None:
    members = {f"{n}.png": os.urandom(30_000) for n in range(5)}
    whole = write_tar(tmp_path / "whole.tar.gz", members, "w:gz").read_bytes()
    (tmp_path / "cut.tar.gz").write_bytes(whole[: len(whole) // 2])
    rows = images(tmp_path / "cut.tar.gz", "files")
    assert keys(rows)[:2] == ["0.png", "1.png"] and "truncated_archive" in {code for _, code in refused(rows)}


def test_a_zip_bomb_is_refused_by_its_ratio_and_the_rest_is_kept(tmp_path: Path) -> None:
    rows = images(write_zip(tmp_path / "x.zip", {"bomb.png": bytes(70_000_000), "ok.png": A}))
    assert (keys(rows), refused(rows)) == (["ok.png"], [(1, "bomb")])


def test_a_compressed_tar_bomb_is_refused_as_a_whole(tmp_path: Path) -> None:
    bomb = write_tar(tmp_path / "x.tar.gz", {"bomb.png": bytes(70_000_000)}, "w:gz")
    with pytest.raises(SourceUnreadable, match="200 times") as caught:
        open_source(bomb)
    assert caught.value.error_code == "bomb"


def test_overlapping_members_are_a_bomb(tmp_path: Path) -> None:
    """Many directory entries that all point at one member, as in the bombs that need no nesting."""
    path = write_zip(tmp_path / "x.zip", {"a.png": os.urandom(5000)})
    data = path.read_bytes()
    start = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entry, tail = data[start:end], bytearray(data[end:])
    entries = b"".join(entry.replace(b"a.png", f"{n}.png".encode()) for n in range(9))
    tail[8:12] = (9).to_bytes(2, "little") * 2
    tail[12:16] = len(entries).to_bytes(4, "little")
    path.write_bytes(data[:start] + entries + bytes(tail))
    with pytest.raises(SourceUnreadable, match="overlap"):
        open_source(path)


def test_limits_on_members_and_bytes_hold(tmp_path: Path) -> None:
    tar = write_tar(tmp_path / "x.tar", {f"{n}.png": bytes(1000) for n in range(4)})
    rows = images(tar, max_members=2)
    assert (keys(rows), refused(rows)) == (["0.png", "1.png"], [(3, "too_many_members")])
    rows = images(tar, max_total_bytes=2500)
    assert (keys(rows), refused(rows)) == (["0.png", "1.png"], [(3, "bomb"), (4, "bomb")])
    row, *_ = images(tar, max_member_bytes=999)
    assert isinstance(row, ImageRow)
    with pytest.raises(MemberRefused) as caught:
        row.read()
    assert caught.value.code == "too_large"


def test_a_member_whose_bytes_are_damaged_is_refused_when_read(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.png": os.urandom(2000)})
    data = bytearray(path.read_bytes())
    data[500] ^= 0xFF
    path.write_bytes(bytes(data))
    (row,) = images(path)
    assert isinstance(row, ImageRow)
    with pytest.raises(MemberRefused) as caught:
        row.read()
    assert caught.value.code == "damaged"


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {"a.png": A, "b.png": B})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(bytes(data))
    rows = images(path)
    assert (keys(rows), refused(rows)) == (["b.png"], [(1, "encrypted")])


@pytest.mark.parametrize(("name", "content"), [("x.zip", b"PK\x03\x04 torn"), ("x.tar", b"not a tar"), ("x.doc", b"?")])
def test_what_is_no_source_at_all_says_so(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceUnreadable):
        open_source(tmp_path / name)


def test_a_name_that_is_not_utf8_is_a_problem_and_not_an_error(folder: Path) -> None:
    (folder / "images" / os.fsdecode(b"caf\xe9.png")).write_bytes(A)
    rows = images(folder)
    assert keys(rows) == ["images/a.png", "images/b.png"] and [code for _, code in refused(rows)] == ["bad_name"]


@given(st.text(max_size=30), st.sampled_from(["", "../", "/", "a/../..//", "\\", "C:"]))
def test_no_name_leads_out(name: str, start: str) -> None:
    root = Path("/data/source")
    try:
        plain = safe_name(start + name)
    except MemberRefused as refused_name:
        assert refused_name.code in {"climbs_out", "bad_name"}
    else:
        assert Path(os.path.normpath(root / plain)).is_relative_to(root)


@given(st.binary(max_size=300), st.sampled_from(["rows.csv", "rows.jsonl", "rows.json", "rows.tsv"]))
def test_any_bytes_under_a_tables_name_give_rows_refusals_or_a_sentence(
    tmp_path_factory: Any, content: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any-{name}"
    path.write_bytes(content)
    try:
        source = open_source(path)
        rows: list[Row] = [*source.captions(), *source.images()]
    except SourceUnreadable as error:
        assert error.message
    else:
        assert all(isinstance(row, ImageRow | CaptionRow | Refused) for row in rows)


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
