"""What the checks of a GPU have in common: rows of a table, clocks that wait for the card, pictures and sentences."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image

from workers.engines import devices
from workers.engines.devices import PRECISIONS
from workers.engines.protocols import Vectors

# Of unit vectors by a card against a processor's: the largest difference of a number, and the least cosine.
TOLERANCES = {"float32": (1e-4, 0.99999), "bfloat16": (3e-2, 0.99)}
SECONDS = 1.5  # that a rate is measured for, at least


@dataclass(frozen=True)
class Row:
    """One line of the table. `passed` is None where there is no bound: `found` is a figure."""

    subject: str
    what: str
    found: str
    bound: str = ""
    passed: bool | None = None


@dataclass(frozen=True)
class Setup:
    """What a check runs on: `device` against the processor. `n` pictures, and some more texts, measure a rate."""

    device: Any
    scratch: Path
    n: int

    @property
    def is_small(self) -> bool:
        """Whether this is a trial of the checks themselves: what they measure means nothing."""
        return self.n < 64

    def rate(self, work: Callable[[], object], n_items: int) -> float:
        """Items per second: the median of several turns after one that is not counted; of one turn where n is small."""
        turns: list[float] = []
        if not self.is_small:
            work()
        while not turns or (not self.is_small and (sum(turns) < SECONDS or len(turns) < 3)):
            wait_for(self.device)
            start = time.perf_counter()
            work()
            wait_for(self.device)
            turns.append(time.perf_counter() - start)
        return n_items / median(turns)


def wait_for(device: Any) -> None:
    """Waits until the card has done its work: a card runs its commands later."""
    if device.type == "cuda":
        import torch

        torch.cuda.synchronize(device)


@contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """The variable has this value until the end."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def in_each_precision(device: Any) -> Iterator[str]:
    """Sets each precision in turn while the caller works. A processor has one."""
    for precision in PRECISIONS if device.type == "cuda" else PRECISIONS[:1]:
        with environment(devices.PRECISION, precision):
            yield precision


def same(subject: str, precision: str, ours: Vectors, theirs: Vectors) -> Row:
    """Whether the card's unit vectors are those of the processor, row by row."""
    largest, least = TOLERANCES[precision]
    difference = float(np.abs(ours - theirs).max())
    cosine = float(np.einsum("nd,nd->n", ours.astype(np.float64), theirs.astype(np.float64)).min())
    return Row(
        subject,
        f"same {len(ours)} vectors as the processor, {precision}",
        f"difference {difference:.1e}, cosine {cosine:.7f}",
        f"difference <= {largest:.0e}, cosine >= {least}",
        difference <= largest and cosine >= least,
    )


def throughput(subject: str, precision: str, unit: str, bare: float, engine: float, **beside: float) -> Row:
    """The engine's rate as a ratio to bare forward passes."""
    more = "".join(f", {what.replace('_', ' ')} {rate:,.0f}" for what, rate in beside.items())
    return Row(
        subject,
        f"{unit} per second, {precision}",
        f"engine {engine:,.0f} / bare {bare:,.0f} = {engine / bare:.2f}{more}",
    )


def photograph(seed: int, size: tuple[int, int]) -> Image.Image:
    """A smooth RGB picture with some noise, like no other seed's."""
    rng = np.random.default_rng(seed)
    smooth = Image.fromarray(rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)).resize(size, Image.Resampling.BICUBIC)
    noise = rng.normal(0, 6, (size[1], size[0], 3))
    return Image.fromarray((np.asarray(smooth) + noise).clip(0, 255).astype(np.uint8))


@cache
def photographs(n: int, size: tuple[int, int] = (640, 480)) -> list[tuple[str, bytes]]:
    """`n` JPEG files in memory, of which 64 at most differ, with their keys."""
    files = []
    for seed in range(min(n, 64)):
        out = io.BytesIO()
        photograph(seed, size).save(out, "JPEG", quality=88)
        files.append(out.getvalue())
    return [(str(place), files[place % len(files)]) for place in range(n)]


WORDS = (
    "a the two three man woman child dog cat horse bird car boat train street river mountain field beach window table "
    "plate cup bread apple red blue green yellow white black old young small large runs sits stands waits walks looks "
    "under over beside behind near with without in on at during morning evening summer winter rain snow light shadow "
    "music market station bridge garden kitchen"
)


def sentences(n: int) -> list[str]:
    """`n` sentences of 4 to 24 words, the same each time."""
    rng, words = np.random.default_rng(7), WORDS.split()
    return [" ".join(rng.choice(words, size=rng.integers(4, 25))) for _ in range(n)]


def encoded(encoder: Any, pictures: list[tuple[str, Any]]) -> Vectors:
    """The vectors of an image encoder, all of them. No picture may have been skipped."""
    vectors = np.concatenate([block.vectors for block in encoder.encode(pictures)])
    assert len(vectors) == len(pictures), f"{len(pictures) - len(vectors)} pictures were skipped"
    return vectors
