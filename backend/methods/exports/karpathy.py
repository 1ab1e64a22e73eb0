"""Karpathy's layout: `{"dataset": ..., "images": [{"filename", "split", "sentences": [{"raw", "tokens"}]}]}`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backend.methods.exports.coco import FOLDER, keep_picture
from backend.methods.exports.json_parts import JsonLists
from backend.methods.exports.pictures import Picture, flat_caption

WORD = re.compile(r"\w+(?:['’]\w+)*")
SPLIT = {"train": "train", "validation": "val", "test": "test"}
FIELDS = ("digest", "key", "width", "height", "author", "title", "source_url", "attribution")


def write_karpathy(folder: Path, pictures: Iterable[Picture], *, name: str) -> Path:
    """dataset.json in `folder`, and the image files that others may have in `images/`."""
    folder.mkdir(parents=True, exist_ok=True)
    path, n_sentences = folder / "dataset.json", 0
    with JsonLists(path, ("images",), {"dataset": name}) as lists:
        for n, picture in enumerate(pictures):
            keep_picture(folder, picture)
            sentences = []
            for caption in picture.line["captions"]:
                sentences.append(_sentence(n_sentences, n, flat_caption(caption)))
                n_sentences += 1
            lists.add("images", _image(n, picture, sentences))
    return path


def _image(number: int, picture: Picture, sentences: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "imgid": number,
        "filename": picture.name,
        "filepath": FOLDER,
        "split": SPLIT[picture.split],
        "sentids": [sentence["sentid"] for sentence in sentences],
        "sentences": sentences,
        "license": picture.line["licence"],
        **{name: picture.line[name] for name in FIELDS},
    }


def _sentence(number: int, image: int, caption: dict[str, Any]) -> dict[str, Any]:
    text = caption.pop("text")
    return {
        "sentid": number,
        "imgid": image,
        "raw": text,
        "tokens": [word.lower() for word in WORD.findall(text)],
        "caption_key": caption.pop("key"),
        **caption,
    }
