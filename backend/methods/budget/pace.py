"""How long judging takes: focus time a judgment, from the newest assignments, with a bootstrap interval.

People are not equally fast, and who does what is left is not known: where several have been timed the interval is as
wide, at least, as if they were a draw of those to come (a ratio of clusters; Cochran, chapter 6).

Hidden controls are judged in the same time, so their time belongs to the ordinary judgments, that of a page which
holds nothing else too: HITs of one pair have such pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from backend.methods.budget.left import Span

LEAST = 20
REPLICATES = 1000


@dataclass(frozen=True)
class Timed:
    """One assignment: focus seconds on all that was shown, how many ordinary pairs were judged in them, and whose."""

    seconds: float
    n_judgments: int
    who: int = 0


@dataclass(frozen=True)
class Pace:
    """Seconds a judgment, and the median seconds an assignment took. `reach_of_one`: how far from the mean, in means
    and at the same level, one judgment to come may take; the mean of n to come is off by that over sqrt(n)."""

    per_judgment: Span
    median_assignment: float
    n: int
    reach_of_one: float = 0.0


def pace_of(timed: Sequence[Timed], *, level: float = 0.95, seed: int = 0) -> Pace | None:
    """The pace of assignments, drawn again as wholes for the interval; None of fewer than LEAST with ordinary pairs."""
    if sum(each.n_judgments > 0 for each in timed) < LEAST:
        return None
    rows = np.array([(each.seconds, each.n_judgments) for each in timed], dtype=np.float64)
    drawn = np.random.default_rng(seed).integers(len(rows), size=(REPLICATES, len(rows)))
    sums = rows[drawn].sum(axis=1)
    low, high = np.quantile(sums[:, 0] / sums[:, 1], [(1 - level) / 2, (1 + level) / 2])
    total = rows.sum(axis=0)
    mean, of_people = float(total[0] / total[1]), _reach_of_people(timed, level)
    span = Span(mean, min(float(low), max(0.0, mean - of_people)), max(float(high), mean + of_people))
    off = ((rows[:, 0] - span.mean * rows[:, 1]) ** 2).sum() / total[1]  # squared seconds, for each judgment
    reach = NormalDist().inv_cdf((1 + level) / 2) * sqrt(off) / span.mean if span.mean else 0.0
    return Pace(span, float(np.median(rows[:, 0])), len(rows), float(reach))


def _reach_of_people(timed: Sequence[Timed], level: float) -> float:
    """How far the mean may be off because only these annotators were timed; 0 for one annotator: it is unknown."""
    people = sorted({each.who for each in timed})
    rows = np.array([(each.seconds, each.n_judgments) for each in timed], dtype=np.float64)
    which = np.searchsorted(people, [each.who for each in timed])
    sums = np.stack([np.bincount(which, weights=column) for column in rows.T])
    if len(people) < 2:
        return 0.0
    off = sums[0] - sums[0].sum() / sums[1].sum() * sums[1]
    spread = sqrt(len(people) / (len(people) - 1) * float((off**2).sum())) / float(sums[1].sum())
    return NormalDist().inv_cdf((1 + level) / 2) * spread


def hours_of(judgments: Span, pace: Pace) -> Span:
    """Hours of judgments to come. Three things are not known: how many judgments, what one takes in the mean, and how
    far those to come are from that mean, which is much of it towards the end. Their relative reaches add up as squares.
    """
    seconds = pace.per_judgment
    if not judgments.mean or not seconds.mean:
        return Span(0.0, 0.0, 0.0)
    chance, hours = pace.reach_of_one / sqrt(judgments.mean), judgments.mean * seconds.mean / 3600
    low, high = (float(np.hypot.reduce([_reach(judgments, at), _reach(seconds, at), chance])) for at in ("low", "high"))
    return Span(hours, max(0.0, hours * (1 - low)), hours * (1 + high))


def _reach(span: Span, end: str) -> float:
    """How far an end of the interval is from its mean, in means."""
    return float(abs(getattr(span, end) - span.mean) / span.mean)
