"""Votes of a panel become easy, medium or hard; an unknown vote is never a no."""

from __future__ import annotations

from itertools import product

import pytest

from backend.methods.difficulty import POLICIES, Rating, rate, vote


def of_seven(yes: int, policy: str) -> str:
    return rate([True] * yes + [False] * (7 - yes), policy=policy).category


@pytest.mark.parametrize(
    ("policy", "categories"),
    [
        ("unanimous", ["hard"] + ["medium"] * 6 + ["easy"]),
        ("hard<=1", ["hard"] * 2 + ["medium"] * 5 + ["easy"]),
        ("majority", ["hard"] * 4 + ["easy"] * 4),
    ],
)
def test_seven_votes_are_cut_as_the_policy_says(policy: str, categories: list[str]) -> None:
    assert [of_seven(yes, policy) for yes in range(8)] == categories


def test_a_score_at_the_threshold_is_a_yes_and_none_is_no_vote() -> None:
    assert [vote(score, 0.26) for score in (0.26, 0.2599, None)] == [True, False, None]


@pytest.mark.parametrize("policy", POLICIES)
def test_one_missing_vote_leaves_the_pair_unrated_whatever_the_others_say(policy: str) -> None:
    for others in product([True, False], repeat=4):
        assert rate([*others, None], policy=policy) == Rating("unrated", None)


def test_an_even_split_is_decided_by_the_tie_breaker_and_only_by_majority() -> None:
    split = [True, False, False, True]
    assert [rate(split, policy="majority", tie_breaker=at).category for at in (0, 1, -1)] == ["easy", "hard", "easy"]
    assert {rate(split, policy="unanimous", tie_breaker=at).category for at in range(4)} == {"medium"}
    assert rate([True, True, True, False], policy="majority", tie_breaker=-1).category == "easy"


def test_the_category_is_a_function_of_the_count_on_odd_panels() -> None:
    for policy in POLICIES:
        by_count: dict[int, set[str]] = {}
        for votes in product([True, False], repeat=5):
            by_count.setdefault(sum(votes), set()).add(rate(votes, policy=policy).category)
        assert all(len(found) == 1 for found in by_count.values())


def test_a_panel_too_small_for_its_policy_and_an_unknown_policy_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 models, not 0"):
        rate([])
    with pytest.raises(ValueError, match="at least 2 models, not 1"):
        rate([True], policy="hard<=1")
    with pytest.raises(ValueError, match="There is no policy 'strict'"):
        rate([True], policy="strict")
