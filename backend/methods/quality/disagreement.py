"""Disagreement: how often an annotator's answer is not the one that most of the others gave.

Each answer is held against the plurality of the *other* counted votes on its item; where these are tied, or there are
none, nothing is compared. The number of dissents is binomial with the rate at which the whole pool dissents from its
own pluralities, so that p = P(as many or more). Where people disagree with each other on everything that rate is high
and nobody stands out, as it should be: a picture may have several right readings, and who sees another one is not
wrong. From a pool that dissents every second time nothing is told at all. The interval is Wilson's, of 95%.

>>> others = [[3, 0, 0]] * 20
>>> found = disagreement([1] * 12 + [0] * 8, others, pool_rate=0.1)
>>> found.share, found.p_value < 1e-6
(0.6, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest

USELESS_RATE = 0.5
LEAST_RATE = 0.01  # a pool that was never of two minds yet does not make one dissent impossible


@dataclass(frozen=True)
class Disagreement:
    """`n` answers compared, and the share of dissents with its interval; `p_value` None where nothing can be told."""

    n: int
    n_dissents: int
    share: float | None
    low: float | None
    high: float | None
    pool_rate: float
    p_value: float | None


def disagreement(answers: Sequence[int], others: ArrayLike, *, pool_rate: float) -> Disagreement:
    """One annotator's answers (n,) against the others' votes (n, labels). Raises ValueError on unequal lengths or a
    rate outside 0 to 1."""
    votes = np.asarray(others, dtype=np.int64).reshape(len(answers), -1) if len(answers) else np.zeros((0, 1), np.int64)
    if not 0 <= pool_rate <= 1:
        raise ValueError(f"A rate lies between 0 and 1: {pool_rate}.")
    winners = plurality(votes)
    is_told = winners >= 0
    n = int(is_told.sum())
    if not n:
        return Disagreement(0, 0, None, None, None, pool_rate, None)
    k = int((winners != np.asarray(answers))[is_told].sum())
    test = binomtest(k, n, max(pool_rate, LEAST_RATE), alternative="greater")
    low, high = wilson(k, n)
    return Disagreement(n, k, k / n, low, high, pool_rate, None if pool_rate >= USELESS_RATE else float(test.pvalue))


def plurality(votes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The label with more votes than each other one, by row of (n, labels); -1 on a tie and without votes."""
    if not votes.size:
        return np.full(len(votes), -1, dtype=np.int64)
    most = votes.max(axis=1)
    is_clear = ((votes == most[:, None]).sum(axis=1) == 1) & (most > 0)
    return np.where(is_clear, votes.argmax(axis=1), -1).astype(np.int64)


def rate_of_pool(votes: NDArray[np.int64]) -> float:
    """How often a vote is not what most of the other votes on its item say, over all of (items, labels); 0 for none."""
    compared = dissents = 0
    for label in range(votes.shape[1]):
        those = votes[votes[:, label] > 0]
        rest = those.copy()
        rest[:, label] -= 1
        winners = plurality(rest)
        compared += int(those[winners >= 0, label].sum())
        dissents += int(those[(winners >= 0) & (winners != label), label].sum())
    return dissents / compared if compared else 0.0


@lru_cache(maxsize=4096)
def wilson(k: int, n: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share. Raises ValueError without a trial.

    Remembered for the counts asked for last: the test that scipy makes along the way takes as long as a statement does,
    and between two pages of work everybody asks for the same few.
    """
    found = binomtest(k, n).proportion_ci(method="wilson")
    return float(found.low), float(found.high)
