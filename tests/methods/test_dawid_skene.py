"""Dawid-Skene against crowd-kit, on published sets, and on what EM promises."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import DawidSkene as CrowdKit
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backend.methods.aggregation import fit_dawid_skene
from backend.methods.aggregation.vote_sums import vote_shares
from backend.methods.judgments import Judgments
from foreign_sets import bluebirds, right_share, rte
from nightly import examples
from rated_tables import LOPSIDED, RATINGS, judgments_of, toy

NEVER_CONVERGED = -np.inf
CROWD_KIT_ON_PANDAS_3 = "ignore::DeprecationWarning"


def frame(judgments: Judgments) -> pd.DataFrame:
    """The columns that crowd-kit takes."""
    return pd.DataFrame({"task": judgments.items, "worker": judgments.annotators, "label": judgments.labels})


@pytest.mark.nightly
@pytest.mark.filterwarnings(CROWD_KIT_ON_PANDAS_3)
@settings(max_examples=examples(40), deadline=None)
@given(RATINGS | LOPSIDED, st.integers(1, 4))
def test_the_posterior_and_the_confusions_are_those_of_crowd_kit(ratings: np.ndarray, n_rounds: int) -> None:
    """Everybody says each label twice first: crowd-kit gives a label that a person never said no row of its own, and
    where every label is impossible only that decides."""
    said_by_all = np.tile([0, 1, 2, 0, 1, 2], (len(ratings), 1))
    judgments = judgments_of(np.hstack([said_by_all, ratings]))
    theirs = CrowdKit(n_iter=n_rounds, tol=NEVER_CONVERGED).fit(frame(judgments))
    ours = fit_dawid_skene(judgments, smoothing=0, tolerance=NEVER_CONVERGED, max_rounds=n_rounds)
    seen = sorted(theirs.probas_.columns)
    judged = sorted(theirs.probas_.index)
    expected = theirs.probas_.loc[judged, seen].to_numpy()
    assert ours.posterior[np.ix_(judged, seen)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("smoothing", [0, 0.1])
def test_it_finds_what_is_published_of_real_workers(shared_data: Path, smoothing: float) -> None:
    """Snow et al. 2008 (RTE) and Welinder et al. 2010 (bluebirds), as INVENTORY names them."""
    entailment, birds = rte(shared_data), bluebirds(shared_data)
    votes, fitted = (right_share(entailment, each) for each in _both(entailment.coded.judgments, smoothing))
    assert (votes, fitted) == (pytest.approx(0.8969, abs=5e-5), pytest.approx(0.9275, abs=0.0015))
    votes, fitted = (right_share(birds, each) for each in _both(birds.coded.judgments, smoothing))
    assert (votes, fitted) == (pytest.approx(0.7593, abs=5e-5), pytest.approx(0.8981, abs=5e-5))


def _both(judgments: Judgments, smoothing: float) -> tuple[np.ndarray, np.ndarray]:
    return vote_shares(judgments), fit_dawid_skene(judgments, smoothing=smoothing).posterior


@given(RATINGS | LOPSIDED, st.sampled_from([0.01, 0.1, 1.0]))
def test_each_round_climbs(ratings: np.ndarray, smoothing: float) -> None:
    judgments = judgments_of(ratings)
    assume(len(judgments))
    fitted = fit_dawid_skene(judgments, smoothing=smoothing, tolerance=NEVER_CONVERGED, max_rounds=15)
    assert (np.diff(fitted.history) > -1e-7).all()
    assert fitted.posterior.sum(axis=1) == pytest.approx(np.ones(judgments.n_items))
    assert fitted.confusions.sum(axis=2) == pytest.approx(np.ones((judgments.n_annotators, 3)))


def test_a_person_who_always_says_the_opposite_is_understood() -> None:
    dice = np.random.default_rng(3)
    truth = dice.integers(0, 2, 200)
    said = np.where(dice.random((4, 200)) < 0.85, truth, 1 - truth)
    said[3] = 1 - truth
    fitted = fit_dawid_skene(judgments_of(said, n_labels=2))
    assert (fitted.posterior.argmax(axis=1) == truth).mean() > 0.99
    assert fitted.accuracies[3] < 0.05
    assert fitted.converged


@pytest.mark.nightly
@pytest.mark.parametrize("smoothing", [0, 0.1])
def test_it_ends_at_a_fixed_point_also_where_the_likelihood_is_flat(smoothing: float) -> None:
    """Four people who hardly know better than chance. By the growth of the likelihood EM stopped after a few rounds,
    and thousands of rounds more changed 18 labels of 300."""
    dice = np.random.default_rng(0)
    truth = dice.integers(0, 3, 300)
    said = judgments_of(np.where(dice.random((4, 300)) < 0.4, truth, dice.integers(0, 3, (4, 300))))
    fitted = fit_dawid_skene(said, smoothing=smoothing)
    further = fit_dawid_skene(said, smoothing=smoothing, tolerance=NEVER_CONVERGED, max_rounds=20_000)
    assert fitted.converged and fitted.moved < 1e-8
    assert further.posterior == pytest.approx(fitted.posterior, abs=1e-4)


@pytest.mark.nightly
@pytest.mark.filterwarnings(CROWD_KIT_ON_PANDAS_3)
def test_the_fixed_point_of_real_workers_is_that_of_crowd_kit(shared_data: Path) -> None:
    for data in (rte(shared_data), bluebirds(shared_data)):
        judgments = data.coded.judgments
        theirs = CrowdKit(n_iter=300, tol=NEVER_CONVERGED).fit(frame(judgments)).probas_
        ours = fit_dawid_skene(judgments, smoothing=0)
        assert ours.converged
        assert ours.posterior == pytest.approx(theirs.loc[range(judgments.n_items), [0, 1]].to_numpy(), abs=1e-5)


def test_a_fit_that_ran_out_of_rounds_says_so() -> None:
    fitted = fit_dawid_skene(toy().judgments, max_rounds=2)
    assert (fitted.converged, len(fitted.history)) == (False, 2)
    assert fitted.moved > 1e-8


def test_what_is_known_is_held_and_teaches_who_is_right() -> None:
    """Two against two on every item; the known half settles the other half."""
    truth = np.tile([0, 1], 10)
    judgments = judgments_of(np.array([truth, truth, 1 - truth, 1 - truth]), n_labels=2)
    known = np.where(np.arange(20) < 10, truth, -1)
    fitted = fit_dawid_skene(judgments, known=known)
    assert (fitted.posterior.argmax(axis=1) == truth).all()
    assert fitted.posterior[np.arange(10), truth[:10]].tolist() == [1.0] * 10


def test_an_item_without_votes_gets_the_prevalence_and_changes_nothing() -> None:
    judged = toy().judgments
    wider = Judgments(judged.items, judged.annotators, judged.labels, 11, 4, 3)
    one, other = fit_dawid_skene(judged), fit_dawid_skene(wider)
    assert other.posterior[:10] == pytest.approx(one.posterior)
    assert other.posterior[10] == pytest.approx(other.prevalence)
    assert other.confusions[3] == pytest.approx(np.full((3, 3), 1 / 3))


def test_a_handful_of_judgments_makes_nobody_infallible() -> None:
    agreed = np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
    assert fit_dawid_skene(judgments_of(agreed)).accuracies.max() < 0.97
    assert fit_dawid_skene(judgments_of(agreed), smoothing=0).accuracies.max() > 0.999


def test_what_cannot_be_fitted_is_refused() -> None:
    nobody = judgments_of(np.full((2, 2), -1))
    with pytest.raises(ValueError, match="no judgment"):
        fit_dawid_skene(nobody)
    with pytest.raises(ValueError, match="at least 0"):
        fit_dawid_skene(toy().judgments, smoothing=-1)
    with pytest.raises(ValueError, match="one number per item"):
        fit_dawid_skene(toy().judgments, known=np.array([0, 1]))
