"""The vectors of image-caption pairs as files, and the threshold that they give: no memory grows with their number.

Three files of one folder: the vectors of the images, those of the captions, and a number for each caption that is the
same for equal texts. Whoever was killed goes on behind the rows that were noted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.methods.calibration import Calibration, Point, calibrate_with_curve
from workers.engines.in_order import map_in_order
from workers.engines.protocols import ImageEncoder, Skipped, TextEncoder, Vectors
from workers.engines.vector_file import VectorFile

SLICE = 512  # pairs that are read together
Towers = tuple[ImageEncoder, TextEncoder]


class Unreadable(Exception):
    """The image of a pair cannot be read; the message says why."""


class Pair(NamedTuple):
    """An image and its caption. `read` gives the bytes of the image or raises Unreadable."""

    key: str
    text: str
    read: Callable[[], bytes]


class PairVectors:
    """Use it in `with`. `n` is the number of rows that an earlier one left."""

    def __init__(self, folder: Path, towers: Towers, n: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._ids = folder / "texts.ids"
        self._files = [
            VectorFile(folder / "images.f32", towers[0].dimensions, n),
            VectorFile(folder / "texts.f32", towers[1].dimensions, n),
        ]
        self.n = n

    def __enter__(self) -> PairVectors:
        self._stack = ExitStack()
        for file in self._files:
            self._stack.enter_context(file)
        self._written = self._stack.enter_context(self._ids.open("ab"))
        self._written.truncate(self.n * 8)
        return self

    def __exit__(self, *problem: object) -> None:
        self._stack.close()

    @staticmethod
    def has(folder: Path, towers: Towers, n: int) -> bool:
        """Whether at least `n` rows lie in the folder."""
        ids = folder / "texts.ids"
        return not n or (
            ids.is_file()
            and ids.stat().st_size >= n * 8
            and VectorFile.has(folder / "images.f32", towers[0].dimensions, n)
            and VectorFile.has(folder / "texts.f32", towers[1].dimensions, n)
        )

    def add(self, images: Vectors, captions: Vectors, texts: Sequence[str]) -> None:
        """Append rows, and let them reach the disk. Raises OSError where it is full."""
        for file, vectors in zip(self._files, (images, captions), strict=True):
            file.add(vectors)
            file.read()  # flushes it
        self._written.write(np.array([_id_of(text) for text in texts], dtype=np.int64).tobytes())
        self._written.flush()
        self.n += len(texts)

    def calibrate(self, *, batch_size: int, seed: int) -> tuple[Calibration, list[Point]]:
        """The threshold and the curve of all rows. Raises NotCalibratedError."""
        images, captions = (file.read() for file in self._files)
        ids = np.memmap(self._ids, dtype=np.int64, mode="r") if self.n else np.empty(0, dtype=np.int64)
        return calibrate_with_curve(images, ids, captions, batch_size=batch_size, seed=seed)


def encode_pairs(towers: Towers, pairs: Sequence[Pair], store: PairVectors) -> list[Skipped]:
    """Write the vectors of some pairs with different keys; returns those whose image cannot be read."""
    images, captions = towers
    texts = {pair.key: pair.text for pair in pairs}
    lost: list[Skipped] = []
    for block in images.encode(_readable(pairs, lost)):
        told = [texts[key] for key in block.keys]
        if told:
            store.add(block.vectors, captions.encode(told), told)
        lost += block.skipped
    return lost


def slices(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, ...]]:
    """The pairs in slices of SLICE."""
    left = iter(pairs)
    while some := tuple(islice(left, SLICE)):
        yield some


def _readable(pairs: Sequence[Pair], lost: list[Skipped]) -> Iterator[tuple[str, bytes]]:
    for key, data in map_in_order(_read, pairs):
        if isinstance(data, bytes):
            yield key, data
        else:
            lost.append(Skipped(key, data))


def _read(pair: Pair) -> tuple[str, bytes | str]:
    try:
        return pair.key, pair.read()
    except Unreadable as error:
        return pair.key, str(error)


def _id_of(text: str) -> int:
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
