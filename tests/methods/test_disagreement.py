"""Dissent from the others: against an obvious count, and honest where nobody agrees."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from backend.methods.quality import disagreement, plurality, rate_of_pool, wilson

TABLE = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=12)


def most_of(votes: tuple[int, ...]) -> int | None:
    ordered = Counter(dict(enumerate(votes))).most_common()
    return ordered[0][0] if ordered[0][1] > ordered[1][1] else None


@given(TABLE)
def test_the_plurality_is_the_label_with_more_votes_than_each_other(rows: list[tuple[int, ...]]) -> None:
    found = plurality(np.array(rows))
    assert [None if label < 0 else label for label in found.tolist()] == [most_of(row) for row in rows]


@given(TABLE)
def test_the_pools_rate_holds_each_vote_against_the_others_on_its_item(rows: list[tuple[int, ...]]) -> None:
    compared = dissents = 0
    for row in rows:
        for label in range(3):
            for _ in range(row[label]):
                others = tuple(n - (at == label) for at, n in enumerate(row))
                winner = most_of(others)
                compared += winner is not None
                dissents += winner is not None and winner != label
    assert rate_of_pool(np.array(rows)) == pytest.approx(dissents / compared if compared else 0.0)


def test_the_p_value_is_that_of_the_binomial() -> None:
    found = disagreement([1] * 5 + [0] * 15, [[3, 0, 0]] * 20, pool_rate=0.1)
    assert (found.n, found.n_dissents, found.share) == (20, 5, 0.25)
    assert found.p_value == pytest.approx(binom.sf(4, 20, 0.1))
    assert (found.low, found.high) == wilson(5, 20)


def test_ties_and_unjudged_items_are_not_compared() -> None:
    found = disagreement([0, 1, 2], [[1, 1, 0], [0, 0, 0], [0, 0, 1]], pool_rate=0.2)
    assert (found.n, found.n_dissents) == (1, 0)


def test_a_pool_that_never_agrees_tells_nothing() -> None:
    assert disagreement([1] * 30, [[3, 0, 0]] * 30, pool_rate=0.5).p_value is None


def test_without_an_answer_there_is_no_share() -> None:
    found = disagreement([], [], pool_rate=0.1)
    assert (found.n, found.share, found.low, found.high, found.p_value) == (0, None, None, None, None)
    assert rate_of_pool(np.zeros((0, 3), dtype=np.int64)) == 0.0


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        disagreement([0], [[1, 0, 0]], pool_rate=1.5)
    with pytest.raises(ValueError):
        disagreement([0, 1], [[1, 0, 0]], pool_rate=0.1)
