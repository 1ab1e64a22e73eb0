"""Every format is read back by the library that it is for, and by our own import."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from PIL import Image

from backend.catalogue.sources import CaptionRow, ImageRow, open_source
from backend.methods.exports.coco import write_coco
from backend.methods.exports.hub_card import head_of_card
from backend.methods.exports.hub_parquet import GROUP_BYTES, ROWS, SCHEMA, write_hub_parquet
from backend.methods.exports.karpathy import write_karpathy
from backend.methods.exports.parquet_file import ParquetFile
from backend.methods.exports.pictures import Picture
from backend.methods.exports.webdataset import describe_samples, write_webdataset

SPLITS = ("train", "validation", "test")
HARD = ["=1+1 boats", "a \u2028 line", 'she said "no"', "a 🌩️ storm", "two\nlines", "@home, 'quoted'", "ordinary"]
LICENCES = [("CC-BY-2.0", "https://creativecommons.org/licenses/by/2.0/"), ("LicenseRef-press", "")]


def drawn(n: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8 + n, 6), (n * 7 % 256, 90, 200)).save(out, "PNG")
    return out.getvalue()


def picture(
    n: int, *, licence: str = "CC-BY-2.0", split: str = "train", texts: Sequence[str] = HARD, **more: Any
) -> Picture:
    data = drawn(n)
    captions = [
        {
            "key": f"{n}-{at}", "position": at, "text": text, "raw_text": text, "source": "human", "source_ref": "",
            "n_good": 2, "n_bad": 0, "n_unsure": 0, "difficulty": None,
            "consensus": {"decided_by": "majority", "category": "good", "entropy": 0.0},
        }
        for at, text in enumerate(texts, start=1)
    ]  # fmt: skip
    facts = {"digest": hashlib.sha256(data).hexdigest(), "key": f"photo.{n}.of.mine.png", "width": 8 + n, "height": 6}
    named = {"author": "Ümit", "title": "-1 degrees", "attribution": "Photo by Ümit", "licence_url": ""}
    line = {
        **facts, **named, "format": "PNG", "licence": licence, "split": split, "captions": captions,
        "source_url": f"https://example.org/{n}.png",
    }  # fmt: skip
    return Picture(line, lambda: data)


@pytest.fixture
def pictures() -> list[Picture]:
    """Five in three splits; the licence of the last does not let others have it."""
    splits = ["train", "train", "validation", "test", "train"]
    return [
        picture(n, split=split, licence="LicenseRef-press" if n == 4 else "CC-BY-2.0") for n, split in enumerate(splits)
    ]


@pytest.fixture
def load(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Any]:
    """`datasets.load_dataset`, which asks no hub and keeps its cache in the test's folder."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda *args, **more: datasets.load_dataset(*args, cache_dir=str(tmp_path / "cache"), **more)


def written(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def write_all(folder: Path, pictures: list[Picture]) -> None:
    write_hub_parquet(folder / "hub", iter(pictures))
    write_webdataset(folder / "tars", iter(pictures))
    write_coco(folder / "coco", iter(pictures), name="Skies", version="1", licences=LICENCES)
    write_karpathy(folder / "karpathy", iter(pictures), name="Skies")


def test_equal_images_give_equal_bytes_in_every_format(tmp_path: Path, pictures: list[Picture]) -> None:
    write_all(tmp_path / "one", pictures)
    write_all(tmp_path / "two", pictures)
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_an_image_that_others_may_not_have_is_told_and_its_bytes_are_nowhere(
    tmp_path: Path, pictures: list[Picture]
) -> None:
    write_all(tmp_path, pictures)
    secret, digest = drawn(4), pictures[4].digest
    assert not any(secret in content for content in written(tmp_path).values())
    row = pq.read_table(tmp_path / "hub" / "data").to_pylist()
    told = next(each for each in row if each["digest"] == digest)
    assert told["image"] is None
    [line] = (tmp_path / "tars" / "not-included.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    coco, karpathy = (
        json.loads((tmp_path / name).read_text(encoding="utf-8"))["images"][4]
        for name in ("coco/captions.json", "karpathy/dataset.json")
    )
    for row in (told, json.loads(line), coco, karpathy):
        assert (row["digest"], row["key"]) == (digest, "photo.4.of.mine.png")
        assert (row["width"], row["height"]) == (12, 6)
        assert (row.get("source_url") or row["coco_url"]) == "https://example.org/4.png"


def test_datasets_loads_the_parquet_files_with_images_and_splits(
    tmp_path: Path, pictures: list[Picture], load: Callable[..., Any]
) -> None:
    write_hub_parquet(tmp_path / "hub", iter(pictures))
    files = {split: str(tmp_path / "hub" / "data" / f"{split}-*.parquet") for split in SPLITS}
    data = load("parquet", data_files=files)
    assert {split: len(rows) for split, rows in data.items()} == {"train": 3, "validation": 1, "test": 1}
    first = data["train"][0]
    assert first["image"].size == (8, 6)
    assert [caption["text"] for caption in first["captions"]] == HARD
    assert data["train"][2]["image"] is None
    streamed = list(load("parquet", data_files=files, streaming=True)["train"])
    assert [row["digest"] for row in streamed] == data["train"]["digest"][:]
    assert streamed[1]["image"].size == (9, 6)
    head = head_of_card({"project": {"name": "Skies"}, "counts": {"images": 5}}, SPLITS)
    (tmp_path / "hub" / "README.md").write_text(head, encoding="utf-8")
    assert {split: len(rows) for split, rows in load(str(tmp_path / "hub")).items()} == {
        "train": 3, "validation": 1, "test": 1,
    }  # fmt: skip


def test_a_column_may_be_null_in_a_whole_file(tmp_path: Path, load: Callable[..., Any]) -> None:
    """Two files of one split: in the first no image may be passed on and no caption has a difficulty."""
    rated = {"category": "hard", "n_votes": 1}
    for n, licence in enumerate(("LicenseRef-press", "CC0-1.0")):
        one = picture(n, licence=licence, texts=["a dog"])
        one.line["captions"][0]["difficulty"] = rated if n else None
        write_hub_parquet(tmp_path / str(n), iter([one]))
    files = [str(tmp_path / str(n) / "data" / "train-00000-of-00001.parquet") for n in range(2)]
    for rows in (
        load("parquet", data_files=files)["train"],
        load("parquet", data_files=files, streaming=True)["train"],
    ):
        assert [row["image"] is None for row in rows] == [True, False]
        assert [row["captions"][0]["difficulty"] for row in rows] == [None, "hard"]


def test_row_groups_stay_small_enough_for_the_viewer(tmp_path: Path) -> None:
    write_hub_parquet(tmp_path, (picture(n % 200, texts=["a"]) for n in range(250)))
    groups = pq.ParquetFile(tmp_path / "data" / "train-00000-of-00001.parquet").metadata
    assert [groups.row_group(n).num_rows for n in range(groups.num_row_groups)] == [100, 100, 50]
    with ParquetFile(tmp_path / "large.parquet", SCHEMA, rows=ROWS, n_bytes=GROUP_BYTES) as file:
        for _ in range(5):
            file.add({"digest": "d"}, n_bytes=GROUP_BYTES // 2)
    large = pq.ParquetFile(tmp_path / "large.parquet").metadata
    assert [large.row_group(n).num_rows for n in range(large.num_row_groups)] == [2, 2, 1]


def test_an_export_without_images_is_empty_and_valid(tmp_path: Path) -> None:
    write_all(tmp_path, [])
    assert set(written(tmp_path)) == {"coco/captions.json", "karpathy/dataset.json"}
    for name in ("coco/captions.json", "karpathy/dataset.json"):
        assert json.loads((tmp_path / name).read_text())["images"] == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it leaves its files open
def test_webdataset_reads_the_tar_files(tmp_path: Path, pictures: list[Picture]) -> None:
    import webdataset

    paths = write_webdataset(tmp_path, iter(pictures))
    trains = [str(path) for path in paths if path.name.startswith("train")]
    samples = list(webdataset.WebDataset(trains, shardshuffle=False).decode("pil"))
    assert [sample["__key__"] for sample in samples] == [pictures[0].digest, pictures[1].digest]
    assert samples[1]["png"].size == (9, 6)
    assert samples[1]["json"]["key"] == "photo.1.of.mine.png"
    assert [caption["text"] for caption in samples[0]["json"]["captions"]] == HARD
    with tarfile.open(paths[0]) as tar:
        assert {(member.mtime, member.uid, member.uname, member.mode) for member in tar} == {(0, 0, "", 0o644)}


def test_datasets_loads_the_tar_files_whatever_the_first_samples_lack(tmp_path: Path, load: Callable[..., Any]) -> None:
    """The first five say nothing of difficulty, and the last is an image of another kind."""
    pictures = [picture(n, texts=["a dog"]) for n in range(7)]
    pictures[5].line["captions"][0]["difficulty"] = {"category": "hard", "n_votes": 1}
    tar = str(write_webdataset(tmp_path, iter(pictures))[0])
    for how in ({}, {"streaming": True}):
        rows = list(load("webdataset", data_files={"train": tar}, **how)["train"])
        assert [row["json"]["captions"][0]["difficulty"] for row in rows] == ["", "", "", "", "", "hard", ""]
    pictures[6].line["format"] = "JPEG"
    write_webdataset(tmp_path, iter(pictures))
    manifest = {"project": {"name": "Skies"}, "counts": {"images": 7}}
    head = head_of_card(manifest, ["train"], files="{split}-*.tar", features=describe_samples(["png", "jpg"]))
    (tmp_path / "README.md").write_text(head, encoding="utf-8")
    for how in ({}, {"streaming": True}):
        rows = list(load(str(tmp_path), **how)["train"])
        assert [(row["png"] is None, row["jpg"] is None) for row in rows] == [(False, True)] * 6 + [(True, False)]
        assert rows[5]["json"]["captions"][0]["difficulty"] == "hard"


def test_pycocotools_reads_the_coco_captions(tmp_path: Path, pictures: list[Picture]) -> None:
    from pycocotools.coco import COCO

    path = write_coco(tmp_path, iter(pictures), name="Skies", version="1", licences=LICENCES)
    coco = COCO(str(path))
    assert sorted(coco.getImgIds()) == [1, 2, 3, 4, 5]
    assert len(set(coco.getAnnIds())) == 5 * len(HARD)
    assert [each["caption"] for each in coco.loadAnns(coco.getAnnIds(imgIds=[2]))] == HARD
    second = coco.loadImgs([2])[0]
    assert second["file_name"] == f"images/{pictures[1].digest}.png"
    assert (tmp_path / second["file_name"]).read_bytes() == drawn(1)
    assert not (tmp_path / coco.loadImgs([5])[0]["file_name"]).exists()
    licences = {each["id"]: each["name"] for each in coco.dataset["licenses"]}
    assert [licences[each["license"]] for each in coco.dataset["images"]] == ["CC-BY-2.0"] * 4 + ["LicenseRef-press"]


def test_karpathys_splits_are_his(tmp_path: Path, pictures: list[Picture]) -> None:
    told = json.loads(write_karpathy(tmp_path, iter(pictures), name="Skies").read_text(encoding="utf-8"))
    assert [image["split"] for image in told["images"]] == ["train", "train", "val", "test", "train"]
    sentences = [sentence for image in told["images"] for sentence in image["sentences"]]
    assert [sentence["sentid"] for sentence in sentences] == list(range(35))
    assert sentences[2]["tokens"] == ["she", "said", "no"]


def imported(path: Path) -> tuple[dict[str, bytes], dict[str, list[str]], dict[str, tuple[str, ...]]]:
    """What our own import finds: the bytes of each image by id, the captions by id, the licence wordings."""
    source = open_source(path)
    images = [row for row in source.images() if isinstance(row, ImageRow)]
    of_name = {name: row.key for row in images for name in (row.key, *row.names)}
    captions: dict[str, list[str]] = {}
    for row in source.captions():
        if isinstance(row, CaptionRow):
            key = next((of_name[name] for name in (row.image_key, *row.names) if name in of_name), row.image_key)
            captions.setdefault(key, []).append(row.text)
    return {row.key: row.read() for row in images}, captions, {row.key: row.licence for row in images}


def _coco(folder: Path, pictures: Iterator[Picture]) -> None:
    write_coco(folder, pictures, name="Skies", version="1", licences=LICENCES)


def _karpathy(folder: Path, pictures: Iterator[Picture]) -> None:
    write_karpathy(folder, pictures, name="Skies")


@pytest.mark.parametrize("write", [_coco, _karpathy, write_webdataset, write_hub_parquet])
def test_our_own_import_reads_images_captions_and_licences_back(tmp_path: Path, write: Callable[..., Any]) -> None:
    pictures = [picture(n) for n in range(3)]
    write(tmp_path, iter(pictures))
    images, captions, licences = imported(tmp_path)
    assert sorted(images.values()) == sorted(drawn(n) for n in range(3))
    assert list(captions.values()) == [HARD] * 3
    assert set(captions) == set(images)
    assert all("CC-BY-2.0" in wordings for wordings in licences.values())
