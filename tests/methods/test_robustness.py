"""Random panels of stored votes: kappas as scikit-learn's, the band of the simulation, and no kappa of a constant."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from backend.methods.difficulty import CODES, POLICIES, least_models, rate
from backend.methods.robustness import Stored, TooFewModelsError, draw_panels, rate_panel, robustness


def simulated(n_models: int = 30, n_captions: int = 25_000, *, rho: float = 0.74, seed: int = 0) -> Stored:
    """Votes of a probit model with one factor, in which a panel of seven finds a fifth hard and a quarter easy."""
    generator = np.random.default_rng(seed)
    hidden = generator.standard_normal(n_captions) * rho**0.5
    own = generator.standard_normal((n_models, n_captions)) * (1 - rho) ** 0.5
    leans = (hidden + own > -0.085).astype(np.int8)
    return Stored(tuple(f"m{n}" for n in range(n_models)), tuple(n < 7 for n in range(n_models)), leans)


def oracle(one: NDArray[np.int64], other: NDArray[np.int64], weights: str | None) -> float:
    return float(cohen_kappa_score(one, other, labels=[0, 1, 2], weights=weights))


@pytest.mark.parametrize("policy", POLICIES)
def test_kappas_of_all_pairs_and_of_the_reference_are_those_of_scikit_learn(policy: str) -> None:
    stored = simulated(12, 400, seed=3)
    found = robustness(stored, n_panels=6, size=7, seed=5, policy=policy)
    codes = [rate_panel(stored.votes, panel, policy) for panel in found.panels]
    reference = rate_panel(stored.votes, range(7), policy)
    assert found.with_reference is not None
    for kind, weights in (("nominal", None), ("linear", "linear")):
        pairs = [oracle(a, b, weights) for a, b in combinations(codes, 2)]
        spread = found.between[kind]
        assert (spread.n, spread.n_undefined) == (15, 0)
        assert [spread.least, spread.mean, spread.most] == pytest.approx([min(pairs), np.mean(pairs), max(pairs)])
        beside = [oracle(each, reference, weights) for each in codes]
        assert found.with_reference[kind].mean == pytest.approx(np.mean(beside))


@pytest.mark.parametrize("policy", POLICIES)
def test_many_captions_at_once_are_rated_as_each_by_itself(policy: str) -> None:
    votes = np.random.default_rng(1).integers(0, 2, size=(6, 300)).astype(np.int8)
    for size in range(least_models(policy), 7):
        panel = list(range(size))
        codes = rate_panel(votes, panel, policy)
        alone = [rate([bool(said) for said in votes[panel, at]], policy=policy).category for at in range(300)]
        assert [CODES[code] for code in codes] == alone


def test_the_simulated_thirty_models_land_in_the_band_of_the_paper_in_seconds() -> None:
    stored, began = simulated(), time.process_time()
    found = robustness(stored)
    assert time.process_time() - began < 5
    shares = found.shares[0]
    assert shares["hard"] == pytest.approx(0.20, abs=0.03)
    assert shares["easy"] == pytest.approx(0.252, abs=0.03)
    spread = found.between["nominal"]
    assert (spread.n, len(found.panels)) == (45, 10)
    assert spread.least is not None and spread.most is not None
    assert 0.57 <= spread.least <= spread.most <= 0.88
    assert found.between["linear"].mean > spread.mean  # hard is seldom taken for easy


def test_the_same_seed_draws_the_same_different_panels_and_another_seed_draws_others() -> None:
    panels = draw_panels(30, n_panels=10, size=7, seed=1)
    assert panels == draw_panels(30, n_panels=10, size=7, seed=1) != draw_panels(30, n_panels=10, size=7, seed=2)
    assert len(set(panels)) == 10
    assert all(len(set(panel)) == 7 for panel in panels)
    assert len(draw_panels(8, n_panels=10, size=7, seed=1)) == 8  # there are no more


def test_categories_that_are_all_the_same_have_no_kappa() -> None:
    all_yes = Stored(tuple("abcdefghi"), (True,) * 7 + (False,) * 2, np.ones((9, 50), dtype=np.int8))
    found = robustness(all_yes, n_panels=4)
    spread = found.between["nominal"]
    assert (spread.n, spread.n_undefined, spread.least, spread.mean, spread.most) == (0, 6, None, None, None)
    assert all(one.changed_share == 0.0 and one.kappa_without is None for one in found.influence if one.n_panels)


def test_the_one_model_that_disagrees_has_the_most_influence() -> None:
    stored = simulated(9, 2000, rho=0.95)
    stored.votes[4] = 1 - stored.votes[4]
    found = robustness(stored, n_panels=20)
    most = max(found.influence, key=lambda one: one.changed_share or 0)
    assert most.model == "m4"
    assert most.changed_in_reference == max(one.changed_in_reference or 0 for one in found.influence)
    assert found.influence[8].changed_in_reference is None  # no member of the reference


def test_a_caption_without_every_vote_is_left_out_and_counted() -> None:
    stored = simulated(8, 100)
    stored.votes[7, :30] = -1
    found = robustness(stored, n_panels=3)
    assert (found.n_captions, found.n_left_out) == (70, 30)


def test_too_few_models_and_panels_too_small_for_the_policy_are_refused() -> None:
    with pytest.raises(TooFewModelsError, match=r"need at least 8 models with stored scores\. There are 7"):
        robustness(simulated(7, 10))
    with pytest.raises(ValueError, match="needs panels of at least 2 models, not 1"):
        robustness(simulated(8, 10), size=1, policy="hard<=1")


def test_a_project_without_a_caption_that_all_have_rated_has_no_kappa() -> None:
    stored = simulated(8, 10)
    stored.votes[0] = -1
    found = robustness(stored)
    assert (found.n_captions, found.between["linear"].mean) == (0, None)
    assert all(one.changed_share is None for one in found.influence)
