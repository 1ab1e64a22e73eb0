"""Kendall's tau-b of tables against scipy, and its bootstrap over groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from backend.methods.rank_tables import table_of, tau_b, tau_b_over_groups

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 7)), min_size=2, max_size=60)


@given(pairs=PAIRS)
def test_it_is_the_tau_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = float(tau_b(table_of(first, second, (3, 8))[None])[0])
    theirs = float(kendalltau(first, second).statistic)
    assert found == pytest.approx(theirs, nan_ok=True)


def test_the_interval_draws_groups_and_not_captions() -> None:
    """Groups of captions that are all the same say no more than one caption each."""
    dice = np.random.default_rng(3)
    first = dice.integers(0, 3, 60)
    second = np.clip(first * 2 + dice.integers(-2, 3, 60), 0, 7)
    single = np.stack([table_of([one], [other], (3, 8)) for one, other in zip(first, second, strict=True)])
    value, low, high = tau_b_over_groups(single, seed=1)
    assert value == pytest.approx(kendalltau(first, second).statistic, abs=1e-6)
    assert low is not None and high is not None and low < value < high
    many = tau_b_over_groups(single * 10, seed=1)
    assert many[1] == pytest.approx(low, abs=0.02) and many[2] == pytest.approx(high, abs=0.02)


def test_one_order_alone_has_no_correlation() -> None:
    assert tau_b_over_groups(np.stack([table_of([0, 0], [1, 2], (3, 8))] * 3)) == (None, None, None)
