"""Splits keep near-duplicates together, whatever the seed, and come near the shares."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.exports.choices import Shares, read_left_out, read_shares
from backend.methods.exports.splits import draw_splits

HASHES = st.lists(st.integers(0, 2**12 - 1).map(lambda n: n * 0x0010_0100_1001), min_size=1, max_size=40)
SHARES = st.tuples(st.integers(0, 100), st.integers(0, 100)).map(
    lambda two: Shares(min(two), abs(two[0] - two[1]), 100 - max(two))
)


def written(numbers: list[int]) -> list[str]:
    return [f"{n:016x}" for n in numbers]


@given(HASHES, SHARES, st.integers(0, 2**31))
def test_near_duplicates_are_never_in_two_splits(numbers: list[int], shares: Shares, seed: int) -> None:
    digests = [f"{n:064x}" for n in range(len(numbers))]
    split = draw_splits(digests, written(numbers), shares, seed=seed)
    for one, first in enumerate(numbers):
        for other, second in enumerate(numbers):
            if (first ^ second).bit_count() <= 4:
                assert split[digests[one]] == split[digests[other]]


@given(st.permutations(range(12)), st.integers(0, 1000))
def test_the_order_of_the_images_makes_no_difference(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(1)
    hashes = [f"{int(n):016x}" for n in rng.integers(0, 2**63, 12)]
    digests = [f"{n:064x}" for n in range(12)]
    straight = draw_splits(digests, hashes, Shares(60, 20, 20), seed=seed)
    mixed = draw_splits([digests[n] for n in order], [hashes[n] for n in order], Shares(60, 20, 20), seed=seed)
    assert mixed == straight


def test_a_thousand_unlike_images_meet_the_shares_and_a_seed_draws_others() -> None:
    rng = np.random.default_rng(2)
    digests = [f"{n:064x}" for n in range(1000)]
    hashes = [f"{int(n):016x}" for n in rng.integers(0, 2**63, 1000)]
    one, other = (draw_splits(digests, hashes, Shares(80, 15, 5), seed=seed) for seed in (1, 2))
    for split in (one, other):
        counts = Counter(split.values())
        assert all(abs(counts[name] - n) <= 2 for name, n in {"train": 800, "validation": 150, "test": 50}.items())
    assert one != other


def test_twenty_thousand_equal_images_are_one_group_and_take_no_memory_of_their_square() -> None:
    digests = [f"{n:064x}" for n in range(20_000)]
    assert set(draw_splits(digests, ["0" * 16] * 20_000, Shares(80, 10, 10), seed=3).values()) == {"train"}


@pytest.mark.parametrize("text", ["", "80", "80,10", "80,10,5", "a,b,c", "-10,100,10", "50.5,49.5,0", "1e2,0,0"])
def test_shares_that_are_none_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        read_shares(text)


def test_an_unknown_name_to_leave_out_is_refused_and_nothing_may_be_left_out() -> None:
    assert read_left_out(" times,comments, ") == {"times", "comments"}
    assert read_left_out("") == frozenset()
    with pytest.raises(ValueError, match="names cannot be left out"):
        read_left_out("names")
