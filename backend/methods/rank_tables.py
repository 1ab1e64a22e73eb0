"""Kendall's tau-b of tables of two orders, many at once, so that a bootstrap over images is one multiplication.

    tau-b = (P - Q) / sqrt((N - A) (N - B))

P and Q count the pairs in the same and in the opposite order, N all pairs, A and B those that are equal in the first
and in the second order (Kendall 1945; scipy.stats.kendalltau is the oracle).

>>> float(tau_b(np.array([[[2, 0], [0, 2]]]))[0]), float(tau_b(np.array([[[0, 2], [2, 0]]]))[0])
(1.0, -1.0)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backend.methods.agreement.bootstrap import draw_weights

Floats = NDArray[np.float64]


def tau_b(tables: ArrayLike) -> Floats:
    """(b,) from tables (b, r, c) of counts; NaN where all are equal in one of the orders."""
    counts = np.asarray(tables, dtype=np.float64)
    after = counts[:, ::-1, ::-1].cumsum(1).cumsum(2)[:, ::-1, ::-1]
    below = counts[:, ::-1].cumsum(1).cumsum(2)[:, ::-1]
    same = (counts[:, :-1, :-1] * after[:, 1:, 1:]).sum((1, 2))
    opposite = (counts[:, :-1, 1:] * below[:, 1:, :-1]).sum((1, 2))
    pairs = _pairs(counts.sum((1, 2)))
    free = (pairs - _pairs(counts.sum(2)).sum(1)) * (pairs - _pairs(counts.sum(1)).sum(1))
    found = np.divide(same - opposite, np.sqrt(free), out=np.full(len(counts), np.nan), where=free > 0)
    return np.asarray(found)


def tau_b_over_groups(
    tables: ArrayLike, *, seed: int = 0, replicates: int = 2000, level: float = 0.95
) -> tuple[float | None, float | None, float | None]:
    """tau-b of the sum of tables (groups, r, c), such as one for each image, and its interval from draws of groups."""
    counts = np.asarray(tables, dtype=np.float64)
    value = _known(tau_b(counts.sum(0)[None])[0])
    if len(counts) < 2 or value is None:
        return value, None, None
    drawn = draw_weights(len(counts), replicates, seed) @ counts.reshape(len(counts), -1)
    found = tau_b(drawn.reshape(replicates, *counts.shape[1:]))
    low, high = np.nanquantile(found, [(1 - level) / 2, (1 + level) / 2])
    return value, _known(low), _known(high)


def table_of(first: Sequence[int], second: Sequence[int], shape: tuple[int, int]) -> NDArray[np.int64]:
    """How often each pair of places in two orders occurs, (r, c)."""
    table = np.zeros(shape, dtype=np.int64)
    np.add.at(table, (np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)), 1)
    return table


def _pairs(n: Floats) -> Floats:
    return n * (n - 1) / 2


def _known(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 6)
