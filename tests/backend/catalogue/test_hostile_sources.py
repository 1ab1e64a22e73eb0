"""Sources made to harm, or broken on their way: paths that climb, links, bombs, torn archives, any bytes at all."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.catalogue.sources import CaptionRow, ImageRow, Refused, SourceUnreadable, open_source
from backend.catalogue.sources.names import safe_name
from backend.catalogue.sources.rows import MemberRefused
from drawn import BY, draw, write_tar, write_zip
from nightly import nightly
from source_rows import A, B, as_lines, images, keys, refused

Row = ImageRow | CaptionRow | Refused


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
    codes = ["link_leads_out", "link_leads_out", "missing_file", "not_normal_file"]
    assert [code for _, code in refused(rows)] == codes


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    special = tarfile.TarInfo()
    special.type, special.linkname = kind, "/etc/passwd"
    rows = images(write_tar(tmp_path / "x.tar", {"ok.png": A, "odd.png": special, "also.png": B}))
    assert keys(rows) == ["ok.png", "also.png"]
    assert refused(rows) == [(2, "link" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else "device")]


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


def long_named(path: Path, kind: bytes, n_bytes: int, *before: str) -> Path:
    """A packed tar whose last member has a header of `n_bytes`."""
    with tarfile.open(path, "w:gz") as tar:
        for name in before:
            info = tarfile.TarInfo(name)
            info.size = len(A)
            tar.addfile(info, io.BytesIO(A))
        header = tarfile.TarInfo("././@LongLink")
        header.type, header.size = kind, n_bytes
        tar.addfile(header, io.BytesIO(b"x" * n_bytes))
        tar.addfile(tarfile.TarInfo("last.png"))
    return path


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE])
@pytest.mark.parametrize("name", ["x.tar.gz", "x"])
def test_a_header_that_nobody_writes_is_not_read_into_memory(tmp_path: Path, kind: bytes, name: str) -> None:
    path = long_named(tmp_path / name, kind, 40_000_000, "a.png", "b.png")
    tracemalloc.start()
    try:
        rows = images(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (keys(rows), refused(rows)) == (["a.png", "b.png"], [(3, "long_header")])
    assert most < 8_000_000


def test_a_name_as_long_as_people_write_them_is_read(tmp_path: Path) -> None:
    name = "/".join(["folder" * 10] * 2) + "/a.png"
    for kind in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        with tarfile.open(tmp_path / "x.tar", "w", format=kind) as tar:
            info = tarfile.TarInfo(name)
            info.size = len(A)
            tar.addfile(info, io.BytesIO(A))
        assert keys(images(tmp_path / "x.tar")) == [name]


def test_a_tar_whose_first_file_has_a_name_like_a_packed_one_is_read(tmp_path: Path) -> None:
    assert keys(images(write_tar(tmp_path / "x.tar", {"BZ1.png": A}))) == ["BZ1.png"]


def test_a_packed_tar_has_an_absolute_limit_whatever_its_ratio(tmp_path: Path) -> None:
    path = write_tar(tmp_path / "x.tar.gz", {f"{n}.bin": os.urandom(1_000_000) for n in range(5)}, "w:gz")
    with pytest.raises(SourceUnreadable, match="more than 3,000,000 bytes") as caught:
        images(path, max_inflated_bytes=3_000_000)
    assert caught.value.error_code == "inflated_too_large"


def test_a_packed_tar_is_not_unpacked_onto_a_disk_that_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_tar(tmp_path / "x.tar.gz", {"a.png": A}, "w:gz")
    usage = shutil.disk_usage(tmp_path)
    nearly_full = usage._replace(free=100_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: nearly_full)
    with pytest.raises(SourceUnreadable, match="Free disk space") as caught:
        images(path)
    assert caught.value.error_code == "no_space_to_inflate"


def test_the_list_of_a_zips_files_has_a_limit(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "x.zip", {f"{n}.png": b"" for n in range(200)})
    with pytest.raises(SourceUnreadable, match="list of files") as caught:
        images(path, max_directory_bytes=2000)
    assert caught.value.error_code == "directory_too_large"
    assert len(images(path, max_directory_bytes=200_000)) == 200


@pytest.mark.nightly
def test_the_list_of_a_very_long_zips_files_has_the_same_limit(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as packed:
        for n in range(66_000):  # more than a short record can count
            packed.writestr(f"{n}", b"")
    with pytest.raises(SourceUnreadable) as caught:
        images(tmp_path / "x.zip", max_directory_bytes=1_000_000)
    assert caught.value.error_code == "directory_too_large"
    assert len(images(tmp_path / "x.zip")) == 66_000


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
    with pytest.raises(SourceUnreadable, match="zip bomb"):
        open_source(path)


def test_limits_on_members_and_bytes_hold(tmp_path: Path) -> None:
    tar = write_tar(tmp_path / "x.tar", {f"{n}.png": bytes(1000) for n in range(4)})
    rows = images(tar, max_members=2)
    assert (keys(rows), refused(rows)) == (["0.png", "1.png"], [(3, "too_many_members")])
    rows = images(tar, max_total_bytes=2500)
    assert (keys(rows), refused(rows)) == (["0.png", "1.png"], [(3, "archive_too_large"), (4, "archive_too_large")])
    row, *_ = images(tar, max_member_bytes=999)
    assert isinstance(row, ImageRow)
    with pytest.raises(MemberRefused) as caught:
        row.read()
    assert caught.value.code == "member_too_large"


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


@pytest.mark.nightly
@pytest.mark.parametrize("part", [nightly(b"x"), nightly(b'\\"'), b'\\\\\\"', nightly(b"\\\\")])
def test_one_long_text_in_a_json_is_passed_by_in_no_time(tmp_path: Path, part: bytes) -> None:
    (tmp_path / "a.png").write_bytes(A)
    first = {"id": 1, "file_name": "a.png", "license": BY}
    head = json.dumps({"images": [first], "more": ""}).encode()[:-2]
    (tmp_path / "x.json").write_bytes(head + part * (40_000_000 // len(part)) + b'"}')
    began = time.monotonic()
    rows = images(tmp_path / "x.json", "coco")
    assert time.monotonic() - began < 8
    assert (keys(rows), refused(rows)) == (["1"], [])


@pytest.mark.parametrize(("name", "content"), [("x.zip", b"PK\x03\x04 torn"), ("x.tar", b"not a tar"), ("x.doc", b"?")])
def test_what_is_no_source_at_all_says_so(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceUnreadable):
        open_source(tmp_path / name)


def test_a_name_that_is_not_utf8_is_a_problem_and_not_an_error(folder: Path) -> None:
    (folder / "images" / os.fsdecode(b"caf\xe9.png")).write_bytes(A)
    rows = images(folder)
    assert keys(rows) == ["images/a.png", "images/b.png"] and [code for _, code in refused(rows)] == ["file_name_unfit"]


@given(st.text(max_size=30), st.sampled_from(["", "../", "/", "a/../..//", "\\", "C:"]))
def test_no_name_leads_out(name: str, start: str) -> None:
    root = Path("/data/source")
    try:
        plain = safe_name(start + name)
    except MemberRefused as refused_name:
        assert refused_name.code in {"climbs_out", "file_name_unfit"}
    else:
        assert Path(os.path.normpath(root / plain)).is_relative_to(root)


@given(st.binary(max_size=300), st.sampled_from(["rows.csv", "rows.jsonl", "rows.json", "rows.tsv"]))
def test_any_bytes_under_a_tables_name_give_rows_refusals_or_a_sentence(
    tmp_path_factory: Any, content: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "any" / name  # alone: a source looks at the files beside it
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    try:
        source = open_source(path)
        rows: list[Row] = [*source.captions(), *source.images()]
    except SourceUnreadable as error:
        assert error.message
    else:
        assert all(isinstance(row, ImageRow | CaptionRow | Refused) for row in rows)
