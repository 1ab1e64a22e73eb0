"""Tables of counts, and the bootstrap on sums, which is the one on items."""

from __future__ import annotations

import numpy as np
import pytest

from backend.methods.agreement import (
    MOST_GROUPS,
    UNSURE_READINGS,
    Bootstrap,
    CountTable,
    alpha_figure,
    co_ratings,
    groups_of,
    mean_kappa_figure,
    percentile_interval,
)
from backend.methods.agreement.bootstrap import sum_groups
from backend.methods.agreement.krippendorff import alpha, coincidences
from rated_tables import judgments_of

AS_VALUE = UNSURE_READINGS[0]


def test_counts_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="below zero"):
        CountTable.of_items([[-1, 0, 0]])
    with pytest.raises(ValueError, match="column per label"):
        CountTable.of_items([1, 2, 3])
    with pytest.raises(ValueError, match="its cluster"):
        CountTable.of_rows([[1, 1, 0]], [1, 2], [0])


def drawn_counts(n: int, *, seed: int = 1) -> np.ndarray:
    """Items with three judgments each, people agreeing about as on captions."""
    dice = np.random.default_rng(seed)
    truth = dice.choice(3, size=n, p=[0.55, 0.35, 0.1])
    said = np.where(dice.random((n, 3)) < 0.75, truth[:, None], dice.choice(3, size=(n, 3)))
    return np.stack([(said == label).sum(axis=1) for label in range(3)], axis=1)


def test_a_replicate_on_sums_is_alpha_of_the_items_drawn() -> None:
    counts = AS_VALUE.of_counts(drawn_counts(40))
    drawn = np.random.default_rng(5).integers(40, size=(60, 40))
    slow = [float(alpha(coincidences(counts[rows]).sum(axis=0), "nominal")) for rows in drawn]
    sums = coincidences(counts).reshape(40, -1)
    weights = np.array([np.bincount(rows, minlength=40) for rows in drawn])
    assert alpha((weights @ sums).reshape(-1, 3, 3), "nominal").tolist() == pytest.approx(slow)


@pytest.mark.nightly
def test_the_interval_contains_the_estimate_and_covers_the_truth_as_often_as_it_says() -> None:
    truth = alpha_figure(CountTable.of_items(drawn_counts(200_000, seed=9)), AS_VALUE, bootstrap=Bootstrap(2)).value
    assert truth is not None
    n_covered = 0
    for seed in range(150):
        found = alpha_figure(CountTable.of_items(drawn_counts(80, seed=seed)), AS_VALUE, bootstrap=Bootstrap(400))
        assert found.value is not None and found.interval is not None
        assert found.interval.low is not None and found.interval.high is not None
        assert found.interval.low <= found.value <= found.interval.high
        n_covered += found.interval.low <= truth <= found.interval.high
    assert 0.88 <= n_covered / 150 <= 0.99


def test_captions_of_one_image_judged_alike_widen_the_interval() -> None:
    counts = np.repeat(drawn_counts(60), 5, axis=0)
    alone = alpha_figure(CountTable.of_items(counts), AS_VALUE).interval
    together = alpha_figure(CountTable.of_items(counts, clusters=np.repeat(np.arange(60), 5)), AS_VALUE).interval
    assert alone is not None and together is not None
    assert (alone.n_groups, together.n_groups) == (300, 60)
    width, wider = ((each.high or 0) - (each.low or 0) for each in (alone, together))
    assert wider / width == pytest.approx(5**0.5, rel=0.2)


@pytest.mark.nightly
def test_many_clusters_are_laid_together_without_changing_the_value_or_the_width() -> None:
    counts = AS_VALUE.of_counts(drawn_counts(4_000))
    sums = coincidences(counts).reshape(4_000, -1)
    grouped = sum_groups(sums, np.arange(4_000))
    assert grouped.shape == (MOST_GROUPS, 9)
    assert grouped.sum(axis=0) == pytest.approx(sums.sum(axis=0))
    interval = percentile_interval(grouped, lambda each: alpha(each.reshape(-1, 3, 3), "nominal"))
    drawn = np.random.default_rng(2).multinomial(4_000, [1 / 4_000] * 4_000, size=1_000) @ sums
    low, high = np.quantile(alpha(drawn.reshape(-1, 3, 3), "nominal"), [0.025, 0.975])
    assert interval.low is not None and interval.high is not None
    assert interval.high - interval.low == pytest.approx(high - low, rel=0.15)


def test_groups_are_even_and_do_not_follow_the_order_of_the_numbers() -> None:
    sizes = np.bincount(groups_of(np.arange(100 * MOST_GROUPS)), minlength=MOST_GROUPS)
    assert sizes.min() > 40 and sizes.max() < 160
    assert np.abs(np.corrcoef(np.arange(5_000), groups_of(np.arange(5_000)))[0, 1]) < 0.05


def test_the_same_seed_draws_the_same_interval_and_another_one_another() -> None:
    table = CountTable.of_items(drawn_counts(50))
    intervals = [alpha_figure(table, AS_VALUE, bootstrap=Bootstrap(seed=seed)).interval for seed in (1, 1, 2)]
    assert intervals[0] == intervals[1]
    assert intervals[0] != intervals[2]


@pytest.mark.parametrize(("level", "n"), [(0.0, 10), (1.0, 10), (0.95, 0)])
def test_an_interval_of_no_level_or_no_replicates_is_refused(level: float, n: int) -> None:
    with pytest.raises(ValueError, match="a level between 0 and 1 and a replicate"):
        alpha_figure(CountTable.of_items(drawn_counts(9)), AS_VALUE, bootstrap=Bootstrap(n, level=level))


def test_the_mean_kappa_widens_with_clusters_too() -> None:
    ratings = np.repeat(np.random.default_rng(0).integers(0, 2, size=(3, 30)), 4, axis=1)
    ratings[1:] = np.where(np.random.default_rng(1).random((2, 120)) < 0.8, ratings[0], ratings[1:])
    rated = co_ratings(judgments_of(ratings))
    alone, together = (
        mean_kappa_figure(rated, AS_VALUE, "nominal", clusters=clusters).interval
        for clusters in (None, np.repeat(np.arange(30), 4))
    )
    assert alone is not None and together is not None
    assert (alone.n_groups, together.n_groups) == (120, 30)
