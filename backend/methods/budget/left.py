"""What is left to judge: slots that are open, and what unfinished HITs will still come to need.

Finished HITs say how many assignments HITs came to need beyond the overlap. Each unfinished HIT will need as many as
one of these, drawn by lot; the interval draws the finished HITs again as well (bootstrap). Two HITs are added to them,
one that needed nothing more and one that needed the most: so a few HITs do not give a narrow interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

REPLICATES = 1000


@dataclass(frozen=True)
class Span:
    """A mean with its interval."""

    mean: float
    low: float
    high: float


NOTHING = Span(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Work:
    """Assignments, and judgments of pairs in them."""

    assignments: float
    judgments: float


@dataclass(frozen=True)
class Left:
    """What is left of `n_hits` unfinished HITs."""

    n_hits: int
    assignments: Span
    judgments: Span


def left_of(
    *, is_open: Work, n_hits: int, extra: Sequence[Work], most: Work, level: float = 0.95, seed: int = 0
) -> Left:
    """What is left where `is_open` is certain, and `n_hits` are unfinished.

    `extra` is what finished HITs came to need beyond the overlap, and `most` the most that one can need; where that is
    nothing, as under a fixed overlap without withdrawn votes, the interval has no width.
    """
    known = [*extra, Work(0, 0), most]
    rows = np.array([(each.assignments, each.judgments) for each in known], dtype=np.float64)
    totals = _draw(rows, n_hits, np.random.default_rng(seed))
    low, high = np.quantile(totals, [(1 - level) / 2, (1 + level) / 2], axis=0)
    means = n_hits * rows.mean(axis=0)
    first = (is_open.assignments, is_open.judgments)
    spans = [
        Span(float(at + mean), float(at + min(low[n], mean)), float(at + max(high[n], mean)))
        for n, (at, mean) in enumerate(zip(first, means, strict=True))
    ]
    return Left(n_hits, *spans)


def _draw(rows: NDArray[np.float64], n: int, random: np.random.Generator) -> NDArray[np.float64]:
    """Sums of `n` rows drawn from rows that are drawn again, (REPLICATES, 2). Many rows are equal, so that it draws how
    often each of the different ones comes."""
    different, counts = np.unique(rows, axis=0, return_counts=True)
    again = random.multinomial(len(rows), counts / len(rows), size=REPLICATES) / len(rows)
    totals: NDArray[np.float64] = random.multinomial(n, again) @ different
    return totals
