"""COCO captions: one JSON object with `licenses`, `images` and `annotations`, and the image files beside it.

Ids are whole numbers from 1, in the order of the digests. A file name is relative, with slashes. An image that others
may not have has no file; `coco_url` says where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backend.methods.exports.json_parts import JsonLists
from backend.methods.exports.pictures import Picture, flat_caption

FOLDER = "images"
FIELDS = ("digest", "key", "author", "title", "source_url", "attribution")


def keep_picture(folder: Path, picture: Picture) -> str:
    """Write the image into `images/` if others may have it. Returns its relative name in any case."""
    name = f"{FOLDER}/{picture.name}"
    data = picture.bytes_for_others()
    if data is not None:
        (folder / FOLDER).mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return name


def write_coco(
    folder: Path, pictures: Iterable[Picture], *, name: str, version: str, licences: Iterable[tuple[str, str]]
) -> Path:
    """captions.json in `folder`. `licences` are the code and the address of each licence of the release."""
    folder.mkdir(parents=True, exist_ok=True)
    known = sorted(licences)
    number_of = {code: n for n, (code, _) in enumerate(known, start=1)}
    head = {
        "info": {"description": name, "version": version, "url": "", "contributor": ""},
        "licenses": [{"id": n, "name": code, "url": url} for n, (code, url) in enumerate(known, start=1)],
    }
    path, n_captions = folder / "captions.json", 0
    with JsonLists(path, ("images", "annotations"), head) as lists:
        for n, picture in enumerate(pictures, start=1):
            lists.add("images", _image(n, keep_picture(folder, picture), picture, number_of))
            for caption in picture.line["captions"]:
                n_captions += 1
                lists.add("annotations", _annotation(n_captions, n, flat_caption(caption)))
    return path


def _image(number: int, file: str, picture: Picture, number_of: dict[str, int]) -> dict[str, Any]:
    line = picture.line
    return {
        "id": number,
        "file_name": file,
        "width": line["width"],
        "height": line["height"],
        "license": number_of[line["licence"]],
        "coco_url": line["source_url"],
        "split": picture.split,
        **{name: line[name] for name in FIELDS},
    }


def _annotation(number: int, image: int, caption: dict[str, Any]) -> dict[str, Any]:
    text, key = caption.pop("text"), caption.pop("key")
    return {"id": number, "image_id": image, "caption": text, "caption_key": key, **caption}
