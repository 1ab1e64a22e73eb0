"""Agreement against scikit-learn, statsmodels and krippendorff, on random tables with missing judgments."""

from __future__ import annotations

import warnings
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from backend.methods.agreement import (
    UNSURE_READINGS,
    Bootstrap,
    CountTable,
    Figure,
    Reading,
    alpha_figure,
    co_ratings,
    fleiss_figure,
    mean_kappa_figure,
    pair_figures,
)
from backend.methods.agreement.cohen import Weights
from rated_tables import MISSING, RATINGS, judgments_of

QUICK = Bootstrap(n_replicates=20)
SEVERAL_HUNDRED = settings(max_examples=300, deadline=None)
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


@SEVERAL_HUNDRED
@given(RATINGS)
def test_cohens_kappa_is_that_of_scikit_learn_for_each_pair_and_in_the_mean(ratings: np.ndarray) -> None:
    ratings = ratings[:3]
    rated = co_ratings(judgments_of(ratings))
    for reading in UNSURE_READINGS:
        for weights in ("linear", "quadratic") if reading.is_ordered else ("nominal",):
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


@SEVERAL_HUNDRED
@given(RATINGS)
def test_alpha_is_that_of_krippendorff(ratings: np.ndarray) -> None:
    table = CountTable.of_items(judgments_of(ratings).counts())
    for reading in UNSURE_READINGS:
        theirs = _krippendorff(read_as(ratings, reading), reading)
        assert same(alpha_figure(table, reading, bootstrap=QUICK), theirs)


def _krippendorff(data: np.ndarray, reading: Reading) -> float:
    """Its alpha, NaN where it raises."""
    level: Any = "ordinal" if reading.is_ordered else "nominal"
    if len(np.unique(data[~np.isnan(data)])) < 2 or (~np.isnan(data)).sum(axis=0).max() < 2:
        return np.nan
    with np.errstate(all="ignore"):
        return float(krippendorff.alpha(data, level_of_measurement=level, value_domain=range(len(reading.labels))))


@SEVERAL_HUNDRED
@given(RATINGS)
def test_fleiss_kappa_is_that_of_statsmodels(ratings: np.ndarray) -> None:
    whole = np.where(ratings == MISSING, 0, ratings)
    counts = judgments_of(whole).counts()
    with np.errstate(all="ignore"):
        theirs = float(fleiss_kappa(counts))
    assert same(fleiss_figure(CountTable.of_items(counts), UNSURE_READINGS[0], bootstrap=QUICK), theirs)
