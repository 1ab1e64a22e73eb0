"""Shards of corpora in every layout: pairs in order, every picture again by its place, and what is refused how."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from backend.catalogue.corpora import scanned
from backend.catalogue.sources import MemberRefused, Refused, SourceUnreadable
from backend.catalogue.sources.archives import Tar
from backend.catalogue.sources.pairs import CorpusPair, ShardReader, Slice, open_shard
from backend.catalogue.sources.pairs.rows import MAX_CAPTION_BYTES
from backend.catalogue.sources.pairs.url_table import UrlTable
from corpora import (
    caption,
    coco_corpus,
    imagefolder_corpus,
    key,
    parquet_corpus,
    picture,
    samples,
    tar_corpus,
    url_corpus,
)
from drawn import write_tar

FILES = {"webdataset": "00000.tar", "parquet": "00000.parquet", "imagefolder": "metadata.jsonl"}


def reader(folder: Path, layout: str, file: str = "", **slice_: Any) -> ShardReader:
    return open_shard(folder, Slice(file or FILES[layout], **slice_), layout=layout)


def pairs(of: ShardReader) -> list[CorpusPair]:
    return [row for row in of.pairs() if isinstance(row, CorpusPair)]


def refused(of: ShardReader) -> list[tuple[str, str]]:
    """Key and code."""
    return [(row.name, row.code) for row in of.pairs() if isinstance(row, Refused)]


@pytest.mark.parametrize("make", [tar_corpus, parquet_corpus])
def test_img2dataset_shards_give_their_pairs_in_order(make: Callable[..., Path], tmp_path: Path) -> None:
    folder = make(tmp_path / "corpus", shards=(5,))
    shard = reader(folder, "webdataset" if make is tar_corpus else "parquet")
    found = pairs(shard)
    assert [(pair.key, pair.captions) for pair in found] == [(key(n), (caption(n),)) for n in range(5)]
    assert [pair.read() for pair in found] == [picture(n) for n in range(5)]
    assert [shard.read(pair.place) for pair in reversed(found)] == [picture(n) for n in reversed(range(5))]
    assert shard.state() == ""


def test_an_imagefolder_gives_a_picture_once_with_all_its_captions(tmp_path: Path) -> None:
    shard = reader(imagefolder_corpus(tmp_path / "corpus"), "imagefolder")
    found = pairs(shard)
    assert [pair.captions for pair in found] == [(caption(n), f"{caption(n)}!") for n in range(4)]
    assert [shard.read(pair.place) for pair in found] == [picture(n) for n in range(4)]


def test_coco_gives_each_image_all_its_captions_wherever_they_stand(tmp_path: Path) -> None:
    shard = reader(coco_corpus(tmp_path / "corpus"), "coco", "captions_val.json")
    found = pairs(shard)
    assert [(pair.key, pair.captions) for pair in found] == [(str(n), (caption(n), f"{caption(n)}!")) for n in range(4)]
    assert [pair.read() for pair in found] == [picture(n) for n in range(4)]


def test_a_table_is_another_shard_once_a_picture_beside_it_changed(tmp_path: Path) -> None:
    folder = imagefolder_corpus(tmp_path / "corpus")
    before = reader(folder, "imagefolder").state()
    assert reader(folder, "imagefolder").state() == before
    (folder / "2.jpg").write_bytes(picture(77))
    assert reader(folder, "imagefolder").state() != before


@pytest.mark.parametrize(
    "lines",
    [
        'A cat "asleep\thttps://a.example/1.jpg\nA "dog\thttps://a.example/2.jpg\n',  # as CC3M is published
        'https://a.example/1.jpg\tA cat "asleep\nhttps://a.example/2.jpg\tA "dog\n',  # as CC12M is
        'caption\turl\nA cat "asleep\thttps://a.example/1.jpg\nA "dog\thttps://a.example/2.jpg\n',
        '\ufeffhttps://a.example/1.jpg\tA cat "asleep\nhttps://a.example/2.jpg\tA "dog\n',
        '\ufeffurl\tlang\tcaption\r\nhttps://a.example/1.jpg\ten\tA cat "asleep\r\nhttps://a.example/2.jpg\ten\tA "dog',
    ],
)
def test_lists_of_addresses_are_read_whichever_column_comes_first(lines: str, tmp_path: Path) -> None:
    asked: list[str] = []
    folder = url_corpus(tmp_path / "corpus", lines)
    shard = open_shard(folder, Slice("list.tsv"), layout="url_table", fetch=lambda url: asked.append(url) or b"jpeg")
    found = pairs(shard)
    assert [(pair.key, *pair.captions) for pair in found] == [(key(0), 'A cat "asleep'), (key(1), 'A "dog')]
    assert found[1].read() == b"jpeg" and shard.read(found[0].place) == b"jpeg"
    assert asked == ["https://a.example/2.jpg", "https://a.example/1.jpg"]


def test_a_line_too_long_for_a_list_is_refused_whole_and_the_next_keeps_its_number(tmp_path: Path) -> None:
    long = f"https://a.example/1.jpg\t{'A cat ' * 1_000_000}https://b.example/2.jpg\tB\n"
    folder = url_corpus(tmp_path, f"url\tcaption\n{long}https://a.example/3.jpg\tA dog\n")
    shard = reader(folder, "url_table", "list.tsv")
    assert refused(shard) == [(key(0), "line_too_long")]
    assert [(pair.key, *pair.captions) for pair in pairs(shard)] == [(key(1), "A dog")]
    assert UrlTable(folder, Slice("list.tsv")).count() == 2


def test_an_address_nobody_may_fetch_says_to_run_img2dataset(tmp_path: Path) -> None:
    shard = reader(url_corpus(tmp_path, "https://a.example/1.jpg\tA cat\n"), "url_table", "list.tsv")
    with pytest.raises(MemberRefused, match="Download them with img2dataset, then register its output"):
        pairs(shard)[0].read()


def test_the_json_of_a_sample_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, names = Tar.read, list[str]()
    monkeypatch.setattr(Tar, "read", lambda tar, name: (names.append(name), read(tar, name))[1])
    write_tar(tmp_path / "00000.tar", samples(range(2)))
    assert all(pair.address for pair in pairs(reader(tmp_path, "webdataset")))
    assert [name for name in names if name.endswith(".json")] == [f"{key(0)}.json", f"{key(1)}.json"]


def test_captions_come_from_the_json_where_a_sample_has_no_text_and_else_from_the_table_beside(tmp_path: Path) -> None:
    members = samples(range(3))
    for name in (f"{key(0)}.txt", f"{key(1)}.txt", f"{key(1)}.json", f"{key(2)}.txt", f"{key(2)}.json"):
        del members[name]
    write_tar(tmp_path / "00000.tar", members)
    rows = {"key": [key(1)], "caption": ["From the table"], "url": ["https://example.org/1.jpg"]}
    parquet.write_table(pa.table(rows), tmp_path / "00000.parquet")
    shard = reader(tmp_path, "webdataset")
    assert [pair.captions for pair in pairs(shard)] == [(caption(0),), ("From the table",)]
    assert refused(shard) == [(key(2), "no_caption")]


def test_a_truncated_tar_is_refused_whole_and_by_name(tmp_path: Path) -> None:
    tar = write_tar(tmp_path / "00000.tar", samples(range(4)))
    tar.write_bytes(tar.read_bytes()[: tar.stat().st_size * 2 // 3])
    with pytest.raises(SourceUnreadable, match=r"cannot read the shard 00000\.tar: .* Copy the original file again"):
        next(reader(tmp_path, "webdataset").pairs())


@pytest.mark.parametrize("how", ["w:gz", "w:bz2", "w:xz"])
def test_a_compressed_tar_is_refused_since_its_pictures_could_not_be_found_again(how: str, tmp_path: Path) -> None:
    write_tar(tmp_path / "00000.tar", samples(range(2)), how)
    with pytest.raises(SourceUnreadable, match=r"The tar 00000\.tar is compressed.*Unpack it first"):
        pairs(reader(tmp_path, "webdataset", "00000.tar"))
    with pytest.raises(SourceUnreadable, match="is compressed"):
        scanned(tmp_path)


def test_truncated_parquet_and_json_are_refused_by_name(tmp_path: Path) -> None:
    path = parquet_corpus(tmp_path / "p", shards=(4,)) / "00000.parquet"
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(SourceUnreadable, match=r"cannot read the shard 00000\.parquet"):
        pairs(reader(path.parent, "parquet"))
    table = coco_corpus(tmp_path / "c") / "captions_val.json"
    table.write_bytes(table.read_bytes()[:-100])
    with pytest.raises(SourceUnreadable, match=r"cannot read the shard captions_val\.json"):
        pairs(reader(table.parent, "coco", "captions_val.json"))


def test_a_missing_caption_column_names_the_columns_there_are(tmp_path: Path) -> None:
    rows = {"key": ["1"], "jpg": [picture(1)], "alt": ["spelled otherwise"], "url": ["u"]}
    parquet.write_table(pa.table({**rows, "beschreibung": ["x"]}).drop_columns(["alt"]), tmp_path / "00000.parquet")
    with pytest.raises(
        SourceUnreadable, match=r"no column for captions\. .* Its columns are: key, jpg, url, beschreibung"
    ):
        pairs(reader(tmp_path, "parquet"))
    url_corpus(tmp_path, "url\tlang\nhttps://a.example/1.jpg\ten\n")
    with pytest.raises(SourceUnreadable, match=r"no column for captions\. .* Its columns are: url, lang"):
        pairs(reader(tmp_path, "url_table", "list.tsv"))
    url_corpus(tmp_path, "https://a.example/1.jpg\n")
    with pytest.raises(SourceUnreadable, match=r"no column for captions\. .* Its columns are: url"):
        pairs(reader(tmp_path, "url_table", "list.tsv"))


def test_captions_of_100_kb_are_left_out_by_themselves(tmp_path: Path) -> None:
    fits, too_long = "a" * MAX_CAPTION_BYTES, "ä" * (MAX_CAPTION_BYTES // 2 + 1)
    rows = [
        {"file_name": "0.jpg", "text": fits},
        {"file_name": "1.jpg", "text": too_long},
        {"file_name": "2.jpg", "text": too_long},
        {"file_name": "2.jpg", "text": "A short one"},
    ]
    shard = reader(imagefolder_corpus(tmp_path / "corpus", rows=rows), "imagefolder")
    assert [pair.captions for pair in pairs(shard)] == [(fits,), ("A short one",)]
    assert refused(shard) == [("1.jpg", "too_long"), ("1.jpg", "no_caption"), ("2.jpg", "too_long")]


def test_captions_that_are_no_text_are_refused(tmp_path: Path) -> None:
    rows = [{"file_name": "0.jpg", "text": "with\x00NUL"}, {"file_name": "1.jpg", "text": "half \ud800"}]
    shard = reader(imagefolder_corpus(tmp_path / "corpus", rows=rows), "imagefolder")
    assert [code for _, code in refused(shard)] == ["not_text", "no_caption"] * 2


def test_a_key_that_comes_twice_means_its_first_picture(tmp_path: Path) -> None:
    rows = [{"file_name": f"{n}.jpg", "text": caption(n)} for n in (0, 1, 0)]
    shard = reader(imagefolder_corpus(tmp_path / "corpus", rows=rows), "imagefolder")
    assert [pair.key for pair in pairs(shard)] == ["0.jpg", "1.jpg"]
    assert refused(shard) == [("0.jpg", "duplicate_key")]
    folder = parquet_corpus(tmp_path / "parquet", shards=(3,), key=["a", "b", "a"])
    assert refused(reader(folder, "parquet")) == [("a", "duplicate_key")]


def test_rows_that_img2dataset_could_not_fetch_say_why(tmp_path: Path) -> None:
    pictures = pa.array([picture(0), None, picture(2)], pa.binary())
    why = [None, "HTTP Error 404: Not Found", None]
    folder = parquet_corpus(tmp_path / "corpus", shards=(3,), jpg=pictures, error_message=why)
    (row,) = [row for row in reader(folder, "parquet").pairs() if isinstance(row, Refused)]
    assert (row.name, row.code) == (key(1), "missing_file")
    assert row.message == "The row has no image: HTTP Error 404: Not Found."


def test_hugging_face_parquet_with_bytes_inside_a_struct_is_read(tmp_path: Path) -> None:
    rows = {
        "image": [{"bytes": picture(n), "path": f"{n}.jpg"} for n in range(3)],
        "text": [caption(n) for n in range(3)],
    }
    parquet.write_table(pa.table(rows), tmp_path / "00000.parquet", row_group_size=1)
    shard = reader(tmp_path, "parquet")
    assert [(pair.key, pair.read()) for pair in pairs(shard)] == [(key(n), picture(n)) for n in range(3)]
    assert shard.read("2") == picture(2)


@pytest.mark.parametrize("place", ["", "-1+10", "0+99999999", "1", "../secret", "9" * 40])
def test_a_place_that_is_none_is_refused(place: str, tmp_path: Path) -> None:
    for layout, make in (("webdataset", tar_corpus), ("parquet", parquet_corpus), ("imagefolder", imagefolder_corpus)):
        shard = reader(make(tmp_path / layout), layout)
        if (layout, place) == ("parquet", "1"):
            assert shard.read(place) == picture(1)
            continue
        with pytest.raises(MemberRefused):
            shard.read(place)


def test_a_shard_that_is_gone_or_lies_elsewhere_is_named(tmp_path: Path) -> None:
    folder = tar_corpus(tmp_path / "corpus")
    (tmp_path / "elsewhere.tar").write_bytes((folder / "00000.tar").read_bytes())
    (folder / "00000.tar").unlink()
    with pytest.raises(SourceUnreadable, match=r"00000\.tar is not in its folder any more"):
        next(reader(folder, "webdataset").pairs())
    (folder / "00000.tar").symlink_to(tmp_path / "elsewhere.tar")
    with pytest.raises(SourceUnreadable, match="is a link to a place outside the folder"):
        next(reader(folder, "webdataset").pairs())


def test_a_picture_missing_beside_a_table_is_refused_by_itself(tmp_path: Path) -> None:
    folder = coco_corpus(tmp_path / "corpus")
    (folder / "images" / "1.jpg").unlink()
    shard = reader(folder, "coco", "captions_val.json")
    assert [pair.key for pair in pairs(shard)] == ["0", "2", "3"]
    assert [code for _, code in refused(shard)] == ["missing_file"]


def test_a_line_that_is_no_json_costs_only_itself(tmp_path: Path) -> None:
    folder = imagefolder_corpus(tmp_path / "corpus", n=2)
    rows = [json.dumps({"file_name": f"{n}.jpg", "text": caption(n)}) for n in range(2)]
    (folder / "metadata.jsonl").write_text(f"{rows[0]}\n{{broken\n{rows[1]}\n")
    shard = reader(folder, "imagefolder")
    assert [pair.key for pair in pairs(shard)] == ["0.jpg", "1.jpg"]
    assert [code for _, code in refused(shard)] == ["not_json"]
