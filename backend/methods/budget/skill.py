"""How often the annotators of a project are right: from hidden controls, else from how often they agree.

Who is right with probability q and errs evenly over the two other labels agrees with another such person with
probability P = q^2 + (1 - q)^2 / 2, whatever the truth is. Solved for q: (1 + sqrt(6 P - 2)) / 3, for P of 1/3 or more.

>>> round(skill_from_agreement(73, 100).value, 3)
0.848
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

from scipy.stats import beta

from backend.methods.aggregation import annotator_skill

Source = Literal["controls", "agreement", "assumed"]
LEAST = 20  # controls met, or twos of votes, below which a figure says nothing
ASSUMED = (0.8, 0.6, 0.95)
WORST, BEST = 0.34, 0.99  # beyond them the stop rule would never stop, or at once


@dataclass(frozen=True)
class PoolSkill:
    """How often people are right, with an interval, from what, and from how many of it."""

    value: float
    low: float
    high: float
    source: Source
    n: int


@dataclass(frozen=True)
class Graded:
    """One annotator's hidden controls, and how many HITs they submitted. Who was unsure of a control is not graded on
    it, and the stop rule does not count it; right they were not."""

    n_graded: int
    n_failed: int
    n_submitted: int
    n_unsure: int = 0

    @property
    def n_met(self) -> int:
        return self.n_graded + self.n_unsure

    @property
    def n_right(self) -> int:
        return self.n_graded - self.n_failed

    @property
    def n_wrong(self) -> int:
        return self.n_failed + self.n_unsure


def pool_skill(people: Sequence[Graded], *, n_equal: int, n_twos: int, level: float = 0.95) -> PoolSkill:
    """The skill of a pool from its controls; with too few of them from `n_equal` of `n_twos` votes that agree; and
    with too few of these an assumption."""
    n_met, n_right = sum(each.n_met for each in people), sum(each.n_right for each in people)
    if n_met >= LEAST:
        low, high = _interval(n_right, n_met, level)
        value = annotator_skill(n_right, n_met)
        return PoolSkill(_possible(value), _possible(low), _possible(high), "controls", n_met)
    if n_twos >= LEAST:
        return skill_from_agreement(n_equal, n_twos, level=level)
    return PoolSkill(*ASSUMED, "assumed", 0)


def skill_from_agreement(n_equal: int, n_twos: int, *, level: float = 0.95) -> PoolSkill:
    """The skill from how many of the twos of votes on a pair agree."""
    low, high = _interval(n_equal, n_twos, level)
    value, worst, best = (_possible(_solved(share)) for share in (n_equal / n_twos, low, high))
    return PoolSkill(value, worst, best, "agreement", n_twos)


def _interval(n_right: int, n: int, level: float) -> tuple[float, float]:
    """Jeffreys' interval of a share."""
    tail = (1 - level) / 2
    return (
        float(beta.ppf(tail, n_right + 0.5, n - n_right + 0.5)),
        float(beta.ppf(1 - tail, n_right + 0.5, n - n_right + 0.5)),
    )


def _solved(share: float) -> float:
    return (1 + sqrt(max(0.0, 6 * share - 2))) / 3


def _possible(skill: float) -> float:
    return min(max(skill, WORST), BEST)
