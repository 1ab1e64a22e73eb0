"""Diverse selection, variant A: the k captions that are least alike (IMP main text, SCIENCE 2.8).

Of n vectors choose the k-subset with the lowest mean pairwise cosine similarity,

    argmin_{|C|=k}  2 / (k (k-1))  sum_{i<j in C} cos(v_i, v_j).

Exact while there are few subsets (n <= 40 and at most a million: k=5 of n=40 are 658,008), else greedy (the least alike
pair, then whatever adds least) followed by single swaps to a local optimum; the result says which. The exact search
goes through the subsets in lexicographic order and leaves out every beginning that cannot end below the greedy result.

Similarities are counted in whole millionths. That makes equal sums exactly equal: a tie is a tie on every machine, and
the lexicographically smallest ids win it. Toy (6 vectors): k=3 gives (0, 3, 4) with .15, k=5 gives (0, 2, 3, 4, 5) with
.295.

Captions may be `fixed`: they are part of every subset, and the search is over the others. What a caption adds to the
fixed ones is then a `price` of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import NDArray

EXACT_POOL = 40
EXACT_SUBSETS = 1_000_000
FAR = 10**9  # above every cost
MILLION = 1_000_000
Method = Literal["all", "exact", "heuristic", "umap_kmeans", "kmeans"]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Chosen:
    """The chosen ids in ascending order, their mean pairwise similarity, and how they were found."""

    ids: tuple[str, ...]
    mean_similarity: float
    method: Method


def select_diverse(
    ids: Sequence[str], similarity: NDArray[np.floating], k: int, *, fixed: Collection[str] = ()
) -> Chosen | None:
    """The k least alike of `ids`, those of `fixed` among them; `similarity` is their (n, n) matrix. None where there
    are fewer than k: a short pool.

    Raises ValueError on k < 2, on more fixed ones than k or one that is not there, on ids that repeat, on a matrix of
    another shape, and on NaN or infinity in it.
    """
    matrix = np.asarray(similarity, dtype=np.float64)
    _check(ids, matrix, k, fixed)
    if len(ids) < k:
        return None
    order = sorted(range(len(ids)), key=lambda at: ids[at])
    whole = in_millionths(matrix[np.ix_(order, order)])
    picks, method = _pick(whole, k, [place for place, at in enumerate(order) if ids[at] in fixed])
    chosen = tuple(ids[order[at]] for at in picks)
    return Chosen(chosen, mean_of(whole, picks), method)


def select_diverse_vectors(
    ids: Sequence[str], vectors: NDArray[np.floating], k: int, *, fixed: Collection[str] = ()
) -> Chosen | None:
    """`select_diverse` of unit vectors, (n, d). Raises ValueError where one is no unit vector."""
    return select_diverse(ids, cosines_of(vectors), k, fixed=fixed)


def cosines_of(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    """The (n, n) cosines of unit vectors, (n, d). Raises ValueError where one is no unit vector."""
    wide = np.asarray(vectors, dtype=np.float64)
    if not len(wide):
        return np.empty((0, 0))
    if not np.allclose(np.linalg.norm(wide, axis=1), 1.0, atol=1e-3):
        raise ValueError("Diverse selection takes unit vectors; normalise them first.")
    return np.asarray(wide @ wide.T)


def in_millionths(matrix: NDArray[np.float64]) -> Whole:
    """The upper triangle mirrored, in whole millionths, zero on the diagonal."""
    upper = np.triu(np.rint(matrix * MILLION).astype(np.int64), 1)
    return np.asarray(upper + upper.T, dtype=np.int64)


def mean_of(whole: Whole, picks: Sequence[int]) -> float:
    """The mean similarity of the pairs of `picks`."""
    total = int(whole[np.ix_(picks, picks)].sum()) // 2
    return round(total / (comb(len(picks), 2) * MILLION), 6)


def _check(ids: Sequence[str], matrix: NDArray[np.float64], k: int, fixed: Collection[str]) -> None:
    if k < 2:
        raise ValueError(f"k is {k}; a pair needs at least 2.")
    if len(set(ids)) != len(ids):
        raise ValueError("An id stands twice in the pool.")
    if matrix.shape != (len(ids), len(ids)):
        raise ValueError(f"{len(ids)} ids need a square matrix of that size, not {matrix.shape}.")
    if not np.isfinite(matrix).all():
        raise ValueError("A similarity is NaN or infinite; nothing can be chosen from that.")
    if len(set(fixed)) > k or not set(fixed) <= set(ids):
        raise ValueError(f"At most {k} captions can be fixed, each of them in the pool.")


def _pick(whole: Whole, k: int, fixed: Sequence[int]) -> tuple[tuple[int, ...], Method]:
    n, m = len(whole), k - len(fixed)
    if n == k:
        return tuple(range(n)), "all"
    free = np.setdiff1d(np.arange(n), fixed, assume_unique=True)
    of_free, price = whole[np.ix_(free, free)], whole[free][:, list(fixed)].sum(axis=1)
    few = len(free) <= EXACT_POOL and comb(len(free), m) <= EXACT_SUBSETS
    near = _improve(of_free, price, _greedy(of_free, price, m))
    picks = _search(of_free, price, m, most=_cost(of_free, price, near)) if few else near
    return tuple(sorted([*fixed, *free[list(picks)].tolist()])), "exact" if few else "heuristic"


def _cost(whole: Whole, price: Whole, picks: Sequence[int]) -> int:
    return int(whole[np.ix_(picks, picks)].sum()) // 2 + int(price[list(picks)].sum())


def _search(whole: Whole, price: Whole, m: int, *, most: int) -> tuple[int, ...]:
    """The cheapest m-subset, of equal ones the lexicographically first. One of cost `most` is known.

    Level by level: `rows` are beginnings in lexicographic order, `cost` what they cost, `more` what each further one
    would add. A beginning stays while the cheapest that can follow ends at `most` or below.
    """
    if not m:
        return ()
    n, whole, price = len(whole), whole.astype(np.int32), price.astype(np.int32)
    least = int(np.where(np.eye(n, dtype=bool), FAR, whole).min(initial=FAR))
    places = np.arange(n)
    rows, cost, more = np.empty((1, 0), dtype=np.intp), np.zeros(1, dtype=np.int32), price[None, :]
    for left in range(m - 1, 0, -1):
        last = rows[:, -1] if rows.shape[1] else np.full(1, -1)
        parent, at = np.nonzero(places[None, : n - left] > last[:, None])
        cost = cost[parent] + more[parent, at]
        cheapest = np.minimum.accumulate(more[:, ::-1], axis=1)[:, ::-1]  # of those from each place on
        among = comb(left, 2) * least
        keep = cost + left * (cheapest[parent, at + 1] + least) + among <= most
        parent, at, cost = parent[keep], at[keep], cost[keep]
        after = np.where(places[None, :] > at[:, None], more[parent] + whole[at], np.int32(FAR))
        keep = cost + left * after.min(axis=1) + among <= most
        rows, cost, more = np.column_stack([rows[parent[keep]], at[keep]]), cost[keep], after[keep]
    best, place = divmod(int((cost[:, None] + more).argmin()), n)
    return (*rows[best].tolist(), place)


def _greedy(whole: Whole, price: Whole, m: int) -> list[int]:
    """The cheapest pair, or the cheapest one, then again and again what adds least; the lowest index wins a tie."""
    n = len(whole)
    far = np.iinfo(np.int64).max
    picks: list[int] = []
    if m >= 2 and not price.any():
        first, second = divmod(int(np.where(np.tri(n, dtype=bool), far, whole).argmin()), n)
        picks = [first, second]
    while len(picks) < m:
        added = price + whole[:, picks].sum(axis=1)
        added[picks] = far
        picks.append(int(added.argmin()))
    return sorted(picks)


def _improve(whole: Whole, price: Whole, picks: list[int]) -> list[int]:
    """Swap one for one while that lowers the cost. Costs are whole numbers that fall with every swap, so this ends."""
    *_, settled = _swaps(whole, price, picks)
    return settled


def _swaps(whole: Whole, price: Whole, picks: list[int]) -> Iterator[list[int]]:
    """`picks`, then each better set that one swap leads to."""
    far = np.iinfo(np.int64).max
    while True:
        yield picks
        if not picks:
            return
        joined = price + whole[:, picks].sum(axis=1)
        change = joined[:, None] - whole[:, picks] - joined[picks][None, :]
        change[picks] = far
        come, go = divmod(int(change.argmin()), len(picks))
        if change[come, go] >= 0:
            return
        picks = sorted([*picks[:go], *picks[go + 1 :], come])
