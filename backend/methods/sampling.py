"""Farthest point sampling: k pictures that cover the feature space evenly (IMP section 3, SCIENCE 2.1).

Start somewhere; then take, again and again, the point that lies farthest from all taken so far:

    s_{t+1} = argmax_j  min_{i <= t}  || x_j - x_{s_i} ||_2

The paper samples 5,000 of 25,000 DINOv2 features laid out in two dimensions by UMAP, and is silent about the rest: here
the start is the point nearest the mean, every tie goes to the lowest row, and distances are float64 without fused
products, so that the same points give the same picks on every machine. Outliers are picked early; that is the method.

>>> sample_farthest([(0, 0), (1, 0), (0, 1), (1, 1), (.5, .5), (3, 0)], k=4, start=0).order
(0, 5, 3, 1)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

LARGEST = 1e100  # n of them squared are still a float64


@dataclass(frozen=True)
class Sample:
    """The picked rows in the order of picking.

    `distances` are in the units of the points: how far each pick lay from the nearest earlier one when it was picked,
    None for the first. `nearest` has for every row how far it lies from its nearest pick, 0 for a pick, and
    `cover_radius` is the largest of those. `is_everything` says that all points were asked for, `is_short` that only
    copies of picked points were left before k were picked.
    """

    order: tuple[int, ...]
    distances: tuple[float | None, ...]
    nearest: tuple[float, ...]
    cover_radius: float
    is_everything: bool
    is_short: bool


def sample_farthest(points: ArrayLike, k: int, *, start: int | None = None) -> Sample:
    """k of the n `points` (n, d), rows in the order of their ids; first `start`, by default the one nearest the mean.

    Picks of a smaller k are the first picks of a larger one. With k >= n all points are given, copies last and by row.
    O(n k d) time, O(n d) memory. Raises ValueError for k < 1, a start that is no row, and coordinates that are NaN,
    infinite or beyond 1e100.
    """
    columns = _columns(points)
    n = columns.shape[1]
    if k < 1:
        raise ValueError(f"k is {k}: ask for at least one point.")
    if start is not None and not 0 <= start < n:
        raise ValueError(f"The start is row {start}, but there are rows 0 to {n - 1} only.")
    if n == 0:
        return Sample((), (), (), 0.0, is_everything=True, is_short=False)
    order, squares, nearest = _pick(columns, min(k, n), nearest_the_mean(columns.T) if start is None else start)
    if k >= n:
        copies = np.setdiff1d(np.arange(n), order).tolist()
        order, squares = [*order, *copies], [*squares, *[0.0] * len(copies)]
    distances = (None, *np.sqrt(squares[1:]).tolist())
    to_picks = tuple(np.sqrt(nearest).tolist())
    return Sample(tuple(order), distances, to_picks, max(to_picks), k >= n, len(order) < min(k, n))


def nearest_the_mean(points: ArrayLike) -> int:
    """The row nearest the mean of `points` (n, d), n >= 1; the lowest of equally near ones."""
    columns = _columns(points)
    # n times the point against the sum: dividing would round, and make of a tie a matter of the last bit.
    from_mean = columns * columns.shape[1] - columns.sum(axis=1, keepdims=True)
    return int((from_mean**2).sum(axis=0).argmin())


def _columns(points: ArrayLike) -> Floats:
    """One contiguous float64 row for each dimension, (d, n)."""
    wide = np.asarray(points, dtype=np.float64)
    if wide.ndim != 2 and wide.size:
        raise ValueError(f"Points need the shape (n, d), not {wide.shape}.")
    if not (np.abs(wide) <= LARGEST).all():
        raise ValueError("A coordinate is NaN, infinite or beyond 1e100. Embed again.")
    return np.ascontiguousarray(wide.T if wide.ndim == 2 else wide.reshape(0, 0))


def _pick(columns: Floats, k: int, start: int) -> tuple[list[int], list[float], Floats]:
    """Up to k rows, each one's squared distance when picked, and every point's to its nearest pick."""
    order, squares = [start], [np.inf]
    nearest = np.full(columns.shape[1], np.inf)
    to_pick, difference = np.empty_like(nearest), np.empty_like(nearest)
    while True:
        _squared_distances(columns, order[-1], out=to_pick, scratch=difference)
        np.minimum(nearest, to_pick, out=nearest)
        farthest = int(nearest.argmax())
        if len(order) == k or nearest[farthest] == 0:
            return order, squares, nearest
        order.append(farthest)
        squares.append(float(nearest[farthest]))


def _squared_distances(columns: Floats, row: int, *, out: Floats, scratch: Floats) -> None:
    """Dimension by dimension in two buffers: no (n, d) difference is made, and no order of adding is left open."""
    out.fill(0)
    for column in columns:
        np.subtract(column, column[row], out=scratch)
        np.multiply(scratch, scratch, out=scratch)
        out += scratch
