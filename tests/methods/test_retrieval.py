"""Pools by radius and mean cosine: the worked toy, what empties a pool, and a plain loop as the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.methods.retrieval import (
    NOISE,
    SENTENCES,
    Neighbours,
    Pool,
    prefix_of,
    scaled_radius,
    sort_neighbours,
)
from nightly import examples

TOY = [0.9, 0.8, 0.7, 0.6, 0.4]
# Hundredths, so that ties and means of exactly .70 are common; each neighbour has a cosine and a cluster.
LISTS = st.lists(st.tuples(st.integers(30, 100), st.integers(-1, 2)), max_size=12)


def toy(labels: list[int] | None = None) -> Neighbours:
    return sort_neighbours(range(5), TOY, labels)


def plain_loop(found: list[tuple[int, int]], radius: int, label: int | None, low: int, floor: int | None) -> list[int]:
    """The definition word for word in whole hundredths: one neighbour more while the mean allows it."""
    mine = [at for at, (_, cluster) in enumerate(found) if label in (None, NOISE, cluster)]
    mine.sort(key=lambda at: (-found[at][0], at))
    pool: list[int] = []
    for at in mine:
        total = sum(found[near][0] for near in [*pool, at])
        if len(pool) == radius or total < low * (len(pool) + 1) or (floor is not None and found[at][0] < floor):
            break
        pool.append(at)
    return pool


@pytest.mark.parametrize(
    ("n_corpus", "n_ref", "radius"),
    [(10_000_000, 118_287, 4_228), (10_000_000, 82_783, 6_040), (118_287, 118_287, 50), (1, 118_287, 1), (0, 9, 0)],
)
def test_a_radius_grows_with_the_corpus_and_is_rounded_up(n_corpus: int, n_ref: int, radius: int) -> None:
    assert scaled_radius(n_corpus, n_ref=n_ref) == radius


def test_the_worked_toy_takes_four() -> None:
    """Running means .9, .85, .8, .75, .68 against .70."""
    assert prefix_of(toy(), radius=100) == Pool(
        ids=(0, 1, 2, 3),
        similarities=(0.9, 0.8, 0.7, 0.6),
        mean=0.75,
        ended_by="mean",
        reason=None,
        is_noise=False,
        could_widen=False,
    )


def test_a_mean_of_exactly_the_band_still_belongs_to_it() -> None:
    """In floats .7 + .7 + .7 divided by three is less than .7, and so is the single-precision .7."""
    assert prefix_of(sort_neighbours(range(3), [0.7] * 3), radius=9).ids == (0, 1, 2)
    assert prefix_of(sort_neighbours(range(3), np.full(3, 0.7, dtype=np.float32)), radius=9).ids == (0, 1, 2)


def test_equally_near_pictures_come_by_id_whatever_the_index_gave() -> None:
    pool = prefix_of(sort_neighbours([7, 3, 5, 1], [0.8, 0.9, 0.8 + 4e-7, 0.8]), radius=3)
    assert (pool.ids, pool.ended_by) == ((3, 1, 5), "radius")


def test_only_the_cluster_of_the_query_counts() -> None:
    pool = prefix_of(toy([1, 2, 1, 2, 1]), radius=9, query_label=1)
    assert (pool.ids, pool.mean, pool.ended_by, pool.is_noise) == ((0, 2), 0.8, "mean", False)


def test_a_query_that_is_noise_takes_all_and_is_marked() -> None:
    noise = prefix_of(toy([1, 2, 1, 2, 1]), radius=9, query_label=NOISE)
    assert (noise.ids, noise.is_noise) == ((0, 1, 2, 3), True)
    assert prefix_of(toy([1, 2, 1, 2, 1]), radius=9).ids == (0, 1, 2, 3), "without a label it is plain neighbours"


def test_a_mean_above_the_band_says_that_the_pool_could_widen() -> None:
    assert [prefix_of(toy(), radius=radius).could_widen for radius in (1, 2, 3, 4)] == [True, True, False, False]


def test_a_floor_holds_for_every_picture_and_not_for_the_mean() -> None:
    floored = prefix_of(toy(), radius=9, floor=0.7)
    assert (floored.ids, floored.ended_by) == ((0, 1, 2), "floor")


def test_a_list_that_ends_says_that_there_may_be_more() -> None:
    assert prefix_of(sort_neighbours([1, 2], [0.9, 0.8]), radius=3).ended_by == "list"
    assert prefix_of(sort_neighbours([1, 2], [0.9, 0.8]), radius=2).ended_by == "radius"


def test_padding_of_the_index_is_no_neighbour() -> None:
    pool = prefix_of(sort_neighbours([6, -1, -1], [0.9, -np.inf, -np.inf]), radius=3)
    assert (pool.ids, pool.ended_by) == ((6,), "list")


def test_suspected_copies_are_left_out() -> None:
    assert prefix_of(toy().without([0, 2, 99]), radius=9).ids == (1, 3)
    assert len(toy().without(())) == 5


@pytest.mark.parametrize(
    ("pool", "reason"),
    [
        (prefix_of(sort_neighbours([1], [0.699]), radius=5), "no_neighbours"),
        (prefix_of(sort_neighbours([], []), radius=5), "no_others"),
        (prefix_of(sort_neighbours([4], [0.99]).without([4]), radius=5), "no_others"),
        (prefix_of(toy([1] * 5), radius=5, query_label=2), "alone_in_cluster"),
        (prefix_of(toy(), radius=5, floor=0.95), "below_floor"),
        (prefix_of(toy(), radius=0), "no_radius"),
        (prefix_of(toy([1, 1, 1, 1, 2]), radius=5, query_label=2), "no_neighbours"),
    ],
)
def test_an_empty_pool_says_why(pool: Pool, reason: str) -> None:
    assert (pool.ids, pool.mean, pool.reason, pool.could_widen) == ((), None, reason, False)
    assert SENTENCES[pool.reason].endswith(".")


@pytest.mark.nightly
@settings(max_examples=examples(300), deadline=None)
@given(LISTS, st.integers(0, 12), st.none() | st.integers(-1, 2), st.none() | st.integers(50, 95), st.randoms())
def test_it_takes_what_a_plain_loop_takes(
    found: list[tuple[int, int]], radius: int, label: int | None, floor: int | None, dice: object
) -> None:
    order = list(range(len(found)))
    dice.shuffle(order)  # type: ignore[attr-defined]
    neighbours = sort_neighbours(order, [found[at][0] / 100 for at in order], [found[at][1] for at in order])
    pool = prefix_of(neighbours, radius=radius, query_label=label, floor=None if floor is None else floor / 100)
    assert list(pool.ids) == plain_loop(found, radius, label, 70, floor)
    assert (pool.reason is None) == bool(pool.ids)


@settings(max_examples=examples(100), deadline=None)
@given(LISTS, st.integers(30, 99), st.integers(30, 99))
def test_a_higher_band_or_floor_takes_a_shorter_prefix_of_the_same(
    found: list[tuple[int, int]], one: int, two: int
) -> None:
    low, high = sorted((one / 100, two / 100))
    neighbours = sort_neighbours(range(len(found)), [hundredths / 100 for hundredths, _ in found])
    for wide, narrow in (
        (prefix_of(neighbours, radius=9, band=(low, 1)), prefix_of(neighbours, radius=9, band=(high, 1))),
        (prefix_of(neighbours, radius=9, floor=low), prefix_of(neighbours, radius=9, floor=high)),
    ):
        assert wide.ids[: len(narrow.ids)] == narrow.ids


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        sort_neighbours([1, 2], [0.5, np.nan])
    with pytest.raises(ValueError, match="outside -1 to 1"):
        sort_neighbours([1], [1.2])
    with pytest.raises(ValueError, match="twice"):
        sort_neighbours([1, 1], [0.5, 0.6])
    with pytest.raises(ValueError, match="similarities differ"):
        sort_neighbours([1], [0.5, 0.6])
    with pytest.raises(ValueError, match="labels differ"):
        sort_neighbours([1, 2], [0.5, 0.6], [1])
    with pytest.raises(ValueError, match="no cluster labels"):
        prefix_of(toy(), radius=2, query_label=1)
    with pytest.raises(ValueError, match="radius is -1"):
        prefix_of(toy(), radius=-1)
    with pytest.raises(ValueError, match="lower first"):
        prefix_of(toy(), radius=1, band=(0.8, 0.7))
    with pytest.raises(ValueError, match="floor is 2"):
        prefix_of(toy(), radius=1, floor=2)
    with pytest.raises(ValueError, match="cannot be scaled"):
        scaled_radius(-1)
