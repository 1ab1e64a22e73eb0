"""A share with its interval, as every table of people shows it."""

from __future__ import annotations

from dataclasses import dataclass

from backend.methods.quality.disagreement import wilson


@dataclass(frozen=True)
class Share:
    """k of n with Wilson's 95% interval."""

    k: int
    n: int
    share: float
    low: float
    high: float


def share_of(k: int, n: int) -> Share | None:
    """None of nothing."""
    if not n:
        return None
    low, high = wilson(k, n)
    return Share(k, n, k / n, low, high)
