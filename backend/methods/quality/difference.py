"""The difference of two shares with its interval.

Newcombe (1998), "Interval estimation for the difference between independent proportions: comparison of eleven methods",
Statistics in Medicine 17, method 10: Wilson's limits of both shares make the limits of their difference. Unlike the
textbook interval it stays inside -1 and 1, and is not of length zero where all or none succeeded.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from backend.methods.quality.disagreement import wilson


@dataclass(frozen=True)
class Difference:
    """How much larger the second share is, with its 95% interval."""

    value: float
    low: float
    high: float


def difference_of_shares(first: tuple[int, int], second: tuple[int, int]) -> Difference:
    """`second` less `first`, each as (k, n). Raises ValueError without a trial on either side."""
    (low_1, high_1), (low_2, high_2) = wilson(*first), wilson(*second)
    share_1, share_2 = first[0] / first[1], second[0] / second[1]
    value = share_2 - share_1
    low = value - hypot(share_2 - low_2, high_1 - share_1)
    high = value + hypot(high_2 - share_2, share_1 - low_1)
    return Difference(value, max(-1.0, low), min(1.0, high))
