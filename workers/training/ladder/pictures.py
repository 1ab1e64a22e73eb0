"""Postcards drawn once and kept, in blocks: a block is whole or not there, so a drawing that was cut off goes on.

The folder is named for the look, so that pictures of another look are never learned from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from workers.training.postcards.drawing import draw
from workers.training.postcards.world import scene_of

Pixels = NDArray[np.uint8]
Size = tuple[int, int]  # height, width
BLOCK = 500
WIDTH = 192  # drawn at, twice the widest a model sees, so that grain and outlines are averaged as in a large picture
DIGITS, N_PROBES, PROBE_WIDTH = 12, 32, 96


@cache
def look() -> str:
    """A digest of how a few postcards look today: it changes with what is painted and not with how that is written."""
    found = hashlib.sha256()
    for seed in range(N_PROBES):
        found.update(draw(scene_of(seed), PROBE_WIDTH).tobytes())
    return found.hexdigest()[:DIGITS]


def pictures(store: Path, first: int, n: int, size: Size, say: Callable[[str], None], *, workers: int = 2) -> Pixels:
    """uint8 (n, height, width, 3): the scenes of `n` seeds from `first`, squashed to `size`."""
    found = np.empty((n, *size, 3), dtype=np.uint8)
    for i, picture in enumerate(whole(drawn(store, first, n, say, workers=workers), n)):
        found[i] = squashed(picture, size)
    return found


def whole(files: Sequence[Path], n: int) -> Iterator[Image.Image]:
    """The first `n` pictures of these blocks as they were drawn."""
    for i, file in enumerate(files):
        for picture in np.load(file)[: n - i * BLOCK]:
            yield Image.fromarray(picture)


def squashed(picture: Image.Image, size: Size) -> Pixels:
    """As open_clip's resize_mode "squash" does it, bicubic."""
    return np.asarray(picture.resize((size[1], size[0]), Image.Resampling.BICUBIC))


def drawn(
    store: Path, first: int, n: int, say: Callable[[str], None], *, width: int = WIDTH, workers: int = 2
) -> Sequence[Path]:
    """The files of the blocks that hold these seeds; those that are missing are drawn, `workers` at a time."""
    folder = store / f"{look()}-{width}"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{seed}.npy" for seed in range(first, first + n, BLOCK)]
    missing = [file for file in files if not file.exists()]
    if not missing:
        return files
    with ProcessPoolExecutor(workers) as pool:
        for i, _ in enumerate(pool.map(partial(_draw_block, width), missing), 1):
            if i % 4 == 0 or i == len(missing):
                say(f"postcards from {first}: {i * BLOCK} drawn, {(len(missing) - i) * BLOCK} to go")
    return files


def _draw_block(width: int, file: Path) -> None:
    first = int(file.stem)
    block = np.stack([np.asarray(draw(scene_of(seed), width)) for seed in range(first, first + BLOCK)])
    half = file.with_suffix(".part")
    with half.open("wb") as out:
        np.save(out, block)
    half.replace(file)
