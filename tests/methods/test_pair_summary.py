"""What votes say: entropy, and ConQA's categories under both readings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.aggregation import categorise, is_relevant, summarise
from backend.methods.consensus import Votes

ANY_VOTES = st.builds(Votes, good=st.integers(0, 9), bad=st.integers(0, 9), unsure=st.integers(0, 9))


@pytest.mark.parametrize(
    ("votes", "by_plurality", "by_majority"),
    [
        (Votes(3, 0, 0), "fully_relevant", "fully_relevant"),
        (Votes(0, 3, 0), "fully_non_relevant", "fully_non_relevant"),
        (Votes(0, 0, 3), "unsure", "unsure"),
        (Votes(2, 1, 0), "majority_relevant", "majority_relevant"),
        (Votes(1, 2, 0), "majority_non_relevant", "majority_non_relevant"),
        (Votes(2, 1, 1), "majority_relevant", "unsure"),
        (Votes(1, 1, 1), "unsure", "unsure"),
        (Votes(1, 1, 0), "unsure", "unsure"),
        (Votes(2, 1, 2), "unsure", "unsure"),
        (Votes(0, 0, 0), None, None),
    ],
)
def test_the_category_under_both_readings(votes: Votes, by_plurality: str | None, by_majority: str | None) -> None:
    found = summarise(votes)
    assert (found.category, found.category_by_majority) == (by_plurality, by_majority)


@pytest.mark.parametrize(
    ("votes", "entropy"), [(Votes(5, 0, 0), 0.0), (Votes(1, 1, 0), 1.0), (Votes(2, 1, 1), 1.5), (Votes(), None)]
)
def test_entropy_is_in_bits(votes: Votes, entropy: float | None) -> None:
    assert summarise(votes).entropy == entropy


@given(ANY_VOTES)
def test_more_than_half_is_more_than_any_other(votes: Votes) -> None:
    found = summarise(votes)
    if found.category_by_majority != "unsure":
        assert found.category == found.category_by_majority


@pytest.mark.parametrize(
    ("votes", "of_all", "of_most", "of_half"),
    [(Votes(3), True, True, True), (Votes(2, 1), False, True, True), (Votes(1, 1), False, False, True),
     (Votes(2, 0, 1), False, True, True), (Votes(0, 0, 3), False, False, False), (Votes(), False, False, False)],
)  # fmt: skip
def test_what_is_relevant_by_each_rule_of_the_released_code(
    votes: Votes, of_all: bool, of_most: bool, of_half: bool
) -> None:
    assert [is_relevant(votes, rule=rule) for rule in ("all", "most", "half")] == [of_all, of_most, of_half]


def test_another_reading_of_most_is_refused() -> None:
    with pytest.raises(ValueError, match="plurality or majority"):
        categorise(Votes(1), most="many")
