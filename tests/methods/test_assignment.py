"""Cutting a pool into HITs, and the order a person sees one in."""

from __future__ import annotations

import doctest
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods import assignment
from backend.methods.assignment import (
    choose_controls,
    controls_on_top,
    cut_pool,
    deal_controls,
    order_seed,
    shuffle_order,
)

POOLS = st.lists(st.text(max_size=8), unique=True, max_size=60)
SIZES = st.integers(min_value=1, max_value=12)
SEEDS = st.integers(min_value=0, max_value=2**53)
IMAGE = "9f2c"


def sizes_of(n: int, k: int) -> list[int]:
    return [len(part) for part in cut_pool([f"c{i}" for i in range(n)], k=k, seed=0, subject=IMAGE)]


@pytest.mark.parametrize(
    ("n", "k", "sizes"),
    [(0, 10, []), (1, 10, [1]), (10, 10, [10]), (11, 10, [6, 5]), (23, 10, [8, 8, 7]), (3, 1, [1, 1, 1])],
)
def test_parts_are_as_few_and_as_even_as_can_be(n: int, k: int, sizes: list[int]) -> None:
    assert sizes_of(n, k) == sizes


@given(pool=POOLS, k=SIZES, seed=SEEDS)
def test_every_caption_is_in_one_part_and_no_part_is_too_big(pool: list[str], k: int, seed: int) -> None:
    parts = cut_pool(pool, k=k, seed=seed, subject=IMAGE)
    sizes = [len(part) for part in parts]
    assert sorted(chain(*parts)) == sorted(pool)
    assert len(parts) == -(-len(pool) // k)
    assert all(size <= k for size in sizes)
    assert not sizes or max(sizes) - min(sizes) <= 1


@given(pool=POOLS, k=SIZES, seed=SEEDS, data=st.data())
def test_the_order_the_pool_came_in_changes_nothing(pool: list[str], k: int, seed: int, data: st.DataObject) -> None:
    other = data.draw(st.permutations(pool))
    assert cut_pool(pool, k=k, seed=seed, subject=IMAGE) == cut_pool(other, k=k, seed=seed, subject=IMAGE)


def test_another_seed_and_another_image_draw_another_order() -> None:
    pool = [f"c{i}" for i in range(20)]
    drawn = {cut_pool(pool, k=20, seed=seed, subject=image) for seed in range(3) for image in ("a", "b")}
    assert len(drawn) == 6


def test_the_same_draw_gives_the_same_parts_for_ever() -> None:
    assert cut_pool(["a", "b", "c", "d"], k=2, seed=1, subject=IMAGE) == (("c", "a"), ("d", "b"))


@pytest.mark.parametrize("k", [0, -1])
def test_a_hit_that_holds_nothing_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="at least one caption"):
        cut_pool(["a"], k=k, seed=0, subject=IMAGE)


def test_a_key_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        cut_pool(["a", "a"], k=2, seed=0, subject=IMAGE)


@given(n=st.integers(min_value=0, max_value=50), seed=SEEDS)
def test_a_shuffle_keeps_every_item_and_depends_on_the_seed_alone(n: int, seed: int) -> None:
    order = shuffle_order(n, seed=seed)
    assert sorted(order) == list(range(n))
    assert order == shuffle_order(n, seed=seed)


def test_shuffles_favour_no_position() -> None:
    firsts = [shuffle_order(4, seed=seed)[0] for seed in range(4000)]
    assert all(900 < firsts.count(item) < 1100 for item in range(4))


@given(names=st.lists(st.text(max_size=5), min_size=1, max_size=4))
def test_an_order_seed_fits_a_database_integer(names: list[str]) -> None:
    assert 0 <= order_seed(*names) < 2**63


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(assignment).failed == 0


@given(n_items=st.integers(1, 100), rate=st.floats(0, 0.5))
def test_as_many_controls_come_on_top_as_come_nearest_to_the_rate(n_items: int, rate: float) -> None:
    assert abs(controls_on_top(n_items, rate=rate) - n_items * rate / (1 - rate)) <= 0.5 + 1e-9


def test_no_rate_no_controls_and_a_rate_of_all_is_refused() -> None:
    assert controls_on_top(10, rate=0) == 0
    with pytest.raises(ValueError, match="below 1"):
        controls_on_top(10, rate=1)


def test_which_controls_hangs_on_the_seed_and_not_on_the_order_they_come_in() -> None:
    keys = [f"c{n}" for n in range(30)]
    assert choose_controls(keys, n=3, seed=1) == choose_controls(keys[::-1], n=3, seed=1)
    assert choose_controls(keys, n=3, seed=1) != choose_controls(keys, n=3, seed=2)
    assert set(choose_controls(keys, n=99, seed=1)) == set(keys)


@given(n_controls=st.integers(1, 20), n=st.integers(1, 4), n_hits=st.integers(1, 30), seed=SEEDS)
def test_hits_take_turns_so_that_each_control_is_in_as_many(n_controls: int, n: int, n_hits: int, seed: int) -> None:
    keys = [f"c{at}" for at in range(n_controls)]
    hits = [deal_controls(keys, n=n, turn=turn, seed=seed) for turn in range(n_hits)]
    assert all(len(set(hit)) == len(hit) == min(n, n_controls) for hit in hits)
    if n <= n_controls:
        times = Counter(key for hit in hits for key in hit)
        assert max(times.values()) - min(times[key] for key in keys) <= 1


def test_where_there_is_no_control_none_is_dealt() -> None:
    assert deal_controls([], n=2, turn=1, seed=1) == ()
