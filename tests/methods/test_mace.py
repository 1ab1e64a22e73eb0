"""MACE against crowd-kit from one start, on real workers, and on annotators whose habits are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from crowdkit.aggregation import MACE as CROWD_KIT
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from backend.methods.aggregation import fit_mace
from backend.methods.aggregation.mace import Start, run_from
from backend.methods.aggregation.vote_sums import normalised
from backend.methods.judgments import Judgments
from foreign_sets import bluebirds, right_share, rte
from nightly import examples
from rated_tables import LOPSIDED, RATINGS, judgments_of, toy

CROWD_KIT_ON_PANDAS_3 = "ignore:The inplace keyword:DeprecationWarning"


def in_order_of_appearance(judgments: Judgments) -> tuple[Judgments, pd.DataFrame]:
    """The same judgments numbered as crowd-kit meets them: it sums by name in one place and by order in another, so
    that only names in the order of appearance mean one thing to it."""
    columns = (judgments.items, judgments.annotators, judgments.labels)
    items, annotators, labels = (pd.factorize(column)[0].astype(np.int64) for column in columns)
    n_labels = labels.max() + 1
    ours = Judgments(items, annotators, labels, items.max() + 1, annotators.max() + 1, n_labels)
    return ours, pd.DataFrame({"task": items, "worker": annotators, "label": labels})


def crowd_kits_start(n_annotators: int, n_labels: int) -> Start:
    """What it draws for `random_state` 0: both tables from the same numbers."""
    drawn = [scipy.stats.uniform(1, 1.5).rvs(size=(n_annotators, width), random_state=0) for width in (2, n_labels)]
    return Start(normalised(drawn[0]), normalised(drawn[1]))


@pytest.mark.nightly
@pytest.mark.filterwarnings(CROWD_KIT_ON_PANDAS_3)
@settings(max_examples=examples(40), deadline=None)
@given(RATINGS | LOPSIDED, st.integers(1, 4))
def test_one_run_is_that_of_crowd_kit(ratings: np.ndarray, n_rounds: int) -> None:
    assume((ratings >= 0).any())
    judgments, table = in_order_of_appearance(judgments_of(ratings))
    theirs = CROWD_KIT(n_restarts=1, n_iter=n_rounds).fit(table)
    ours = run_from(judgments, crowd_kits_start(judgments.n_annotators, judgments.n_labels), n_rounds=n_rounds)
    assert ours.posterior == pytest.approx(theirs.probas_.sort_index().sort_index(axis=1).to_numpy(), abs=1e-9)


@pytest.mark.nightly
def test_it_beats_the_vote_on_real_workers(shared_data: Path) -> None:
    for data, at_least in ((rte(shared_data), 0.92), (bluebirds(shared_data), 0.85)):
        assert right_share(data, fit_mace(data.coded.judgments).posterior) >= at_least


def test_those_who_answer_by_habit_are_found() -> None:
    dice = np.random.default_rng(8)
    truth = dice.integers(0, 3, 300)
    said = np.where(dice.random((5, 300)) < 0.8, truth, dice.integers(0, 3, (5, 300)))
    said[3], said[4] = 0, dice.integers(0, 3, 300)
    fitted = fit_mace(judgments_of(said))
    assert fitted.competence[:3].min() > 0.7
    assert fitted.competence[3:].max() < 0.1
    assert fitted.habits[3, 0] > 0.9
    assert (fitted.posterior.argmax(axis=1) == truth).mean() > 0.9


def test_the_seed_settles_the_starts_and_the_likeliest_run_is_kept() -> None:
    one, again, other = (fit_mace(toy().judgments, seed=seed, n_restarts=4) for seed in (1, 1, 2))
    assert (len(one.of_restarts), one.seed) == (4, 1)
    assert one.of_restarts == again.of_restarts
    assert one.of_restarts != other.of_restarts
    assert one.log_likelihood == max(one.of_restarts)


def test_what_is_known_is_held() -> None:
    known = np.full(10, -1)
    known[0] = 1  # all three say good (0)
    assert fit_mace(toy().judgments, known=known).posterior[0].tolist() == [0.0, 1.0, 0.0]


def test_an_annotator_without_judgments_is_half_trusted() -> None:
    judged = toy().judgments
    wider = Judgments(judged.items, judged.annotators, judged.labels, 11, 4, 3)
    fitted = fit_mace(wider)
    assert fitted.competence[3] == 0.5
    assert fitted.posterior[10] == pytest.approx(np.full(3, 1 / 3))


def test_what_cannot_be_fitted_is_refused() -> None:
    with pytest.raises(ValueError, match="no judgment"):
        fit_mace(judgments_of(np.full((2, 2), -1)))
    with pytest.raises(ValueError, match="a start and a round"):
        fit_mace(toy().judgments, n_restarts=0)
