"""What time and memory an evaluation will take, measured on a small part of it."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from backend.methods.benchmarks.data import BenchmarkData
from backend.methods.ranking import DotProducts, ScoreSource
from backend.methods.ranking.blocks import ROWS

MOST_TRIED = 16_384  # texts in the block that is timed
PER_BLOCK = 2.0  # time of a block's scores and counts over that of its scores
COPIES = 3  # of a block that are in memory at once


@dataclass(frozen=True)
class Plan:
    """Seconds by step, and bytes of memory without the model itself."""

    seconds: dict[str, float]
    n_bytes: int

    def __str__(self) -> str:
        """As the command says it."""
        parts = ", ".join(f"{name} {duration(value)}" for name, value in self.seconds.items())
        return f"about {duration(sum(self.seconds.values()))} and {self.n_bytes / 2**20:,.0f} MB ({parts})"


def plan_encoding(data: BenchmarkData, dimensions: int, for_images: float, for_captions: float) -> Plan:
    """The plan of a model that encodes for so many seconds and then ranks."""
    n, m = len(data.images), len(data.texts)
    tried = min(m, MOST_TRIED)
    rng = np.random.default_rng(0)
    source = DotProducts(*(rng.standard_normal((k, dimensions), np.float32) for k in (min(n, ROWS), tried)))
    ranks = _seconds_of_block(source) * m / max(1, tried) * n / max(1, min(n, ROWS))
    vectors = 4 * dimensions * (2 * n + 3 * m)
    seconds = {"images": for_images, "captions": for_captions, "ranks": ranks}
    return Plan(seconds, vectors + COPIES * 4 * ROWS * m)


def plan_ranks(source: ScoreSource) -> Plan:
    """The plan of scores that exist: one block is timed."""
    n = source.n_images
    first = min(n, ROWS)
    return Plan({"ranks": _seconds_of_block(source) * n / max(1, first)}, COPIES * 4 * ROWS * source.n_texts)


def _seconds_of_block(source: ScoreSource) -> float:
    begun = time.perf_counter()
    source.block(0, min(ROWS, source.n_images))
    return PER_BLOCK * (time.perf_counter() - begun)


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"
