"""Agreement against scikit-learn, statsmodels, krippendorff and crowd-kit, on random tables with missing judgments, on
lopsided ones, and on those that have no figure at all."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
import pytest
from crowdkit.metrics.data import alpha_krippendorff as crowd_kits_alpha
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from backend.methods.agreement import (
    UNSURE_READINGS,
    Bootstrap,
    CountTable,
    Figure,
    Reading,
    agreement_of,
    alpha_figure,
    annotator_figures_of_table,
    co_ratings,
    fleiss_figure,
    mean_kappa_figure,
    pair_figures,
    pair_figures_of_table,
    reading_of,
)
from backend.methods.agreement.cohen import Weights
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.judgments import Judgments
from nightly import examples
from rated_tables import GONE, LOPSIDED, MISSING, RATINGS, SAID_ALONE, judgments_of, lopsided

QUICK = Bootstrap(n_replicates=20)
ANY = RATINGS | LOPSIDED
SEVERAL_HUNDRED = settings(max_examples=examples(300), deadline=None)
SKLEARN: dict[Weights, str | None] = {"nominal": None, "linear": "linear", "quadratic": "quadratic"}


def read_as(ratings: np.ndarray, reading: Reading) -> np.ndarray:
    """The ratings by rank in the reading, NaN where it has none."""
    ranks = np.full(4, np.nan)  # the last one is that of -1
    ranks[list(reading.columns)] = np.arange(len(reading.columns))
    return ranks[ratings]


def sklearn_kappa(one: np.ndarray, other: np.ndarray, k: int, weights: Weights) -> tuple[float, int]:
    """Its kappa over the items both judged, NaN below two of them, and their number."""
    both = ~np.isnan(one) & ~np.isnan(other)
    if both.sum() < 2:
        return np.nan, int(both.sum())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where it gives NaN, and where there is one label only
        return cohen_kappa_score(
            one[both].astype(int), other[both].astype(int), labels=range(k), weights=SKLEARN[weights]
        ), int(both.sum())


def same(figure: Figure, other: float) -> bool:
    return np.isnan(other) if figure.value is None else figure.value == pytest.approx(other, abs=1e-9)


@pytest.mark.nightly
@SEVERAL_HUNDRED
@given(ANY)
def test_cohens_kappa_is_that_of_scikit_learn_for_each_pair_and_in_the_mean(ratings: np.ndarray) -> None:
    ratings = ratings[:3]
    rated = co_ratings(judgments_of(ratings))
    for reading in UNSURE_READINGS:
        for weights in weights_of(reading):
            theirs = read_as(ratings, reading)
            found = {}
            for each in pair_figures(rated, reading, weights, bootstrap=QUICK):
                kappa, n = sklearn_kappa(theirs[each.first], theirs[each.second], len(reading.labels), weights)
                assert same(each.figure, kappa)
                found[each.first, each.second] = (kappa, n)
            known = [(kappa, n) for kappa, n in found.values() if not np.isnan(kappa)]
            assert same(mean_kappa_figure(rated, reading, weights, bootstrap=QUICK), _weighed(known))


def _weighed(known: list[tuple[float, int]]) -> float:
    return sum(kappa * n for kappa, n in known) / sum(n for _, n in known) if known else np.nan


@pytest.mark.nightly
@SEVERAL_HUNDRED
@given(ANY)
def test_alpha_is_that_of_krippendorff(ratings: np.ndarray) -> None:
    table = CountTable.of_items(judgments_of(ratings).counts())
    for reading in UNSURE_READINGS:
        theirs = _krippendorff(read_as(ratings, reading), reading)
        assert same(alpha_figure(table, reading, bootstrap=QUICK), theirs)


def _krippendorff(data: np.ndarray, reading: Reading) -> float:
    """Its alpha, NaN where it raises, and for one item, of which it says 0 whatever was said."""
    level: Any = "ordinal" if reading.is_ordered else "nominal"
    if len(np.unique(data[~np.isnan(data)])) < 2 or ((~np.isnan(data)).sum(axis=0) >= 2).sum() < 2:
        return np.nan
    with np.errstate(all="ignore"):
        return float(krippendorff.alpha(data, level_of_measurement=level, value_domain=range(len(reading.labels))))


@SEVERAL_HUNDRED
@given(ANY)
def test_nominal_alpha_is_that_of_crowd_kit(ratings: np.ndarray) -> None:
    judgments = judgments_of(ratings)
    figure = alpha_figure(CountTable.of_items(judgments.counts()), UNSURE_READINGS[0], bootstrap=QUICK)
    if figure.value is None:
        return  # there it divides by zero, or says 1
    columns = {"task": judgments.items, "worker": judgments.annotators, "label": judgments.labels}
    assert figure.value == pytest.approx(crowd_kits_alpha(pd.DataFrame(columns)), abs=1e-9)


NONE_LEFT = {True: "none_counted", False: "no_overlap"}


def _is_shared(ratings: np.ndarray) -> bool:
    return bool((judgments_of(ratings).counts().sum(axis=1) > 1).any())


@pytest.mark.nightly
@SEVERAL_HUNDRED
@given(ANY)
def test_fleiss_kappa_is_that_of_statsmodels_and_none_where_it_has_none(ratings: np.ndarray) -> None:
    """Of one item statsmodels tells how many judged it, not what they said, and nothing is told here."""
    for told in (ratings, np.where(ratings == MISSING, 0, ratings)):
        table = CountTable.of_items(judgments_of(told).counts())
        for reading in UNSURE_READINGS[:2]:
            figure = fleiss_figure(table, reading, bootstrap=QUICK)
            counts = reading.of_counts(judgments_of(told).counts())
            counts = counts[counts.sum(axis=1) > 0]
            if len(np.unique(counts.sum(axis=1))) > 1:
                assert (figure.value, figure.reason) == (None, "unequal_raters")
            elif len(counts) == 1 and counts.sum() > 1:
                assert (figure.value, figure.reason) == (None, "one_item")
            elif len(counts) and counts.sum(axis=1)[0] > 1:
                with np.errstate(all="ignore"):
                    assert same(figure, float(fleiss_kappa(counts)))
            else:
                assert (figure.value, figure.reason) == (None, NONE_LEFT[_is_shared(told)])


@SEVERAL_HUNDRED
@given(
    st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans(),
    st.tuples(st.integers(2, 4), st.sampled_from([2, 9, 60])), st.sampled_from(SAID_ALONE), st.sampled_from(GONE),
)  # fmt: skip
def test_labels_of_others_however_many_have_the_figures_of_the_libraries(
    seed: int, k: int, is_ordered: bool, shape: tuple[int, int], rare: float, gone: float
) -> None:
    ratings = lopsided(seed, shape, rare, gone, n_labels=k)
    reading = reading_of([str(label) for label in range(k)], is_ordered=is_ordered)
    judgments = judgments_of(ratings, n_labels=k)
    theirs = np.where(ratings == MISSING, np.nan, ratings)
    assert same(
        alpha_figure(CountTable.of_items(judgments.counts()), reading, bootstrap=QUICK), _krippendorff(theirs, reading)
    )
    for weights in weights_of(reading):
        for each in pair_figures(co_ratings(judgments), reading, weights, bootstrap=QUICK):
            assert same(each.figure, sklearn_kappa(theirs[each.first], theirs[each.second], k, weights)[0])


@SEVERAL_HUNDRED
@given(ANY)
def test_every_figure_that_is_none_says_why_and_every_other_has_an_interval_or_says_why(ratings: np.ndarray) -> None:
    judgments = judgments_of(ratings)
    for figure in agreement_of(judgments, bootstrap=QUICK):
        assert (figure.value is None) == (figure.reason is not None) == (figure.interval is None)
        if figure.interval:
            assert (figure.interval.low is None) == (figure.interval.reason is not None)
        if figure.value is None:
            assert figure.reason == _why_none(figure, judgments)


def _why_none(figure: Figure, judgments: Judgments) -> str:
    """The reason, found another way: from the labels that are left of items with two judgments."""
    reading = next(each for each in UNSURE_READINGS if each.name == figure.reading)
    counts = reading.of_counts(judgments.counts())
    if figure.measure == "fleiss" and reading.is_ordered:
        return "nominal_only"
    if figure.measure == "fleiss" and len(set(counts.sum(axis=1).tolist()) - {0}) > 1:
        return "unequal_raters"
    if not figure.measure.startswith("cohen") and (counts.sum(axis=1) > 1).sum() == 1:
        return "one_item"
    if not (counts.sum(axis=1) > 1).any():
        return NONE_LEFT[bool((judgments.counts().sum(axis=1) > 1).any())]
    return "no_two" if figure.measure.startswith("cohen") else "one_label"


@pytest.mark.nightly
@SEVERAL_HUNDRED
@given(ANY)
def test_why_a_kappa_or_a_mean_of_kappas_is_none_is_true(ratings: np.ndarray) -> None:
    rated = co_ratings(judgments_of(ratings))
    for reading in UNSURE_READINGS:
        for weights in weights_of(reading):
            mean = mean_kappa_figure(rated, reading, weights, bootstrap=QUICK)
            assert mean.value is not None or _is_true(mean.reason, ratings, reading)
            for pair in pair_figures_of_table(rated.table(), reading, weights):
                two = ratings[[pair.first, pair.second]]
                assert pair.figure.value is not None or _is_true(pair.figure.reason, two, reading)
            for person in annotator_figures_of_table(rated.table(), reading, weights):
                twos = [
                    ratings[[person.annotator, other]] for other in range(len(ratings)) if other != person.annotator
                ]
                why = person.figure.reason
                assert person.figure.value is not None or (why and all(_is_true(why, two, reading) for two in twos))


def _is_true(reason: str | None, ratings: np.ndarray, reading: Reading) -> bool:
    """What the sentence says, of what each two people said of the items they share."""
    counting = read_as(ratings, reading)
    shared = [counting[list(two)] for two in itertools.combinations(range(len(counting)), 2)]
    shared = [two[:, ~np.isnan(two).any(axis=0)] for two in shared]
    n_items = int(((~np.isnan(counting)).sum(axis=0) > 1).sum())
    true: dict[str | None, bool] = {
        "no_overlap": not _is_shared(ratings), "none_counted": n_items == 0, "one_item": n_items == 1,
        "one_label": len({label for two in shared for label in two.ravel().tolist()}) == 1,
        "no_two": not any(two.shape[1] > 1 and len(np.unique(two)) > 1 for two in shared),
    }  # fmt: skip
    return true[reason]
