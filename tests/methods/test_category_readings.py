"""Three readings of unsure, three labels, three categories."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.aggregation import category_readings
from backend.methods.aggregation.category_readings import READINGS, category_under, label_under, readings_of
from backend.methods.aggregation.pair_summary import categorise
from backend.methods.consensus import Votes, majority

VOTES = st.builds(Votes, good=st.integers(0, 6), bad=st.integers(0, 6), unsure=st.integers(0, 6))


@pytest.mark.parametrize(
    ("votes", "categories"),
    [
        (Votes(3, 0, 0), ("fully_relevant", "fully_relevant", "fully_relevant")),
        (Votes(0, 2, 0), ("fully_non_relevant", "fully_non_relevant", "fully_non_relevant")),
        (Votes(2, 0, 1), ("majority_relevant", "fully_relevant", "majority_relevant")),
        (Votes(1, 0, 2), ("unsure", "fully_relevant", "unsure")),
        (Votes(3, 2, 4), ("unsure", "majority_relevant", "unsure")),
        (Votes(1, 1, 0), ("unsure", "unsure", "unsure")),
        (Votes(2, 0, 2), ("unsure", "fully_relevant", "unsure")),
        (Votes(1, 3, 1), ("majority_non_relevant", "majority_non_relevant", "majority_non_relevant")),
        (Votes(0, 0, 3), ("unsure", None, "unsure")),
        (Votes(), (None, None, None)),
    ],
)
def test_a_pair_has_a_category_under_each_reading(votes: Votes, categories: tuple[str | None, ...]) -> None:
    assert tuple(category_under(votes, reading) for reading in READINGS) == categories


@pytest.mark.parametrize(
    ("votes", "labels"),
    [
        (Votes(3, 0, 0), ("good", "good", "good")),
        (Votes(0, 2, 0), ("bad", "bad", "bad")),
        (Votes(2, 0, 1), ("good", "good", "good")),
        (Votes(1, 0, 2), ("unsure", "good", "unsure")),
        (Votes(3, 2, 4), ("unsure", "good", "unsure")),
        (Votes(1, 1, 0), (None, None, None)),
        (Votes(1, 1, 1), (None, None, "unsure")),
        (Votes(2, 0, 2), (None, "good", None)),
        (Votes(2, 1, 2), (None, "good", "unsure")),
        (Votes(3, 2, 0), ("good", "good", "good")),
        (Votes(4, 3, 3), ("good", "good", "unsure")),
        (Votes(10**15, 1, 10**15), (None, "good", "unsure")),  # numbers are not spelt out, vote by vote
        (Votes(0, 0, 3), ("unsure", None, "unsure")),
        (Votes(), (None, None, None)),
    ],
)
def test_a_pair_has_a_label_under_each_reading_and_none_on_a_tie(votes: Votes, labels: tuple[str | None, ...]) -> None:
    assert tuple(label_under(votes, reading) for reading in READINGS) == labels


@given(VOTES)
def test_label_and_category_tell_the_same_story(votes: Votes) -> None:
    stem = {"fully_relevant": "good", "majority_relevant": "good", "fully_non_relevant": "bad", None: None}
    stem |= {"majority_non_relevant": "bad"}
    told = readings_of(votes)
    assert [each.reading for each in told] == list(READINGS)
    for each in told:
        assert (each.label in ("unsure", None)) if each.category == "unsure" else (each.label == stem[each.category])


@given(VOTES)
def test_unsure_as_a_value_is_the_plain_majority_and_its_category(votes: Votes) -> None:
    told = readings_of(votes)[0]
    assert (told.label, told.category) == (majority(votes), categorise(votes))


@given(VOTES)
def test_without_unsure_votes_all_readings_say_the_same(votes: Votes) -> None:
    sure = Votes(votes.good, votes.bad)
    assert len({(each.label, each.category) for each in readings_of(sure)}) == 1


@given(VOTES)
def test_good_and_bad_are_treated_alike(votes: Votes) -> None:
    turned = {"fully_relevant": "fully_non_relevant", "majority_relevant": "majority_non_relevant"}
    turned |= {other: one for one, other in turned.items()}
    for reading in READINGS:
        one, other = category_under(votes, reading), category_under(Votes(votes.bad, votes.good, votes.unsure), reading)
        assert turned.get(str(one), one) == other


def test_the_example_holds() -> None:
    assert doctest.testmod(category_readings).failed == 0
