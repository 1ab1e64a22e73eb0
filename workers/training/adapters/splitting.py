"""Which images an adapter learns from, and which it is measured on: no image, caption or vector is on both sides."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from backend.methods.benchmarks.data import BenchmarkData, DataError

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
TOO_FEW = "{name} cannot be split: {why}."


@dataclass(frozen=True)
class Split:
    """Right pairs to learn from, the numbers of the held-out images and texts, and how many captions were left out
    since they read like a held-out one or have its vector."""

    image: Ints
    text: Ints
    held_images: Ints
    held_texts: Ints
    n_left_out: int
    n_groups: int


def split(data: BenchmarkData, images: Floats, texts: Floats, *, share: float, seed: int) -> Split:
    """About `share` of the images held out, by a hash of the seed and their ids: the order of rows means nothing.

    Images that share a caption, or have the same vector, stay on one side. A caption to learn from that reads like a
    held-out one, or has its vector, is left out. Raises DataError where a side would be empty.
    """
    group = _groups(data, images)
    held_out = _held_out(data, group, share, seed)
    of_pair = held_out[data.pairs.image]
    held_texts = np.unique(data.pairs.text[of_pair])
    words = _words(data)
    seen = {words[at] for at in held_texts.tolist()} | {texts[at].tobytes() for at in held_texts.tolist()}
    leaks = np.array([words[at] in seen or texts[at].tobytes() in seen for at in range(len(data.texts))], bool)
    chosen = ~of_pair & ~leaks[data.pairs.text]
    found = Split(
        data.pairs.image[chosen],
        data.pairs.text[chosen],
        np.flatnonzero(held_out),
        held_texts,
        len(np.unique(data.pairs.text[~of_pair & leaks[data.pairs.text]])),
        int(group.max()) + 1,
    )
    if not len(found.image):
        raise DataError(TOO_FEW.format(name=data.name, why="no pair is left to learn from"))
    if share and not len(found.held_texts):
        raise DataError(TOO_FEW.format(name=data.name, why="no pair is held out"))
    check(data, images, texts, found)
    return found


def check(data: BenchmarkData, images: Floats, texts: Floats, found: Split) -> None:
    """Raises DataError where an image, a caption, its words or a vector is on both sides."""
    words = _words(data)
    sides = (
        ("image", set(found.image.tolist()), set(found.held_images.tolist())),
        ("caption", set(found.text.tolist()), set(found.held_texts.tolist())),
        ("text", {words[at] for at in found.text.tolist()}, {words[at] for at in found.held_texts.tolist()}),
        ("image vector", _bytes(images, found.image), _bytes(images, found.held_images)),
        ("text vector", _bytes(texts, found.text), _bytes(texts, found.held_texts)),
    )
    for what, learned, held in sides:
        if both := learned & held:
            raise DataError(f"{data.name}: {len(both):,} times the same {what} is on both sides of the split.")


def _groups(data: BenchmarkData, images: Floats) -> Ints:
    """A number for each image, the same for images that share a caption or have the same vector."""
    n = len(data.images)
    _, same = np.unique(images, axis=0, return_inverse=True)
    nodes = n + len(data.texts) + (int(same.max()) + 1 if n else 0)
    one = np.r_[data.pairs.image, np.arange(n)]
    other = np.r_[n + data.pairs.text, n + len(data.texts) + same.ravel()]
    graph = coo_array((np.ones(len(one), bool), (one, other)), shape=(nodes, nodes))
    label = connected_components(graph, directed=False)[1][:n]
    return np.asarray(np.unique(label, return_inverse=True)[1], np.int64).ravel()


def _held_out(data: BenchmarkData, group: Ints, share: float, seed: int) -> NDArray[np.bool_]:
    """Whole groups by the hash of their least image id, until there are `share` of the images."""
    names: dict[int, str] = {}
    for number, image in zip(group.tolist(), data.images, strict=True):
        names[number] = min(names.get(number, image), image)
    marks = {
        number: hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogatepass")).digest()
        for number, name in names.items()
    }
    sizes = np.bincount(group)
    chosen, n, wanted = [], 0, round(share * len(group))
    for number in sorted(marks, key=lambda each: marks[each]):
        if n + sizes[number] <= wanted:
            chosen.append(number)
            n += sizes[number]
    return np.isin(group, chosen)


def _words(data: BenchmarkData) -> list[str]:
    """The words of each text in one writing; its id where the data have no words."""
    if data.captions is None:
        return list(data.texts)
    return [" ".join(text.casefold().split()) for text in data.captions]


def _bytes(vectors: Floats, numbers: Ints) -> set[bytes]:
    return {vectors[at].tobytes() for at in np.unique(numbers).tolist()}
