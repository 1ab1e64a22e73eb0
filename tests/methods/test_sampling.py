"""Farthest point sampling against the worked toy, its definition, a plain loop and fpsample."""

from __future__ import annotations

import tracemalloc

import fpsample
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.methods.sampling import Sample, nearest_the_mean, sample_farthest
from nightly import examples

TOY = [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5), (3, 0)]
# Coarse coordinates, so that ties and copies are common.
CLOUDS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=14)


def normal_cloud(n: int, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=(n, 2))


def distances_from(points: NDArray[np.float64], row: int) -> NDArray[np.float64]:
    return np.sqrt(((points - points[row]) ** 2).sum(axis=1))


def plain_loop(points: list[tuple[int, int]], k: int, start: int) -> list[int]:
    """The definition word for word, in whole numbers."""

    def square(a: int, b: int) -> int:
        return sum((x - y) ** 2 for x, y in zip(points[a], points[b], strict=True))

    picks = [start]
    while len(picks) < k:
        nearest = [min(square(row, pick) for pick in picks) for row in range(len(points))]
        if max(nearest) == 0:
            break
        picks.append(nearest.index(max(nearest)))
    return picks


def assert_greedy(points: NDArray[np.float64], order: list[int]) -> None:
    """Each pick attains the largest distance to the picks before it."""
    nearest = distances_from(points, order[0])
    for pick in order[1:]:
        assert nearest[pick] == pytest.approx(nearest.max(), abs=1e-5)
        nearest = np.minimum(nearest, distances_from(points, pick))


@pytest.mark.parametrize(("start", "order"), [(0, (0, 5, 3, 1, 2, 4)), (4, (4, 5, 0, 1, 2, 3))])
def test_the_worked_toy_comes_out(start: int, order: tuple[int, ...]) -> None:
    assert sample_farthest(TOY, 6, start=start).order == order


def test_each_pick_carries_its_distance_when_it_was_picked() -> None:
    picked = sample_farthest(TOY, 4, start=0)
    assert picked == Sample(
        (0, 5, 3, 1),
        (None, 3.0, 2**0.5, 1.0),
        (0.0, 0.0, 1.0, 0.0, 0.5**0.5, 0.0),
        1.0,
        is_everything=False,
        is_short=False,
    )


def test_the_start_is_nearest_the_mean_and_the_lowest_of_two_equally_near() -> None:
    """The toy's mean is (11/12, 5/12): (1, 0) and (.5, .5) are equally near, (1, 0) stands first."""
    assert nearest_the_mean(TOY) == 1
    assert sample_farthest(TOY, 1).order == (1,)
    assert nearest_the_mean(TOY[::-1]) == 1  # now (.5, .5) stands there


@settings(max_examples=examples(200), deadline=None)
@given(CLOUDS, st.integers(1, 16), st.data())
def test_it_picks_what_a_plain_loop_picks(cloud: list[tuple[int, int]], k: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(cloud) - 1))
    picked = sample_farthest(cloud, k, start=start)
    expected = plain_loop(cloud, min(k, len(cloud)), start)
    assert list(picked.order[: len(expected)]) == expected
    assert picked.is_everything == (k >= len(cloud))
    if picked.is_everything:
        assert sorted(picked.order) == list(range(len(cloud)))
    else:
        assert picked.is_short == (len(expected) < k)


@settings(max_examples=examples(100), deadline=None)
@given(CLOUDS, st.integers(1, 14), st.integers(1, 14))
def test_a_smaller_sample_is_the_beginning_of_a_larger_one(cloud: list[tuple[int, int]], m: int, k: int) -> None:
    small, large = sorted((m, k))
    shorter = sample_farthest(cloud, small).order
    assert sample_farthest(cloud, large).order[: len(shorter)] == shorter


@settings(max_examples=examples(100), deadline=None)
@given(CLOUDS, st.integers(2, 14))
def test_picks_lie_at_least_the_cover_radius_apart(cloud: list[tuple[int, int]], k: int) -> None:
    picked = sample_farthest(cloud, k)
    distances = [distance for distance in picked.distances if distance]
    assert distances == sorted(distances, reverse=True)
    assert min(distances, default=np.inf) >= picked.cover_radius


def test_fpsample_and_we_are_both_greedy_and_cover_alike() -> None:
    cloud = normal_cloud(2000)
    ours = list(sample_farthest(cloud, 400, start=0).order)
    theirs = fpsample.fps_sampling(cloud, 400, start_idx=0).astype(int).tolist()
    assert_greedy(cloud, ours)
    assert_greedy(cloud, theirs)
    covers = [min_distances(cloud, order).max() for order in (ours, theirs)]
    assert covers[0] == pytest.approx(covers[1], abs=1e-5) == pytest.approx(0.158, abs=5e-4)


def min_distances(points: NDArray[np.float64], order: list[int]) -> NDArray[np.float64]:
    return np.min([distances_from(points, pick) for pick in order], axis=0)


def test_it_picks_in_more_dimensions_too() -> None:
    cloud = np.random.default_rng(1).normal(size=(150, 16))
    picked = sample_farthest(cloud, 30)
    assert_greedy(cloud, list(picked.order))
    assert picked.cover_radius == pytest.approx(min_distances(cloud, list(picked.order)).max())


def test_asking_for_all_or_more_gives_all_with_the_copies_last() -> None:
    everything = sample_farthest([(0, 0), (0, 0), (1, 0), (1, 0)], 9, start=1)
    assert everything == Sample(
        (1, 2, 0, 3), (None, 1.0, 0.0, 0.0), (0.0,) * 4, 0.0, is_everything=True, is_short=False
    )


def test_it_stops_early_where_only_copies_are_left_and_says_so() -> None:
    short = sample_farthest([(0, 0), (0, 0), (1, 0), (1, 0)], 3, start=0)
    assert short == Sample((0, 2), (None, 1.0), (0.0,) * 4, 0.0, is_everything=False, is_short=True)


def test_one_point_and_none_are_no_error() -> None:
    assert sample_farthest([(2, 3)], 1) == Sample((0,), (None,), (0.0,), 0.0, is_everything=True, is_short=False)
    assert sample_farthest(np.empty((0, 2)), 3) == Sample((), (), (), 0.0, is_everything=True, is_short=False)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e101])
def test_what_is_no_coordinate_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="NaN, infinite"):
        sample_farthest([(0.0, 0.0), (bad, 1.0)], 1)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        sample_farthest(TOY, 0)
    with pytest.raises(ValueError, match="rows 0 to 5"):
        sample_farthest(TOY, 2, start=6)
    with pytest.raises(ValueError, match="shape"):
        sample_farthest([1.0, 2.0], 1)


def test_memory_does_not_grow_with_the_number_of_picks() -> None:
    cloud = normal_cloud(20_000)
    tracemalloc.start()
    sample_farthest(cloud, 500)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * cloud.nbytes
