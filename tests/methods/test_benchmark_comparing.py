"""Which differences are real: worked numbers, other programs, and models of which the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from backend.methods.benchmarks import comparing_pairs
from backend.methods.benchmarks.comparing import Sample, compare_samples, holm, level_groups, mann_whitney, paired
from backend.methods.relevance.auprc import average_precision


def test_the_worked_example_of_mann_whitney() -> None:
    x, y = np.array([0.1, 0.2, 0.3, 0.4, 0.2]), np.array([0.3, 0.5, 0.4, 0.6, 0.2, 0.7])
    rows = mann_whitney({"one": [x, y], "same": [x, x], "none": [x, np.array([np.nan])], "zero": [x * 0, y]})
    assert (rows[0]["u"], round(rows[0]["p"], 6)) == (5, 0.039323)
    assert rows[0]["improvement"] == pytest.approx(0.875) and rows[0]["rank_biserial"] == pytest.approx(
        0.66667, abs=5e-6
    )
    assert rows[1]["p"] > 0.4 and rows[2] == {
        "measure": "none", "n": [5, 0], "p": None, "reason": "empty_sample", "p_holm": None,
    }  # fmt: skip
    assert rows[3]["improvement"] is None
    tested = [row["p"] for row in rows if row["p"] is not None]
    assert [row["p_holm"] for row in rows if row["p"] is not None] == holm(tested)


@pytest.mark.nightly
def test_holm_is_that_of_statsmodels() -> None:
    for values in ([0.01, 0.04, 0.03, 0.005], [0.5], [0.2, 0.2, 0.2], [0.9, 0.0]):
        assert holm(values) == pytest.approx(multipletests(values, method="holm")[1])
    assert holm([]) == []


def test_a_real_difference_is_found_and_an_equal_model_is_level() -> None:
    rng = np.random.default_rng(0)
    clusters = np.arange(1000) // 5
    first = (rng.random(1000) < 0.5).astype(float)
    better = np.maximum(first, rng.random(1000) < 0.15)
    found, same = paired(first, better, clusters), paired(first, first, clusters)
    assert found.is_real and found.low is not None and 0 < found.low < found.value < (found.high or 0)
    assert (same.value, same.p, same.low, same.high) == (0, 1, 0, 0)
    turned = paired(better, first, clusters)
    assert turned.value == -found.value and turned.p == found.p
    assert 0 < found.detectable < found.value


def test_captions_of_one_image_do_not_count_as_so_many_answers() -> None:
    rng = np.random.default_rng(1)
    change = np.repeat(rng.standard_normal(40), 25)
    together = paired(np.zeros(1000), change, np.arange(1000) // 25, draws=500)
    apart = paired(np.zeros(1000), change, np.arange(1000), draws=500)
    assert together.detectable > 3 * apart.detectable


def test_p_is_even_where_there_is_no_difference() -> None:
    rng = np.random.default_rng(2)
    values = [
        paired(rng.random(60), rng.random(60), np.arange(60), draws=10, permutations=200, seed=n).p for n in range(200)
    ]
    assert 0.01 < np.mean(np.array(values) < 0.05) < 0.1 and 0.4 < np.mean(values) < 0.6


def test_medians_of_ranks_are_compared_by_the_same_draws_and_swaps() -> None:
    rng = np.random.default_rng(3)
    clusters = np.arange(300) // 3
    first = rng.integers(1, 200, 300).astype(float)
    second = np.maximum(1, first - rng.integers(0, 60, 300))
    both = {how: (Sample(first, clusters, how), Sample(second, clusters, how)) for how in ("median", "median_floor")}
    found = compare_samples(both, draws=300, permutations=300)["median"]
    assert found.value == np.median(second) - np.median(first) and found.is_real
    assert found.low is not None and found.low <= found.value <= (found.high or 0)
    n_as_large = 0
    for row in np.random.default_rng(1).integers(0, 2, size=(300, 100), dtype=np.int8):
        stays = row[clusters] == 1
        one, other = np.where(stays, first, second), np.where(stays, second, first)
        n_as_large += abs(np.median(other) - np.median(one)) >= abs(found.value)
    assert found.p == (n_as_large + 1) / 301
    same = compare_samples({"a": (both["median_floor"][0],) * 2}, draws=50, permutations=50)["a"]
    assert (same.value, same.p, same.low, same.high) == (0, 1, 0, 0)


def test_auprc_swaps_the_ranks_of_all_pairs_of_an_image() -> None:
    rng = np.random.default_rng(4)
    names = [f"i{n}" for n in range(60)]
    images, texts = [names[n // 3] for n in range(60)], [f"t{n}" for n in range(60)]
    accepted = np.arange(60) % 3 > 0
    # Few different scores: many are equal.
    one, other = (rng.integers(0, 8, 60) + weight * accepted for weight in (0.0, 3.0))
    scored = [comparing_pairs.ScoredPairs(images, texts, accepted, each) for each in (one, other)]
    found = comparing_pairs.compare_same(*scored, draws=100, permutations=100)
    ranks = [stats.rankdata(each) for each in (one, other)]
    n_as_large = 0
    for row in np.random.default_rng(1).integers(0, 2, (100, 20), dtype=np.int8):
        is_swapped = row[scored[0].clusters] == 1
        swapped = [average_precision(np.where(is_swapped, ranks[1 - at], ranks[at]), accepted) for at in (0, 1)]
        n_as_large += abs(swapped[1] - swapped[0]) >= abs(found.value) - 1e-12
    assert found.p == (n_as_large + 1) / 101 and found.value > 0


def test_models_are_level_in_groups_that_may_overlap() -> None:
    real = {("a", "b"): False, ("a", "c"): True, ("b", "c"): False}
    assert level_groups(["c", "a", "b"], [0.1, 0.3, 0.2], real) == [["a", "b"], ["b", "c"]]
    assert level_groups(["a", "b"], [0.3, 0.2], {("b", "a"): True}) == [["a"], ["b"]]
