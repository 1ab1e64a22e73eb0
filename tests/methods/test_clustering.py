"""The order of annotators in a matrix."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from backend.methods.agreement import cluster_order


def two_camps(n: int) -> np.ndarray:
    """Annotators of even and of odd number agree among themselves."""
    camp = np.arange(n) % 2
    return np.where(camp[:, None] == camp, 0.8, 0.1) + np.random.default_rng(n).normal(0, 0.01, (n, n))


@pytest.mark.parametrize("n", [4, 7, 50])
def test_those_who_agree_stand_side_by_side(n: int) -> None:
    kappas = two_camps(n)
    order = cluster_order((kappas + kappas.T) / 2)
    assert sorted(order) == list(range(n))
    camps = [place % 2 for place in order]
    assert sum(one != other for one, other in itertools.pairwise(camps)) == 1


def test_pairs_without_a_kappa_break_no_cluster() -> None:
    kappas = two_camps(12)
    kappas = (kappas + kappas.T) / 2
    kappas[0, 2] = kappas[2, 0] = kappas[5, 4] = kappas[4, 5] = np.nan
    camps = [place % 2 for place in cluster_order(kappas)]
    assert sum(one != other for one, other in itertools.pairwise(camps)) == 1


def test_nobody_one_two_and_people_without_any_kappa_have_an_order() -> None:
    for n in range(3):
        assert cluster_order(np.full((n, n), np.nan)) == list(range(n))
    assert sorted(cluster_order(np.full((9, 9), np.nan))) == list(range(9))
    with pytest.raises(ValueError, match="square"):
        cluster_order(np.zeros((2, 3)))
