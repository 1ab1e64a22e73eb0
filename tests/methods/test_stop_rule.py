"""When to stop asking: worked by hand, and against Bayes spelled out."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.aggregation import annotator_skill, decide, label_posterior
from backend.methods.consensus import LABELS

SKILL = st.floats(0.02, 0.98)
VOTES = st.fixed_dictionaries({label: st.lists(SKILL, max_size=4) for label in LABELS})


@pytest.mark.parametrize(
    ("correct", "graded", "skill"), [(0, 0, 0.5), (1, 1, 0.75), (9, 10, 9.5 / 11), (0, 10, 0.5 / 11)]
)
def test_skill_is_the_share_of_controls_pulled_towards_a_half(correct: int, graded: int, skill: float) -> None:
    assert annotator_skill(correct, graded) == pytest.approx(skill)


def test_two_good_annotators_who_agree_are_enough_and_two_who_differ_are_not() -> None:
    """Skill .9: (.9 * .9) against 2 * (.05 * .05) -> .99387; one each way -> .4865 / .4865 / .0270."""
    agreed = decide({"good": [0.9, 0.9]}, confidence=0.95)
    assert (agreed.label, agreed.stop) == ("good", "confident")
    assert agreed.confidence == pytest.approx(0.81 / (0.81 + 2 * 0.0025))
    split = decide({"good": [0.9], "bad": [0.9]}, confidence=0.95)
    assert (split.label, split.stop) == (None, "ask_another")
    assert split.posterior == pytest.approx({"good": 18 / 37, "bad": 18 / 37, "unsure": 1 / 37})


def test_judging_ends_at_the_most_votes_and_does_not_before_the_fewest() -> None:
    assert decide({"good": [0.5] * 3, "bad": [0.5] * 2}, max_votes=5).stop == "most_votes"
    assert decide({"good": [0.99]}, min_votes=2).stop == "ask_another"
    assert decide({"good": [0.99] * 5}, max_votes=5).stop == "confident"


def test_nobody_has_voted_yet() -> None:
    nothing = decide({})
    assert (nothing.label, nothing.n_votes, nothing.stop) == (None, 0, "ask_another")
    assert nothing.confidence == pytest.approx(1 / 3)


@given(VOTES)
def test_the_posterior_is_bayes_from_even_odds(votes: dict[str, list[float]]) -> None:
    joint = {
        label: prod(skill if said == label else (1 - skill) / 2 for said, skills in votes.items() for skill in skills)
        for label in LABELS
    }
    assert label_posterior(votes) == pytest.approx({label: each / sum(joint.values()) for label, each in joint.items()})


@pytest.mark.parametrize("skill", [0.0, 1.0, -0.1])
def test_nobody_is_infallible(skill: float) -> None:
    with pytest.raises(ValueError, match="both exclusive"):
        label_posterior({"good": [skill]})


def test_impossible_counts_and_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2 controls"):
        annotator_skill(3, 2)
    with pytest.raises(ValueError, match="at least as many votes"):
        decide({}, min_votes=4, max_votes=3)


def test_without_controls_agreement_is_as_certain_as_the_settings_page_tells() -> None:
    """The hint of the certainty wanted names 80, 89 and 94 percent, in frontend/src/messages."""
    alone = annotator_skill(0, 0)
    told = [round(label_posterior({"good": [alone] * n})["good"], 2) for n in (3, 4, 5)]
    assert told == [0.80, 0.89, 0.94]
    assert decide({"good": [alone] * 4}, confidence=0.9).stop == "ask_another"
