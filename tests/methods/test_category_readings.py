"""Three readings of unsure, three categories."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.aggregation import category_readings
from backend.methods.aggregation.category_readings import READINGS, category_under
from backend.methods.consensus import Votes

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


@given(VOTES)
def test_without_unsure_votes_all_readings_say_the_same(votes: Votes) -> None:
    sure = Votes(votes.good, votes.bad)
    assert len({category_under(sure, reading) for reading in READINGS}) == 1


@given(VOTES)
def test_good_and_bad_are_treated_alike(votes: Votes) -> None:
    turned = {"fully_relevant": "fully_non_relevant", "majority_relevant": "majority_non_relevant"}
    turned |= {other: one for one, other in turned.items()}
    for reading in READINGS:
        one, other = category_under(votes, reading), category_under(Votes(votes.bad, votes.good, votes.unsure), reading)
        assert turned.get(str(one), one) == other


def test_the_example_holds() -> None:
    assert doctest.testmod(category_readings).failed == 0
