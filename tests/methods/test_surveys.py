"""Dealing is balanced, and a series hides its distractors, whatever the sizes."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.quality import share_of
from backend.methods.surveys import bin_shares, deal, interleave


@given(
    n_pairs=st.integers(1, 60), n_each=st.integers(1, 40), n_people=st.integers(1, 30), seed=st.integers(0, 2**31 - 1)
)
def test_no_pair_is_dealt_two_times_more_than_another(n_pairs: int, n_each: int, n_people: int, seed: int) -> None:
    dealt = dict.fromkeys(range(n_pairs), 0)
    for person in range(n_people):
        series = deal(dealt, n_each, random.Random(f"{seed}:{person}"))
        assert len(series) == len(set(series)) == min(n_each, n_pairs)
        for pair in series:
            dealt[pair] += 1
        assert max(dealt.values()) - min(dealt.values()) <= 1


def test_the_same_seed_deals_the_same_pairs_whatever_the_order_of_the_rows() -> None:
    rows = {pair: pair % 3 for pair in range(40)}
    shuffled = dict(sorted(rows.items(), key=lambda row: -row[0]))
    assert deal(rows, 10, random.Random("a")) == deal(shuffled, 10, random.Random("a"))
    assert deal(rows, 10, random.Random("a")) != deal(rows, 10, random.Random("b"))


@given(n_pairs=st.integers(0, 60), n_distractors=st.integers(0, 30), seed=st.integers(0, 2**31 - 1))
def test_each_part_of_a_series_has_one_distractor(n_pairs: int, n_distractors: int, seed: int) -> None:
    pairs, distractors = list(range(n_pairs)), list(range(-n_distractors, 0))
    series = interleave(pairs, distractors, random.Random(seed))
    assert sorted(series) == sorted([*pairs, *distractors])
    n = len(series)
    bounds = [n * part // n_distractors for part in range(n_distractors + 1)] if n_distractors else []
    assert [sum(each < 0 for each in series[first:end]) for first, end in pairwise(bounds)] == [1] * n_distractors


def test_a_distractor_can_stand_at_every_place() -> None:
    places = {interleave(range(25), [-1, -2, -3, -4, -5], random.Random(seed)).index(-1) for seed in range(2000)}
    assert places == set(range(30))


@pytest.mark.parametrize(("k", "n", "low", "high"), [(28, 31, 75.1, 96.7), (6, 7, 48.7, 97.4), (10, 10, 72.2, 100.0)])
def test_shares_have_the_intervals_of_the_worked_examples(k: int, n: int, low: float, high: float) -> None:
    found = share_of(k, n)
    assert found is not None
    assert (round(100 * found.low, 1), round(100 * found.high, 1)) == (low, high)


def test_a_share_on_the_border_of_two_bins_is_in_the_upper_one() -> None:
    shares = [(k, 10) for k in range(11)]
    assert [each.n for each in bin_shares(shares)] == [1] * 9 + [2]
