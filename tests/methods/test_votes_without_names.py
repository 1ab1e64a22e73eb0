"""Votes dealt to voters who stand for nobody: none is lost, and each voter is like the next."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.consensus import LABELS
from backend.methods.foreign.unnamed import MOST_VOTES, TWICE, deal_votes

COUNTS = st.lists(st.integers(0, 30), min_size=3, max_size=3)


@given(st.text(), st.text(), COUNTS)
def test_every_vote_is_dealt_once_and_again_alike(query: str, image: str, counts: list[int]) -> None:
    told = list(deal_votes([(query, image, counts)]))
    assert told == list(deal_votes([(query, image, counts)]))
    if not any(counts):
        assert [each.why_not for each in told] == ["It has no answer."]
        return
    said = Counter(each.label for each in told)
    assert [said[label] for label in LABELS] == counts
    assert [each.worker for each in told] == [f"voter {n}" for n in range(1, sum(counts) + 1)]
    assert {(each.image, each.text, each.is_unnamed) for each in told} == {(image, " ".join(query.split()), True)}


@pytest.mark.parametrize(("counts", "is_dealt"), [((MOST_VOTES, 0, 0), True), ((MOST_VOTES, 0, 1), False)])
def test_more_votes_than_a_table_of_people_bears_are_told(counts: tuple[int, int, int], is_dealt: bool) -> None:
    told = list(deal_votes([("a pier", "7", counts)]))
    assert len(told) == (MOST_VOTES if is_dealt else 1)
    assert any(each.why_not for each in told) != is_dealt


def test_of_two_queries_of_the_same_words_one_is_dealt() -> None:
    """Some votes of the one and some of the other were taken: counts that no file holds."""
    votes = [("0", "7", [1, 0, 0]), ("a pier", "7", [0, 1, 1]), ("0", "8", [0, 1, 0])]
    told = list(deal_votes(votes, {"0": "a  pier"}))
    assert [(each.image, each.label, each.why_not) for each in told] == [
        ("7", "good", ""), ("7", "", TWICE), ("8", "bad", ""),
    ]  # fmt: skip


def test_no_voter_leans_to_a_label() -> None:
    """Of 3,000 pairs with two good votes and one bad, each of the three voters says good of two in three."""
    told = deal_votes((f"query {n}", "7", [2, 1, 0]) for n in range(3000))
    good = Counter(each.worker for each in told if each.label == "good")
    assert np.abs(np.array(list(good.values())) / 3000 - 2 / 3).max() < 4 * np.sqrt(2 / 9 / 3000)
