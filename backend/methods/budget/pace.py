"""How long judging takes: focus time a judgment, from the newest assignments, with a bootstrap interval.

Hidden controls are judged in the same time, so their time belongs to the ordinary judgments beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.methods.budget.left import Span

LEAST = 20
REPLICATES = 1000


@dataclass(frozen=True)
class Timed:
    """One assignment: focus seconds on all that was shown, and how many ordinary pairs were judged in them."""

    seconds: float
    n_judgments: int


@dataclass(frozen=True)
class Pace:
    """Seconds a judgment, and the median seconds an assignment took."""

    per_judgment: Span
    median_assignment: float
    n: int


def pace_of(timed: Sequence[Timed], *, level: float = 0.95, seed: int = 0) -> Pace | None:
    """The pace of assignments, drawn again as wholes for the interval; None of fewer than LEAST of them."""
    usable = [each for each in timed if each.n_judgments > 0]
    if len(usable) < LEAST:
        return None
    rows = np.array([(each.seconds, each.n_judgments) for each in usable], dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(len(rows), size=(REPLICATES, len(rows)))
    sums = rows[drawn].sum(axis=1)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [(1 - level) / 2, (1 + level) / 2])
    total = rows.sum(axis=0)
    return Pace(Span(float(total[0] / total[1]), float(low), float(high)), float(np.median(rows[:, 0])), len(rows))


def hours_of(judgments: Span, pace: Pace) -> Span:
    """Hours of judgments to come. Relative reaches of two independent estimates add up as squares."""
    seconds = pace.per_judgment
    return Span(
        judgments.mean * seconds.mean / 3600,
        max(0.0, judgments.mean * seconds.mean * (1 - _joint(judgments, seconds, low=True))) / 3600,
        judgments.mean * seconds.mean * (1 + _joint(judgments, seconds, low=False)) / 3600,
    )


def _joint(one: Span, other: Span, *, low: bool) -> float:
    reaches = [abs((each.low if low else each.high) - each.mean) / each.mean for each in (one, other) if each.mean]
    return float(np.hypot.reduce(reaches)) if len(reaches) == 2 else 0.0
