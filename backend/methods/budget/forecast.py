"""How many judgments are left under adaptive overlap, with an interval; in closed form, so there is nothing to seed.

Pairs with equal votes are in one state, and `needs.py` works out how many votes a pair in a state still needs. Pairs
are independent: totals add up, and the interval is normal around them, within what is possible. It does not know that
`skill` itself is an estimate: forecast again with its lower bound for a cautious budget, as `left.py` does.

>>> round(forecast({Votes(): 100}, skill=0.8, confidence=0.9, max_votes=5).mean, 2)
281.16
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from backend.methods.budget.needs import Needs, Rule, moments
from backend.methods.consensus import Votes


@dataclass(frozen=True)
class Forecast:
    """Judgments left: the mean, the interval, and how many pairs are open."""

    mean: float
    low: float
    high: float
    level: float
    n_open: int


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
    needs = _needs_under(Rule(min_votes, max_votes, confidence, skill, skill))
    of_states = [(times, *moments(needs(votes)), max_votes - votes.total) for votes, times in states.items() if times]
    mean = sum(times * first for times, first, _, _ in of_states)
    spread = sqrt(sum(times * variance for times, _, variance, _ in of_states))
    open_ones = [(times, most) for times, first, _, most in of_states if first > 0]
    n_open, most = sum(times for times, _ in open_ones), sum(times * most for times, most in open_ones)
    reach = NormalDist().inv_cdf((1 + level) / 2) * spread
    return Forecast(mean, max(float(n_open), mean - reach), min(float(most), mean + reach), level, n_open)


@lru_cache(maxsize=64)
def _needs_under(rule: Rule) -> Needs:
    return Needs(rule)
