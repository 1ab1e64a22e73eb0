"""Diverse selection against the worked toy, and against trying every subset one by one."""

from __future__ import annotations

import time
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from backend.methods.selection import least_alike, select_diverse, select_diverse_vectors
from nightly import examples

TOY_PAIRS = {
    (0, 1): 0.9, (0, 2): 0.2, (0, 3): 0.3, (0, 4): 0.1, (0, 5): 0.4, (1, 2): 0.25, (1, 3): 0.35, (1, 4): 0.15,
    (1, 5): 0.5, (2, 3): 0.6, (2, 4): 0.3, (2, 5): 0.2, (3, 4): 0.05, (3, 5): 0.1, (4, 5): 0.7,
}  # fmt: skip
TOY_IDS = tuple("012345")


def square(pairs: dict[tuple[int, int], float], n: int) -> NDArray[np.float64]:
    matrix = np.eye(n)
    for (i, j), value in pairs.items():
        matrix[i, j] = matrix[j, i] = value
    return matrix


def names(n: int) -> tuple[str, ...]:
    return tuple(f"{at:032x}" for at in range(n))


def oracle(ids: tuple[str, ...], matrix: NDArray[np.float64], k: int) -> tuple[str, ...]:
    """Every subset by itertools, in whole millionths, ties to the smallest ids."""
    position = {name: at for at, name in enumerate(ids)}

    def cost(subset: tuple[str, ...]) -> int:
        pairs = combinations(sorted(position[name] for name in subset), 2)
        return sum(int(np.rint(matrix[i, j] * 1_000_000)) for i, j in pairs)

    return min((cost(subset), subset) for subset in combinations(sorted(ids), k))[1]


@pytest.mark.parametrize(("k", "ids", "mean"), [(3, "034", 0.15), (5, "02345", 0.295)])
def test_the_worked_toy_comes_out(k: int, ids: str, mean: float) -> None:
    chosen = select_diverse(TOY_IDS, square(TOY_PAIRS, 6), k)
    assert chosen is not None
    assert ("".join(chosen.ids), chosen.mean_similarity, chosen.method) == (ids, mean, "exact")


@settings(max_examples=examples(150), deadline=None)
@given(st.data(), st.integers(2, 6), st.integers(2, 9))
def test_it_finds_what_trying_every_subset_finds(data: st.DataObject, k: int, n: int) -> None:
    tenths = st.integers(-10, 10).map(lambda tenth: tenth / 10)  # coarse, so that ties are common
    pairs = {pair: data.draw(tenths) for pair in combinations(range(n), 2)}
    ids = tuple(data.draw(st.permutations(names(n))))
    matrix = square(pairs, n)
    chosen = select_diverse(ids, matrix, k)
    if n < k:
        assert chosen is None
    else:
        assert chosen is not None
        assert chosen.ids == oracle(ids, matrix, k)
        assert chosen.method == ("all" if n == k else "exact")


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(6, 12))
def test_the_order_of_the_pool_does_not_matter(seed: int, n: int) -> None:
    dice = np.random.default_rng(seed)
    vectors = dice.normal(size=(n, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    shuffle = dice.permutation(n)
    ids = names(n)
    straight = select_diverse_vectors(ids, vectors, 5)
    assert straight == select_diverse_vectors([ids[at] for at in shuffle], vectors[shuffle], 5)


def test_a_tie_goes_to_the_smallest_ids() -> None:
    chosen = select_diverse(("d", "b", "c", "a"), np.full((4, 4), 0.5), 2)
    assert chosen is not None
    assert chosen.ids == ("a", "b")


def test_noise_below_a_millionth_breaks_no_tie() -> None:
    matrix = np.full((3, 3), 0.5)
    matrix[1, 2] = matrix[2, 1] = 0.5 - 4e-7
    chosen = select_diverse(("a", "b", "c"), matrix, 2)
    assert chosen is not None
    assert chosen.ids == ("a", "b")


def unit_vectors(n: int, seed: int) -> NDArray[np.float64]:
    vectors = np.random.default_rng(seed).normal(size=(n, 24)) + 0.6
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def test_the_largest_exact_pool_takes_little_time_and_memory_even_where_all_are_equal() -> None:
    tracemalloc.start()
    begun = time.perf_counter()
    chosen = select_diverse_vectors(names(40), unit_vectors(40, 1), 5)
    level = select_diverse(names(40), np.full((40, 40), 0.5), 5)
    seconds = time.perf_counter() - begun
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert chosen is not None
    assert level is not None
    assert (chosen.method, level.method, level.ids) == ("exact", "exact", names(5))
    assert seconds < 5
    assert peak < 120 * 2**20


@settings(max_examples=examples(100), deadline=None)
@given(st.data(), st.integers(2, 5), st.integers(5, 9))
def test_fixed_captions_are_part_of_the_best_subset_that_has_them(data: st.DataObject, k: int, n: int) -> None:
    tenths = st.integers(-10, 10).map(lambda tenth: tenth / 10)
    pairs = {pair: data.draw(tenths) for pair in combinations(range(n), 2)}
    ids, matrix = names(n), square(pairs, n)
    fixed = set(data.draw(st.lists(st.sampled_from(ids), unique=True, max_size=k)))

    def cost(subset: tuple[str, ...]) -> int:
        places = combinations([int(name, 16) for name in subset], 2)
        return sum(int(np.rint(matrix[i, j] * 1_000_000)) for i, j in places)

    chosen = select_diverse(ids, matrix, k, fixed=fixed)
    having = [subset for subset in combinations(ids, k) if fixed <= set(subset)]
    assert chosen is not None
    assert chosen.ids == min((cost(subset), subset) for subset in having)[1]


def test_more_fixed_captions_than_are_chosen_are_refused() -> None:
    with pytest.raises(ValueError, match="At most 2"):
        select_diverse(names(4), np.eye(4), 2, fixed=names(3))


def test_a_pool_too_large_to_enumerate_is_solved_by_swaps_and_says_so() -> None:
    vectors = unit_vectors(60, 2)
    chosen = select_diverse_vectors(names(60), vectors, 5)
    assert chosen is not None
    assert (chosen.method, len(set(chosen.ids))) == ("heuristic", 5)
    assert no_swap_helps(vectors, [int(name, 16) for name in chosen.ids])


def no_swap_helps(vectors: NDArray[np.float64], picks: list[int]) -> bool:
    whole = np.rint(vectors @ vectors.T * 1_000_000)

    def cost(subset: list[int]) -> float:
        return sum(whole[i, j] for i, j in combinations(sorted(subset), 2))

    swapped = (
        [*picks[:at], other, *picks[at + 1 :]] for at in range(5) for other in range(len(vectors)) if other not in picks
    )
    return all(cost(subset) >= cost(picks) for subset in swapped)


def test_swaps_come_close_to_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps = []
    for seed in range(30):
        vectors = unit_vectors(18, seed)
        exact = select_diverse_vectors(names(18), vectors, 5)
        with monkeypatch.context() as patch:
            patch.setattr(least_alike, "EXACT_POOL", 5)
            heuristic = select_diverse_vectors(names(18), vectors, 5)
        assert exact is not None
        assert heuristic is not None
        gaps.append(heuristic.mean_similarity - exact.mean_similarity)
    assert min(gaps) >= 0
    assert sum(gaps) / len(gaps) < 0.02
    assert max(gaps) < 0.08


@pytest.mark.parametrize("k", [2, 3, 7])
def test_as_many_as_asked_for_are_all_taken(k: int) -> None:
    chosen = select_diverse(names(k), np.full((k, k), 0.25), k)
    assert chosen is not None
    assert (chosen.ids, chosen.mean_similarity, chosen.method) == (names(k), 0.25, "all")


@pytest.mark.parametrize("n", [0, 1, 4])
def test_a_short_pool_gives_nothing(n: int) -> None:
    assert select_diverse_vectors(names(n), unit_vectors(n, 0), 5) is None


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(bad: float) -> None:
    matrix = np.full((3, 3), 0.5)
    matrix[0, 2] = bad
    with pytest.raises(ValueError, match="NaN or infinite"):
        select_diverse(("a", "b", "c"), matrix, 2)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        select_diverse(("a", "b"), np.eye(2), 1)
    with pytest.raises(ValueError, match="twice"):
        select_diverse(("a", "a"), np.eye(2), 2)
    with pytest.raises(ValueError, match="square"):
        select_diverse(("a", "b"), np.eye(3), 2)
    with pytest.raises(ValueError, match="unit"):
        select_diverse_vectors(("a", "b"), np.ones((2, 2)), 2)
