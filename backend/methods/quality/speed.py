"""Too fast: more than five answers in a hundred under a fifth of what the middle person's quick answers take.

A person's quick answers are the fastest quarter of their own: they end at their own lower quartile of focus time. The
floor is a fifth of the median of these over people; each person weighs once. A person with many or fast answers does
not move it while at least half of the people look at what they judge. A person three times as quick as the
median person, whose times spread as times usually do (lognormal, .5 on the scale of logarithms), has five answers in a
hundred below it. Their number is taken as binomial; p = P(as many or more).

>>> floor = floor_of([quick_of([0.2] * 900), quick_of([3.0] * 60), quick_of([6.0] * 60)])
>>> floor, too_fast([0.2] * 20, floor=floor).p_value < 1e-6
(0.6, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

SHARE = 0.05
QUICK_OF = 4  # answers, of which one is quick
QUICKER = 5  # times, and an answer is no longer one that somebody gave who looked
FEWEST_TIMES = 10  # of a person, before they say anything of how long answers take


@dataclass(frozen=True)
class Speed:
    """Seconds. `median` and `p_value` are None without an answer."""

    n: int
    n_below: int
    floor: float
    median: float | None
    p_value: float | None


def quick_of(seconds: ArrayLike) -> float | None:
    """A person's own lower quartile of time, one of their times; None below FEWEST_TIMES.

    Raises ValueError on a time below zero.
    """
    times = np.sort(np.asarray(seconds, dtype=np.float64))
    if not (times >= 0).all():
        raise ValueError("The floor needs times, none of them below zero.")
    return float(times[-(-times.size // QUICK_OF) - 1]) if times.size >= FEWEST_TIMES else None


def floor_of(quick: Iterable[float]) -> float | None:
    """The floor from each person's own quick time; of two in the middle the slower counts. None without a person."""
    known = sorted(quick)
    return known[len(known) // 2] / QUICKER if known else None


def too_fast(seconds: Sequence[float], *, floor: float) -> Speed:
    """How many of one annotator's times lie below the floor, and how likely so many are. Strictly below."""
    n_below = sum(each < floor for each in seconds)
    if not seconds:
        return Speed(0, 0, floor, None, None)
    p_value = float(binomtest(n_below, len(seconds), SHARE, alternative="greater").pvalue)
    return Speed(len(seconds), n_below, floor, float(np.median(seconds)), p_value)
