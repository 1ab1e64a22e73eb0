"""Too fast: more answers under the pool's fifth percentile of time than five in a hundred.

The floor is the 5th percentile of the focus time that all annotators spent on an item of the same kind. A person's
number of answers below it is binomial if they work like the others; p = P(as many or more).

>>> too_fast([0.4] * 10 + [5.0] * 10, floor=1.0).p_value < 1e-6
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binomtest

SHARE = 0.05


@dataclass(frozen=True)
class Speed:
    """Seconds. `median` and `p_value` are None without an answer."""

    n: int
    n_below: int
    floor: float
    median: float | None
    p_value: float | None


def floor_of(seconds: ArrayLike) -> float:
    """The 5th percentile of a pool's times. Raises ValueError on an empty pool and on a time below zero."""
    times = np.asarray(seconds, dtype=np.float64)
    if not times.size or not (times >= 0).all():
        raise ValueError("The floor needs times, none of them below zero.")
    return float(np.quantile(times, SHARE))


def too_fast(seconds: Sequence[float], *, floor: float) -> Speed:
    """Whether one annotator's times lie below the floor more often than the pool's. Strictly below: a pool in which all
    took the same time has no fast one."""
    n_below = sum(each < floor for each in seconds)
    if not seconds:
        return Speed(0, 0, floor, None, None)
    p_value = float(binomtest(n_below, len(seconds), SHARE, alternative="greater").pvalue)
    return Speed(len(seconds), n_below, floor, float(np.median(seconds)), p_value)
