"""When the work is done: what is left, at the pace of the last days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from backend.methods.budget.left import Span

LEAST_DAYS = 3
MOST_DAYS = 3650.0  # later than that is never
REPLICATES = 1000


@dataclass(frozen=True)
class Finish:
    """Assignments a day over the last `n_days`, and the days until none is left, from today."""

    per_day: Span
    days: Span
    n_days: int


def finish_of(left: Span, daily: Sequence[int], *, level: float = 0.95, seed: int = 0) -> Finish | None:
    """The end of `left` assignments where `daily` are the whole days before today, idle ones too.

    Days are drawn again for the interval (bootstrap), and what is left is drawn from a normal curve with its own
    interval. None of fewer than LEAST_DAYS, of days without work, and where nothing is left.
    """
    if len(daily) < LEAST_DAYS or not sum(daily) or not left.mean:
        return None
    random = np.random.default_rng(seed)
    days = np.asarray(daily, dtype=np.float64)
    paces = days[random.integers(len(days), size=(REPLICATES, len(days)))].mean(axis=1)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    spread = (left.high - left.low) / (2 * reach)
    lefts = np.clip(random.normal(left.mean, spread, size=REPLICATES), left.low, left.high)
    ends = [(1 - level) / 2, (1 + level) / 2]
    per_day, pace = np.quantile(paces, ends), float(days.mean())
    slowest = 1 / len(days)  # a draw of idle days alone still has an end
    low, high = np.quantile(np.minimum(lefts / np.maximum(paces, slowest), MOST_DAYS), ends)
    mean = min(left.mean / pace, MOST_DAYS)
    return Finish(
        Span(pace, float(per_day[0]), float(per_day[1])),
        Span(mean, min(float(low), mean), max(float(high), mean)),
        len(days),
    )
