"""Cost by ConQA's formula, and the forecast against drawing it out vote by vote."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from backend.methods.aggregation import decide
from backend.methods.budget import cost_of, forecast, hits_needed
from backend.methods.consensus import LABELS, Votes

SETTINGS = {"confidence": 0.9, "min_votes": 2, "max_votes": 6}


def test_conqa_cost_what_its_paper_says() -> None:
    conceptual = hits_needed(100, n_judgments=3, slots=5)
    descriptive = hits_needed(100, n_judgments=3, slots=5, controls=1)
    assert (conceptual, descriptive) == (60, 75)
    cost = cost_of(50 * conceptual + 30 * descriptive, pay=Decimal("0.20"), fee=Decimal("0.10"))
    assert cost == Decimal("1155.00")


def test_a_last_hit_that_is_not_full_is_paid_in_full() -> None:
    assert hits_needed(101, n_judgments=3, slots=5) == 63
    assert hits_needed(0, n_judgments=3, slots=5) == 0
    assert cost_of(1, pay=Decimal("0.125")) == Decimal("0.13")


def test_a_hit_without_a_place_for_an_item_is_refused() -> None:
    with pytest.raises(ValueError, match="no place beside 5 controls"):
        hits_needed(10, n_judgments=3, slots=5, controls=5)
    with pytest.raises(ValueError, match="cannot be negative"):
        hits_needed(-1, n_judgments=3, slots=5)


def still_needed(start: Votes, skill: float, dice: np.random.Generator) -> int:
    """One pair, drawn to its end."""
    votes = {label: [skill] * start.of(label) for label in LABELS}
    truth = dice.choice(3, p=list(decide(votes, **SETTINGS).posterior.values()))
    n = 0
    while decide(votes, **SETTINGS).stop == "ask_another":
        wrong = [each for each in range(3) if each != truth]
        votes[LABELS[truth if dice.random() < skill else dice.choice(wrong)]].append(skill)
        n += 1
    return n


@pytest.mark.parametrize(("start", "skill"), [(Votes(), 0.8), (Votes(1, 1, 0), 0.8), (Votes(1), 0.65)])
def test_mean_and_spread_are_those_of_drawing_it_out(start: Votes, skill: float) -> None:
    dice = np.random.default_rng(11)
    drawn = np.array([still_needed(start, skill, dice) for _ in range(1_500)])
    found = forecast({start: 400}, skill=skill, **SETTINGS)
    assert found.mean / 400 == pytest.approx(drawn.mean(), abs=4 * drawn.std() / 1_500**0.5)
    spread = (found.high - found.low) / (2 * 1.959964 * 20)
    assert spread == pytest.approx(drawn.std(), rel=0.12)


def test_pairs_that_are_done_need_nothing_more() -> None:
    found = forecast({Votes(4): 10, Votes(2, 2, 2): 3}, skill=0.9, **SETTINGS)
    assert (found.mean, found.low, found.high, found.n_open) == (0.0, 0.0, 0.0, 0)
    assert forecast({}, skill=0.9, **SETTINGS).n_open == 0


def test_the_interval_keeps_to_what_is_possible() -> None:
    found = forecast({Votes(): 1}, skill=0.8, level=0.999999, **SETTINGS)
    assert (found.low, found.high) == (1.0, 6.0)


def test_worse_annotators_and_more_confidence_need_more_votes() -> None:
    usual = forecast({Votes(): 50}, skill=0.8, **SETTINGS).mean
    assert forecast({Votes(): 50}, skill=0.6, **SETTINGS).mean > usual
    assert forecast({Votes(): 50}, skill=0.8, **{**SETTINGS, "confidence": 0.99}).mean > usual


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="level lies between"):
        forecast({Votes(): 1}, skill=0.8, level=1.0)
    with pytest.raises(ValueError, match="both exclusive"):
        forecast({Votes(1): 1}, skill=1.0)
