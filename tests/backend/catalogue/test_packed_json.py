"""JSON objects of datasets as they are downloaded: packed, whatever is in them."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.catalogue.sources import CaptionRow, Refused, SourceUnreadable, open_source

SHAPES: dict[str, Any] = {
    "coco": {
        "images": [{"id": 1, "file_name": "1.jpg"}],
        "annotations": [{"id": 5, "image_id": 1, "caption": "A dog."}],
    },
    "karpathy": {"images": [{"filename": "1.jpg", "sentences": [{"raw": "A dog."}]}], "dataset": "x"},
    "rows": {"data": [{"image_id": "1", "caption_str": "A dog."}]},
    "columns": {"image_urls": ["https://site.org/1.jpg"], "captions": ["A dog."]},
    "by image": {"1.jpg": ["A dog."]},
}
PACK: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def texts(path: Path) -> list[str]:
    return [row.text if isinstance(row, CaptionRow) else row.code for row in open_source(path).captions()]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ending", PACK)
def test_each_shape_is_read_packed_as_it_is_read_plain(tmp_path: Path, shape: str, ending: str) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(SHAPES[shape]).encode()
    for name, content in (("captions.json", data), (f"captions.json.{ending}", PACK[ending](data))):
        (tmp_path / name).write_bytes(content)
        assert texts(tmp_path / name) == ["A dog."]
        (tmp_path / name).unlink()


@pytest.mark.parametrize("shape", ["coco", "by image", "columns"])
def test_a_file_that_ends_too_early_is_told(tmp_path: Path, shape: str) -> None:
    many = {
        "coco": {
            "images": [{"id": n, "file_name": f"{n}.jpg"} for n in range(9)],
            "annotations": [{"id": n, "image_id": n % 9, "caption": f"A dog {n * 7919}."} for n in range(30_000)],
        },
        "by image": {f"{n}.jpg": [f"A dog {n * 7919}."] for n in range(30_000)},
        "columns": {
            "image_urls": [f"https://site.org/{n}.jpg" for n in range(9)],
            "captions": [f"A dog {n * 7919}." for n in range(9)],
        },
    }[shape]
    packed = gzip.compress(json.dumps(many).encode())
    (tmp_path / "captions.json.gz").write_bytes(packed[: len(packed) * 3 // 4])
    rows = list(open_source(tmp_path / "captions.json.gz").captions())
    assert isinstance(rows[-1], Refused)
    if shape == "coco":
        assert sum(isinstance(row, CaptionRow) for row in rows) > 1000


def test_a_file_that_only_looks_packed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "captions.json.gz").write_bytes(b"\x1f\x8b" + b"nothing" * 100)
    try:
        rows = list(open_source(tmp_path / "captions.json.gz").captions())
    except SourceUnreadable:
        return
    assert [type(row) for row in rows] == [Refused]
