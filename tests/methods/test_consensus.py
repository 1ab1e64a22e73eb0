"""Majority consensus, on the cases people argue about and on all small ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MajorityVote
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.consensus import LABELS, Votes, majority
from rated_tables import LOPSIDED, MISSING, RATINGS, judgments_of

COUNTS = st.integers(min_value=0, max_value=40)
ANY_VOTES = st.builds(Votes, good=COUNTS, bad=COUNTS, unsure=COUNTS)


@pytest.mark.parametrize(
    ("votes", "label"),
    [
        (Votes(3, 0, 0), "good"),
        (Votes(2, 1, 0), "good"),
        (Votes(1, 2, 0), "bad"),
        (Votes(0, 1, 2), "unsure"),
        (Votes(2, 1, 1), "good"),
        (Votes(1, 1, 0), None),
        (Votes(2, 1, 2), None),
        (Votes(1, 1, 1), None),
        (Votes(0, 0, 0), None),
    ],
)
def test_the_label_with_most_votes_wins_and_a_tie_has_none(votes: Votes, label: str | None) -> None:
    assert majority(votes) == label


@pytest.mark.parametrize(("min_votes", "label"), [(0, "good"), (2, "good"), (3, None)])
def test_too_few_votes_make_no_label(min_votes: int, label: str | None) -> None:
    assert majority(Votes(good=2), min_votes=min_votes) == label


def test_negative_votes_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Votes(good=-1)


@given(ANY_VOTES)
def test_a_winner_has_strictly_more_votes_than_each_other_label(votes: Votes) -> None:
    label = majority(votes)
    others = [votes.of(other) for other in LABELS if other != label]
    if label is None:
        assert votes.total == 0 or sorted(map(votes.of, LABELS))[-1] == sorted(map(votes.of, LABELS))[-2]
    else:
        assert votes.of(label) > max(others)


@given(ANY_VOTES)
def test_no_label_is_favoured(votes: Votes) -> None:
    turned = {"good": "bad", "bad": "unsure", "unsure": "good", None: None}
    assert majority(Votes(good=votes.unsure, bad=votes.good, unsure=votes.bad)) == turned[majority(votes)]


@given(ANY_VOTES, st.integers(min_value=0, max_value=130))
def test_one_more_vote_for_the_winner_changes_nothing(votes: Votes, min_votes: int) -> None:
    if majority(votes, min_votes=min_votes) == "good":
        assert majority(Votes(votes.good + 1, votes.bad, votes.unsure), min_votes=min_votes) == "good"


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pandas, about what crowd-kit calls
@given((RATINGS | LOPSIDED).filter(lambda ratings: (ratings != MISSING).any()))
def test_a_winner_is_that_of_crowd_kit_which_breaks_ties_that_stay_open_here(ratings: np.ndarray) -> None:
    judgments = judgments_of(ratings)
    columns = {"task": judgments.items, "worker": judgments.annotators, "label": judgments.labels}
    theirs = MajorityVote().fit_predict(pd.DataFrame(columns))
    for item, votes in enumerate(Votes(*map(int, row)) for row in judgments.counts()):
        label = majority(votes)
        assert label is None or LABELS[theirs[item]] == label
