"""Diverse selection, variant A: the k captions that are least alike (IMP main text, SCIENCE 2.8).

Of n vectors choose the k-subset with the lowest mean pairwise cosine similarity,

    argmin_{|C|=k}  2 / (k (k-1))  sum_{i<j in C} cos(v_i, v_j).

Exact by enumeration while there are few subsets (n <= 40 and at most a million: k=5 of n=40 are 658,008), else greedy
(the least alike pair, then whatever adds least) followed by single swaps to a local optimum; the result says which.

Similarities are counted in whole millionths. That makes equal sums exactly equal: a tie is a tie on every machine, and
the lexicographically smallest ids win it. Toy (6 vectors): k=3 gives (0, 3, 4) with .15, k=5 gives (0, 2, 3, 4, 5) with
.295.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

EXACT_POOL = 40
EXACT_SUBSETS = 1_000_000
BLOCK = 65_536
MILLION = 1_000_000
Method = Literal["all", "exact", "heuristic"]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """The chosen ids in ascending order, their mean pairwise similarity, and how they were found."""

    ids: tuple[str, ...]
    mean_similarity: float
    method: Method


def select_diverse(ids: Sequence[str], similarity: NDArray[np.floating], k: int) -> Chosen | None:
    """The k least alike of `ids`; `similarity` is their (n, n) matrix. None where there are fewer than k: a short pool.

    Raises ValueError on k < 2, on ids that repeat, on a matrix of another shape, and on NaN or infinity in it.
    """
    matrix = np.asarray(similarity, dtype=np.float64)
    _check(ids, matrix, k)
    if len(ids) < k:
        return None
    order = sorted(range(len(ids)), key=lambda at: ids[at])
    whole = _in_millionths(matrix[np.ix_(order, order)])
    picks, method = _pick(whole, k)
    chosen = tuple(ids[order[at]] for at in picks)
    return Chosen(chosen, _mean(whole, picks), method)


def select_diverse_vectors(ids: Sequence[str], vectors: NDArray[np.floating], k: int) -> Chosen | None:
    """`select_diverse` of unit vectors, (n, d). Raises ValueError where one is no unit vector."""
    wide = np.asarray(vectors, dtype=np.float64)
    if len(ids) and not np.allclose(np.linalg.norm(wide, axis=1), 1.0, atol=1e-3):
        raise ValueError("Diverse selection takes unit vectors; normalise them first.")
    return select_diverse(ids, wide @ wide.T if len(ids) else np.empty((0, 0)), k)


def _check(ids: Sequence[str], matrix: NDArray[np.float64], k: int) -> None:
    if k < 2:
        raise ValueError(f"k is {k}; a pair needs at least 2.")
    if len(set(ids)) != len(ids):
        raise ValueError("An id stands twice in the pool.")
    if matrix.shape != (len(ids), len(ids)):
        raise ValueError(f"{len(ids)} ids need a square matrix of that size, not {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise ValueError("A similarity is NaN or infinite; nothing can be chosen from that.")


def _in_millionths(matrix: NDArray[np.float64]) -> Whole:
    """The upper triangle mirrored, in whole millionths, zero on the diagonal."""
    upper = np.triu(np.rint(matrix * MILLION).astype(np.int64), 1)
    return np.asarray(upper + upper.T, dtype=np.int64)


def _pick(whole: Whole, k: int) -> tuple[tuple[int, ...], Method]:
    n = len(whole)
    if n == k:
        return tuple(range(n)), "all"
    if n <= EXACT_POOL and comb(n, k) <= EXACT_SUBSETS:
        return _enumerate(whole, k), "exact"
    return _improve(whole, _greedy(whole, k)), "heuristic"


def _mean(whole: Whole, picks: Sequence[int]) -> float:
    return round(_total(whole, picks) / (comb(len(picks), 2) * MILLION), 6)


def _total(whole: Whole, picks: Sequence[int]) -> int:
    """The sum over the pairs of `picks`, in millionths."""
    return int(whole[np.ix_(picks, picks)].sum()) // 2


def _enumerate(whole: Whole, k: int) -> tuple[int, ...]:
    """Every k-subset in lexicographic order, block by block; the first of the best wins."""
    best: tuple[int, tuple[int, ...]] | None = None
    for block in _subsets(len(whole), k):
        totals = np.zeros(len(block), dtype=np.int64)
        for i in range(k):
            for j in range(i + 1, k):
                totals += whole[block[:, i], block[:, j]]
        at = int(totals.argmin())
        if best is None or totals[at] < best[0]:
            best = int(totals[at]), tuple(int(pick) for pick in block[at])
    if best is None:
        raise ValueError("There is no subset to choose.")
    return best[1]


def _subsets(n: int, k: int) -> Iterator[NDArray[np.uint8]]:
    """All k-subsets of range(n) in lexicographic order, at most BLOCK rows at a time."""
    table = _table(n, k)
    for start in range(0, len(table), BLOCK):
        yield table[start : start + BLOCK]


@lru_cache(maxsize=4)
def _table(n: int, k: int) -> NDArray[np.uint8]:
    """The subsets as bytes: 3.3 MB for k=5 of n=40, at most 20 MB for a million of k=20; pools of equal size share it.

    Row by row from shorter prefixes: each is extended by every larger index that leaves room for the rest.
    """
    rows = np.empty((1, 0), dtype=np.uint8)
    for depth in range(k):
        last = rows[:, -1].astype(np.int64) if depth else np.full(1, -1)
        n_next = n - k + depth - last
        parents = np.repeat(np.arange(len(rows)), n_next)
        steps = np.arange(len(parents)) - np.repeat(np.cumsum(n_next) - n_next, n_next)
        column = (np.repeat(last, n_next) + 1 + steps).astype(np.uint8)
        rows = np.column_stack([rows[parents], column])
    rows.flags.writeable = False
    return rows


def _greedy(whole: Whole, k: int) -> list[int]:
    """The least alike pair, then again and again what adds least; the lowest index wins a tie."""
    n = len(whole)
    far = np.iinfo(np.int64).max
    first, second = divmod(int(np.where(np.tri(n, dtype=bool), far, whole).argmin()), n)
    picks = [first, second]
    while len(picks) < k:
        added = whole[:, picks].sum(axis=1)
        added[picks] = far
        picks.append(int(added.argmin()))
    return sorted(picks)


def _improve(whole: Whole, picks: list[int]) -> tuple[int, ...]:
    """Swap one for one while that lowers the sum. Sums are whole numbers that fall with every swap, so this ends."""
    *_, settled = _swaps(whole, picks)
    return tuple(settled)


def _swaps(whole: Whole, picks: list[int]) -> Iterator[list[int]]:
    """`picks`, then each better set that one swap leads to."""
    far = np.iinfo(np.int64).max
    while True:
        yield picks
        joined = whole[:, picks].sum(axis=1)
        change = joined[:, None] - whole[:, picks] - joined[picks][None, :]
        change[picks] = far
        come, go = divmod(int(change.argmin()), len(picks))
        if change[come, go] >= 0:
            return
        picks = sorted([*picks[:go], *picks[go + 1 :], come])
