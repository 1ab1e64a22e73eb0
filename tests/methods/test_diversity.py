"""Diversity: numbers worked by hand, plain loops and scipy as oracles, and what is not defined."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import bootstrap, gaussian_kde

from backend.methods.diversity import (
    BINS,
    Difference,
    Summary,
    Tokens,
    compare,
    density_of,
    mean_bertscore,
    mean_of_image,
    mean_of_pairs,
    summarise,
    token_matches,
)

Floats = NDArray[np.float64]


def unit(dice: np.random.Generator, n: int, d: int = 6) -> Floats:
    vectors = dice.normal(size=(n, d))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def tokens(*vectors: tuple[float, float], weights: tuple[float, ...] = ()) -> Tokens:
    return Tokens(np.array(vectors, dtype=np.float64), np.array(weights or [1.0] * len(vectors)))


EAST, NORTH, BETWEEN = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)


def test_the_mean_of_three_captions_worked_by_hand() -> None:
    """Cosines 0, .6 and .8; the image lies on the first caption: 1, 0 and .6."""
    captions = [EAST, NORTH, BETWEEN]
    assert mean_of_pairs(captions) == 0.466667
    assert mean_of_image(EAST, captions) == 0.533333


def test_one_caption_has_no_pair_and_still_an_image() -> None:
    assert mean_of_pairs([EAST]) is None
    assert mean_of_pairs(np.empty((0, 2))) is None
    assert mean_of_image(EAST, [BETWEEN]) == 0.6
    assert mean_of_image(EAST, np.empty((0, 2))) is None


@given(n=st.integers(2, 9), seed=st.integers(0, 2**32 - 1))
def test_the_mean_of_pairs_is_that_of_a_plain_loop(n: int, seed: int) -> None:
    vectors = unit(np.random.default_rng(seed), n)
    plain = np.mean([one @ other for one, other in combinations(vectors, 2)])
    assert mean_of_pairs(vectors) == pytest.approx(plain, abs=1e-6)


@pytest.mark.parametrize("vectors", [[[2.0, 0.0], [0.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]]])
def test_vectors_of_another_length_are_refused(vectors: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="unit vectors"):
        mean_of_pairs(vectors)


def test_bertscore_worked_by_hand() -> None:
    """The candidate (east, between) finds 1 and .8 in (east, north); these find 1 and .8 in it. A mark with the weight
    0 can be found, as north in the third caption, and is not counted."""
    first, second = tokens(EAST, BETWEEN), tokens(EAST, NORTH)
    third = tokens(NORTH, EAST, weights=(0.0, 1.0))
    found = token_matches([first, second, third])
    assert found[0] == pytest.approx([1.0, 0.9, 0.9])
    assert found[1] == pytest.approx([0.9, 1.0, 1.0])
    assert found[2] == pytest.approx([1.0, 1.0, 1.0])
    f1 = [0.9, 2 * 0.9 / 1.9, 1.0]  # of (1, 2), (1, 3), (2, 3)
    assert mean_bertscore([first, second, third]) == pytest.approx(np.mean(f1), abs=1e-6)


def test_a_caption_without_a_token_matches_nothing() -> None:
    nothing = tokens(EAST, weights=(0.0,))
    assert mean_bertscore([tokens(EAST), nothing]) == 0.0
    assert mean_bertscore([tokens(EAST)]) is None


@given(sizes=st.lists(st.integers(1, 5), min_size=2, max_size=5), seed=st.integers(0, 2**32 - 1))
def test_token_matches_are_those_of_plain_loops(sizes: list[int], seed: int) -> None:
    dice = np.random.default_rng(seed)
    captions = [Tokens(unit(dice, n), dice.integers(1, 4, n).astype(float)) for n in sizes]
    found = token_matches(captions)
    for i, one in enumerate(captions):
        for j, other in enumerate(captions):
            best = [max(vector @ another for another in other.vectors) for vector in one.vectors]
            assert found[i, j] == pytest.approx(np.average(best, weights=one.weights))


def test_the_interval_is_that_of_scipy() -> None:
    values = np.random.default_rng(3).normal(0.4, 0.1, 200)
    found = summarise(np.append(values, [np.nan] * 3), seed=1, replicates=9000)
    theirs = bootstrap((values,), np.mean, n_resamples=9000, method="percentile", random_state=1).confidence_interval
    assert (found.n, found.n_missing) == (200, 3)
    assert found.mean == pytest.approx(values.mean(), abs=1e-6)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=5e-4)
    assert found.deviation == pytest.approx(values.std(ddof=1), abs=1e-6)


def test_the_interval_of_a_difference_is_that_of_scipy() -> None:
    dice = np.random.default_rng(5)
    one, other = dice.normal(0.4, 0.1, 150), dice.normal(0.5, 0.2, 90)
    found = compare(one, other, seed=2, replicates=9000)
    theirs = bootstrap(
        (one, other),
        lambda first, second, axis: first.mean(axis) - second.mean(axis),
        n_resamples=9000,
        method="percentile",
        random_state=2,
    ).confidence_interval
    assert found.value == pytest.approx(one.mean() - other.mean(), abs=1e-6)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=2e-3)


def test_the_same_images_are_compared_one_by_one() -> None:
    """Images differ much more from each other than one image does between the datasets."""
    base = np.random.default_rng(7).normal(0.5, 0.2, 60)
    shifted = base - 0.05
    shifted[0] = np.nan
    apart, together = compare(base, shifted), compare(base, shifted, is_paired=True)
    assert apart.low is not None and apart.low < 0 < (apart.high or 0)
    assert together == Difference(0.05, 0.05, 0.05, True, 59)
    with pytest.raises(ValueError, match="same images"):
        compare(base, shifted[1:], is_paired=True)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    values = np.random.default_rng(9).normal(size=50)
    assert summarise(values, seed=4) == summarise(values, seed=4)
    assert summarise(values, seed=4) != summarise(values, seed=5)


def test_nothing_and_one_image_have_no_interval() -> None:
    assert summarise([]) == Summary(0, 0, None, None, None, None)
    assert summarise([np.nan]) == Summary(0, 1, None, None, None, None)
    assert summarise([0.25]) == Summary(1, 0, 0.25, None, None, None)
    assert compare([0.5], [0.25, 0.25]) == Difference(0.25, None, None, False, None)
    assert compare([], [0.25]) == Difference(None, None, None, False, None)


def test_counts_share_a_range_and_curves_are_those_of_scipy() -> None:
    dice = np.random.default_rng(11)
    one, other = dice.normal(0.3, 0.05, 400), dice.normal(0.5, 0.1, 300)
    found = density_of([np.append(one, np.nan), other])
    assert found is not None
    assert (found.low, found.high) == pytest.approx(
        (min(one.min(), other.min()), max(one.max(), other.max())), abs=1e-6
    )
    assert [len(counts) for counts in found.counts] == [BINS, BINS]
    assert [sum(counts) for counts in found.counts] == [400, 300]
    for values, curve in zip((one, other), found.curves, strict=True):
        assert curve is not None
        assert curve == pytest.approx(gaussian_kde(values, "scott")(np.array(found.x)), abs=1e-4)
        assert np.trapezoid(curve, found.x) == pytest.approx(1, abs=0.01)


def test_equal_values_are_counted_and_have_no_curve() -> None:
    found = density_of([[0.5, 0.5, 0.5], [0.5]])
    assert found is not None
    assert found.curves == (None, None)
    assert [sum(counts) for counts in found.counts] == [3, 1]
    assert density_of([[np.nan], []]) is None
