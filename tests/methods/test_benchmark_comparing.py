"""Which differences are real: worked numbers, other programs, and models of which the truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from backend.methods.benchmarks.comparing import holm, level_groups, mann_whitney, paired


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


def test_models_are_level_in_groups_that_may_overlap() -> None:
    real = {("a", "b"): False, ("a", "c"): True, ("b", "c"): False}
    assert level_groups(["c", "a", "b"], [0.1, 0.3, 0.2], real) == [["a", "b"], ["b", "c"]]
    assert level_groups(["a", "b"], [0.3, 0.2], {("b", "a"): True}) == [["a"], ["b"]]
