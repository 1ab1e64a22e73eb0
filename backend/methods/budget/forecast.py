"""How many judgments are left under adaptive overlap, with an interval; in closed form, so there is nothing to seed.

Pairs with equal votes are in one state. From a state the true label has its posterior under the stop rule, the next
annotator is right with the pool's `skill`, and so the next vote's chances are known. The number of votes still needed
has its mean and variance by recursion over the few states below the most votes. Pairs are independent: totals add up,
and the interval is normal around them, within what is possible. It does not know that `skill` itself is an estimate:
forecast again with its lower bound for a cautious budget.

>>> round(forecast({Votes(): 100}, skill=0.8, confidence=0.9, max_votes=5).mean, 2)
281.16
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from backend.methods.aggregation.stop_rule import Stop, decide
from backend.methods.consensus import LABELS, Verdict, Votes


@dataclass(frozen=True)
class Forecast:
    """Judgments left: the mean, the interval, and how many pairs are open."""

    mean: float
    low: float
    high: float
    level: float
    n_open: int


@dataclass(frozen=True)
class _Rule:
    skill: float
    confidence: float
    min_votes: int
    max_votes: int

    def stop_and_odds(self, votes: Votes) -> tuple[Stop, dict[Verdict, float]]:
        """Whether judging stops here, and what the truth is then thought to be."""
        said = decide(
            {label: [self.skill] * votes.of(label) for label in LABELS},
            confidence=self.confidence, min_votes=self.min_votes, max_votes=self.max_votes,
        )  # fmt: skip
        return said.stop, said.posterior


def forecast(
    states: Mapping[Votes, int],
    *,
    skill: float,
    confidence: float = 0.9,
    min_votes: int = 1,
    max_votes: int = 5,
    level: float = 0.95,
) -> Forecast:
    """The judgments left for pairs counted by their votes. `skill` is how often annotators of the pool are right, and
    the settings are those of `stop_rule.decide`. Raises ValueError as it does, and on a level that is none."""
    if not 0 < level < 1:
        raise ValueError(f"A level lies between 0 and 1, unlike {level}.")
    moments = _moments_under(_Rule(skill, confidence, min_votes, max_votes))
    of_states = [(times, *moments(votes), max_votes - votes.total) for votes, times in states.items() if times]
    mean = sum(times * first for times, first, _, _ in of_states)
    spread = sqrt(sum(times * (second - first**2) for times, first, second, _ in of_states))
    open_ones = [(times, most) for times, first, _, most in of_states if first > 0]
    n_open, most = sum(times for times, _ in open_ones), sum(times * most for times, most in open_ones)
    reach = NormalDist().inv_cdf((1 + level) / 2) * spread
    return Forecast(mean, max(float(n_open), mean - reach), min(float(most), mean + reach), level, n_open)


class _Moments:
    """E[X] and E[X squared] of the number X of votes that a pair in a state still needs."""

    def __init__(self, rule: _Rule) -> None:
        self._rule = rule
        self._known: dict[Votes, tuple[float, float]] = {}

    def __call__(self, votes: Votes) -> tuple[float, float]:
        if votes not in self._known:
            self._known[votes] = self._worked_out(votes)
        return self._known[votes]

    def _worked_out(self, votes: Votes) -> tuple[float, float]:
        stop, odds = self._rule.stop_and_odds(votes)
        if stop != "ask_another":
            return 0.0, 0.0
        first = second = 0.0
        for label in LABELS:
            chance = self._chance_said(label, odds)
            later, later_squared = self(replace(votes, **{label: votes.of(label) + 1}))
            first += chance * (1 + later)
            second += chance * (1 + 2 * later + later_squared)
        return first, second

    def _chance_said(self, label: Verdict, odds: Mapping[Verdict, float]) -> float:
        wrong = (1 - self._rule.skill) / (len(LABELS) - 1)
        return odds[label] * self._rule.skill + (1 - odds[label]) * wrong


@lru_cache(maxsize=64)
def _moments_under(rule: _Rule) -> _Moments:
    return _Moments(rule)
