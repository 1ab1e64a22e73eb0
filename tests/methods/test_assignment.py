"""Cutting a pool into HITs, and the order a person sees one in."""

from __future__ import annotations

import doctest
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods import assignment
from backend.methods.assignment import (
    choose_controls,
    control_count,
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


@pytest.mark.parametrize(("n_items", "rate"), [(4, 0.1), (1, 0.1), (1, 0.3), (3, 0.01)])
def test_on_short_pages_a_control_takes_the_place_of_a_pair_at_the_set_rate(n_items: int, rate: float) -> None:
    assert controls_on_top(n_items, rate=rate) == 0
    counts = [control_count(n_items, rate=rate, seed=seed) for seed in range(20_000)]
    assert set(counts) == {0, 1}
    assert sum(counts) / (n_items * len(counts)) == pytest.approx(rate, rel=0.1)


@given(n_items=st.integers(5, 100), rate=st.floats(0.1, 0.5), seed=SEEDS)
def test_longer_pages_have_as_many_on_top_as_come_nearest_to_the_rate(n_items: int, rate: float, seed: int) -> None:
    n = control_count(n_items, rate=rate, seed=seed)
    assert n == controls_on_top(n_items, rate=rate) >= 1
    assert abs(n - n_items * rate / (1 - rate)) <= 0.5 + 1e-9


def test_no_rate_no_controls_and_a_rate_of_all_is_refused() -> None:
    assert control_count(10, rate=0, seed=1) == 0
    with pytest.raises(ValueError, match="below 1"):
        control_count(10, rate=1, seed=1)


def test_which_controls_hangs_on_the_seed_and_not_on_the_order_they_come_in() -> None:
    keys = [f"c{n}" for n in range(30)]
    assert choose_controls(keys, n=3, seed=1) == choose_controls(keys[::-1], n=3, seed=1)
    assert choose_controls(keys, n=3, seed=1) != choose_controls(keys, n=3, seed=2)
    assert set(choose_controls(keys, n=99, seed=1)) == set(keys)


def dealt(in_use: list[bool], n: int, n_parts: int) -> list[tuple[int, ...]]:
    return [deal_controls(in_use, n=n, part=part, n_parts=n_parts)[0] for part in range(n_parts)]


IN_USE, N_OF_EACH, N_PARTS = st.lists(st.booleans(), max_size=40), st.integers(0, 4), st.integers(1, 8)


@given(IN_USE, N_OF_EACH, N_PARTS)
def test_the_parts_share_no_control_and_hold_them_all_but_the_spare(in_use: list[bool], n: int, n_parts: int) -> None:
    parts, (_, spare) = dealt(in_use, n, n_parts), deal_controls(in_use, n=n, part=0, n_parts=n_parts)
    own = list(chain.from_iterable(parts))
    assert sorted([*own, *spare]) == [place for place, flag in enumerate(in_use) if flag]
    assert max(map(len, parts)) <= n


@given(st.integers(0, 40), N_OF_EACH, N_PARTS)
def test_none_is_spare_while_a_part_wants_one_where_all_are_in_use(n_controls: int, n: int, n_parts: int) -> None:
    assert len(list(chain.from_iterable(dealt([True] * n_controls, n, n_parts)))) == min(n * n_parts, n_controls)


@given(IN_USE, N_OF_EACH, N_PARTS, st.data())
def test_whatever_is_added_goes_out_of_use_or_comes_back_moves_one_part_at_most(
    in_use: list[bool], n: int, n_parts: int, data: st.DataObject
) -> None:
    """Two who had another part's pages before and after it can compare them, and see nothing."""
    before = dealt(in_use, n, n_parts)
    changed = data.draw(st.integers(0, len(in_use)))
    after = dealt([flag ^ (place == changed) for place, flag in enumerate([*in_use, False])], n, n_parts)
    moved = [part for part in range(n_parts) if before[part] != after[part]]
    assert len(moved) <= 1
    assert all(len(set(before[part]) ^ set(after[part])) <= 2 for part in moved), "and one control of it"
