"""The mean kappa of many annotators who share few items is biased: its interval would lie beside the truth, so none."""

from __future__ import annotations

import numpy as np
import pytest

from backend.methods.agreement import UNSURE_READINGS, Bootstrap, Figure, co_ratings, mean_kappa_figure
from backend.methods.judgments import Judgments

AS_VALUE = UNSURE_READINGS[0]
SKILL, N_RUNS = 0.8, 40


def rated(seed: int, *, n_items: int, n_raters: int, share: float) -> Judgments:
    """Everybody names the true one of two labels with SKILL, of the share of the items that they see."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_items)
    annotators, items = np.nonzero(rng.random((n_raters, n_items)) < share)
    labels = np.where(rng.random(len(items)) < SKILL, truth[items], 1 - truth[items])
    return Judgments(items, annotators, labels, n_items, n_raters, 3)


def figure(seed: int, *, n_items: int, n_raters: int, share: float) -> Figure:
    judged = rated(seed, n_items=n_items, n_raters=n_raters, share=share)
    return mean_kappa_figure(co_ratings(judged), AS_VALUE, "nominal", bootstrap=Bootstrap(300, seed=seed))


TRUTH = SKILL**2 + (1 - SKILL) ** 2 - 0.5  # how often two agree, less by chance,
TRUTH /= 0.5  # of what chance leaves: .36


@pytest.mark.parametrize(
    ("n_items", "n_raters", "share"), [(150, 30, 0.15), (60, 20, 0.2), (30, 30, 0.3)], ids=["3.4", "2.4", "2.7"]
)
def test_few_items_shared_by_many_have_no_interval_and_are_biased(n_items: int, n_raters: int, share: float) -> None:
    found = [figure(seed, n_items=n_items, n_raters=n_raters, share=share) for seed in range(8)]
    assert {each.interval.reason for each in found if each.interval} == {"beside_figure"}
    values = [each.value for each in found if each.value is not None]
    assert np.mean(values) < TRUTH - 0.05


@pytest.mark.parametrize(
    ("n_items", "n_raters", "share"), [(60, 5, 0.9), (200, 12, 0.4), (20, 4, 0.8)], ids=["49", "32", "13 of six pairs"]
)
def test_other_intervals_hold_the_truth(n_items: int, n_raters: int, share: float) -> None:
    """At 95% the chance of fewer than 32 of 40 is 1 in 5,000; a little less is allowed to a bootstrap of few items."""
    found = [figure(seed, n_items=n_items, n_raters=n_raters, share=share).interval for seed in range(N_RUNS)]
    bounds = [(each.low, each.high) for each in found if each and each.low is not None and each.high is not None]
    assert len(bounds) == N_RUNS
    assert sum(low <= TRUTH <= high for low, high in bounds) >= 32
