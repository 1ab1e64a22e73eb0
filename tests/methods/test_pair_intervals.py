"""Intervals of Cohen's kappa of every two annotators: images are drawn, with all their captions that both judged."""

from __future__ import annotations

import sys
import tracemalloc
import warnings
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.metrics import cohen_kappa_score

from backend.methods.agreement import (
    UNSURE_READINGS,
    Bootstrap,
    Interval,
    Reading,
    co_ratings,
    mean_kappa_figure,
    pair_figures,
    pair_figures_of_table,
    pair_intervals,
)
from backend.methods.agreement.cohen import Weights
from backend.methods.agreement.over_pairs import annotator_intervals
from backend.methods.agreement.readings import reading_of
from rated_tables import MISSING, judgments_of

AS_VALUE, AS_MISSING, AS_MIDDLE = UNSURE_READINGS
N_REPLICATES, CAPTIONS, IMAGES = 120, 4, 15
Ratings = np.ndarray


def ratings_of(seed: int, n_annotators: int = 3) -> Ratings:
    """(annotators, items) whose items of one image are alike, and a fifth of them missing."""
    dice = np.random.default_rng(seed)
    truth = np.repeat(dice.integers(0, 3, IMAGES), CAPTIONS)
    said = np.where(dice.random((n_annotators, truth.size)) < 0.6, truth, dice.integers(0, 3, truth.size))
    return np.where(dice.random(said.shape) < 0.2, MISSING, said)


def images_of(ratings: Ratings) -> np.ndarray:
    return np.arange(ratings.shape[1]) // CAPTIONS


def interval_of(ratings: Ratings, clusters: np.ndarray, bootstrap: Bootstrap) -> Interval:
    """That of the first two annotators."""
    interval = pair_figures(
        co_ratings(judgments_of(ratings)), AS_VALUE, "nominal", clusters=clusters, bootstrap=bootstrap
    )[0].figure.interval
    assert interval is not None
    return interval


def sklearn_kappa(one: np.ndarray, other: np.ndarray) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where it gives NaN
        return float(cohen_kappa_score(one, other, labels=range(3)))


def drawn_one_by_one(one: np.ndarray, other: np.ndarray, images: np.ndarray, seed: int) -> list[float]:
    """Kappas of scikit-learn of captions laid together image by image, as the images were drawn."""
    both = (one != MISSING) & (other != MISSING)
    known = np.unique(images[both])
    draws = np.random.default_rng(seed).integers(len(known), size=(N_REPLICATES, len(known)))
    places = (np.concatenate([np.flatnonzero(both & (images == known[image])) for image in drawn]) for drawn in draws)
    return [sklearn_kappa(one[place], other[place]) for place in places]


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_interval_of_every_two_is_that_of_images_drawn_one_by_one(seed: int) -> None:
    ratings = ratings_of(seed)
    images, bootstrap = images_of(ratings), Bootstrap(N_REPLICATES, seed)
    rated = co_ratings(judgments_of(ratings))
    for pair in pair_figures(rated, AS_VALUE, "nominal", clusters=images, bootstrap=bootstrap):
        values = drawn_one_by_one(ratings[pair.first], ratings[pair.second], images, seed)
        interval = pair.figure.interval
        assert interval is not None
        assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


@pytest.mark.nightly
@pytest.mark.parametrize("of", [pair_intervals, annotator_intervals])
def test_tables_of_many_labels_are_made_of_few_pairs_at_a_time(of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of each two people and item, all at once, took 13 gigabytes of 40,000 judgments under 20 labels."""
    for module in ("pair_intervals", "left_out"):  # by name: the package has a function of the first one's
        monkeypatch.setattr(sys.modules[f"backend.methods.agreement.{module}"], "AT_ONCE", 100_000)
    n_labels, said = 20, np.random.default_rng(1).integers(0, 20, (25, 100))
    rated = co_ratings(judgments_of(said, n_labels=n_labels))
    tracemalloc.start()
    of(rated, reading_of(tuple(map(str, range(n_labels)))), "nominal", bootstrap=Bootstrap(20))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < len(rated.cells) * n_labels**2 * 8 / 4


def test_captions_that_only_repeat_an_image_make_nothing_surer() -> None:
    ratings = np.where((once := ratings_of(7)) == MISSING, 0, once)[:, ::CAPTIONS]
    repeated = np.repeat(ratings, CAPTIONS, axis=1)
    alone = interval_of(ratings, np.arange(IMAGES), Bootstrap(500))
    clustered = interval_of(repeated, images_of(repeated), Bootstrap(500))
    one_by_one = interval_of(repeated, np.arange(repeated.shape[1]), Bootstrap(500))
    assert (clustered.low, clustered.high) == pytest.approx((alone.low, alone.high))
    assert one_by_one.high - one_by_one.low < 0.75 * (clustered.high - clustered.low)


def test_of_two_annotators_alone_the_interval_is_that_of_the_mean() -> None:
    ratings = ratings_of(3, n_annotators=2)
    rated = co_ratings(judgments_of(ratings))
    for reading, weights in ((AS_VALUE, "nominal"), (AS_MISSING, "nominal"), (AS_MIDDLE, "quadratic")):
        [pair] = pair_figures(rated, reading, weights, clusters=images_of(ratings))
        mean = mean_kappa_figure(rated, reading, weights, clusters=images_of(ratings))
        assert pair.figure.value == pytest.approx(mean.value)
        one, other = pair.figure.interval, mean.interval
        assert one is not None and other is not None
        assert (one.low, one.high) == (pytest.approx(other.low), pytest.approx(other.high))
        assert one.n_groups == other.n_groups


def test_one_image_has_a_kappa_but_no_interval_and_says_so() -> None:
    interval = interval_of(np.array([[0, 1, 2, 0], [0, 1, 1, 0]]), np.zeros(4, dtype=int), Bootstrap(50))
    assert (interval.low, interval.high, interval.reason, interval.n_groups) == (None, None, "one_cluster", 1)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [([0, 0, 0], [0, 0, 0], "one_label"), ([0, 2, 2], [2, 1, 0], "none_counted"), ([0, 1, 2], [0, 2, 1], "one_item")],
)
def test_without_a_kappa_there_is_no_interval_and_the_reason_is_said(
    one: list[int], other: list[int], reason: str
) -> None:
    [pair] = pair_figures(co_ratings(judgments_of(np.array([one, other]))), AS_MISSING, "nominal")
    assert (pair.figure.value, pair.figure.interval, pair.figure.reason) == (None, None, reason)


def test_the_largest_pairs_keep_their_tables_and_their_kappas() -> None:
    rated = co_ratings(judgments_of(ratings_of(5, n_annotators=6)))
    kept, table = rated.of_largest(4).table(), rated.table()
    largest = np.sort(np.argsort(-table.confusions.sum(axis=(1, 2)), kind="stable")[:4])
    assert kept.pairs.tolist() == table.pairs[largest].tolist()
    assert kept.confusions.tolist() == table.confusions[largest].tolist()
    assert rated.of_largest(99).table().pairs.tolist() == rated.pairs.tolist()
    without = [pair.figure.value for pair in pair_figures_of_table(kept, AS_VALUE, "nominal")]
    drawn = pair_figures(rated.of_largest(4), AS_VALUE, "nominal", bootstrap=Bootstrap(9))
    assert without == [pair.figure.value for pair in drawn]


def test_all_pairs_at_once_have_the_intervals_of_each_alone() -> None:
    """Pairs of very different sizes, one of them with more images than are drawn one by one, under every reading."""
    dice = np.random.default_rng(11)
    said = np.where(dice.random((5, 1600)) < [[0], [0.05], [0.9], [0.98], [0.999]], MISSING, dice.integers(0, 3, 1600))
    rated, images = co_ratings(judgments_of(said)), np.arange(1600) // 2 * 7
    for reading, weights in ((AS_VALUE, "nominal"), (AS_MISSING, "nominal"), (AS_MIDDLE, "linear")):
        found = pair_intervals(rated, reading, weights, clusters=images, bootstrap=Bootstrap(60, seed=4))
        for place, (first, second) in enumerate(rated.pairs.tolist()):
            both = co_ratings(judgments_of(said[[first, second]]))
            [alone] = pair_figures(both, reading, weights, clusters=images, bootstrap=Bootstrap(60, seed=4))
            mean = mean_kappa_figure(both, reading, weights, clusters=images, bootstrap=Bootstrap(60, seed=4))
            if mean.interval:
                assert alone.figure.interval == found.at(place)
                assert found.at(place).n_groups == mean.interval.n_groups
                assert found.at(place).low == (None if mean.interval.low is None else pytest.approx(mean.interval.low))


@pytest.mark.parametrize(
    ("reading", "weights"), [(AS_VALUE, "nominal"), (AS_MISSING, "nominal"), (AS_MIDDLE, "linear")]
)
def test_a_mean_over_pairs_leaves_the_same_images_out_for_all_of_them(reading: Reading, weights: Weights) -> None:
    ratings = ratings_of(9, n_annotators=4)
    rated, images = co_ratings(judgments_of(ratings)), images_of(ratings)
    whole = mean_kappa_figure(rated, reading, weights, clusters=images)
    told = np.unique(images[rated.read(reading).items])
    others = [
        mean_kappa_figure(co_ratings(judgments_of(ratings[:, images != image])), reading, weights).value
        for image in told
    ]
    assert whole.value is not None and whole.interval is not None
    assert (whole.interval.low, whole.interval.high) == pytest.approx(jackknife(whole.value, np.array(others)))
    assert (whole.interval.n_groups, whole.interval.n_replicates, whole.interval.method) == (
        len(told),
        len(told),
        "left_out",
    )


def jackknife(value: float, others: np.ndarray) -> tuple[float, float]:
    """As the book has it, between -1 and 1, and to the figure where that lies beside."""
    n = len(others)
    centre = n * value - (n - 1) * others.mean()
    half = student.ppf(0.975, n - 1) * np.sqrt((n - 1) / n * ((others - others.mean()) ** 2).sum())
    return max(-1, min(centre - half, value)), min(1, max(centre + half, value))


def test_an_annotators_mean_leaves_out_the_images_that_they_judged() -> None:
    ratings = ratings_of(9, n_annotators=4)
    ratings[2, images_of(ratings) < 5] = MISSING
    rated, images = co_ratings(judgments_of(ratings)), images_of(ratings)
    found = annotator_intervals(rated, AS_VALUE, "nominal", clusters=images)
    for person in range(4):
        mine = rated.only((rated.pairs == person).any(axis=1)[rated.pair_of])
        mean = mean_kappa_figure(mine, AS_VALUE, "nominal", clusters=images)
        interval, alone = found.at(person), mean.interval
        assert alone is not None
        assert (interval.low, interval.high) == (pytest.approx(alone.low), pytest.approx(alone.high))
        assert interval.n_groups == alone.n_groups
    assert found.n_groups.tolist() == [IMAGES, IMAGES, IMAGES - 5, IMAGES]


def test_a_mean_that_hangs_on_one_image_has_no_interval_and_says_so() -> None:
    """Ninety judgments of thirty items, one of them bad: without that item all are alike."""
    ratings = np.zeros((3, 30), dtype=int)
    ratings[0, 0] = 1
    interval = mean_kappa_figure(co_ratings(judgments_of(ratings)), AS_VALUE, "nominal").interval
    assert interval is not None
    assert (interval.low, interval.reason) == (None, "hangs_on_one")
    assert interval.undefined_share == pytest.approx(1 / 30)


def test_no_bound_of_a_mean_lies_beyond_what_a_kappa_can_be() -> None:
    """Of two images, one of them all agreed on: two numbers alone tell of the spread."""
    ratings = np.array([[0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 1], [0, 1, 0, 1, 1, 0]])
    images = np.arange(6) // 3
    interval = mean_kappa_figure(co_ratings(judgments_of(ratings)), AS_VALUE, "nominal", clusters=images).interval
    assert interval is not None
    assert (interval.low, interval.high) == (-1.0, 1.0)
