"""Which corpus pictures lend a target their captions: the prefix of its neighbours whose mean stays alike.

A radius R is a number of neighbours, scaled to the corpus (SCIENCE 2.2): R = 50 in COCO's 118,287 pictures is

    R_N = ceil(R_ref N / N_ref),  4,228 of 10 million (the quotient is 4,227.007).

The pool of a query is the longest prefix of its neighbours, by descending cosine and then ascending id, of at most R_N
whose running mean cosine is still .70 or more. With labels only neighbours of the query's own cluster count; a query
that is noise (label -1) has no cluster and takes all. The running mean of a descending list never rises, hence there is
one such prefix. Cosines are those of the original features, not of a projection.

Cosines are counted in whole millionths: sums are exact, and a tie is a tie on every machine.

>>> neighbours = sort_neighbours([4, 2, 9, 7, 1], [.9, .8, .7, .6, .4])
>>> pool = prefix_of(neighbours, radius=100)
>>> pool.ids, pool.mean, pool.ended_by
((4, 2, 9, 7), 0.75, 'mean')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]

R_REF, N_REF = 50, 118_287  # the paper's radius in COCO train2017
LOW, HIGH = 0.70, 0.80  # the band in which a pool's mean cosine should lie
NOISE = -1  # HDBSCAN's label of what belongs to no cluster
MILLION = 1_000_000
SLACK = 1e-3  # how far above one a single-precision cosine may come out

End = Literal["radius", "mean", "floor", "list"]
Reason = Literal["no_radius", "no_others", "alone_in_cluster", "no_neighbours", "below_floor"]
SENTENCES: dict[Reason, str] = {
    "no_radius": "The radius is 0, so there are no neighbours.",
    "no_others": "The corpus has no other image with captions.",
    "alone_in_cluster": "No neighbour is in the cluster of this image. Search deeper, or without clusters.",
    "no_neighbours": "No image of the corpus is similar enough.",
    "below_floor": "The most similar image of the corpus is below the minimum.",
}


@dataclass(frozen=True)
class Neighbours:
    """Corpus rows, their cosines to one query in millionths, and their clusters where known: int64 (n,) each, the
    nearest first and ties by row. `sort_neighbours` makes them."""

    ids: Ints
    millionths: Ints
    labels: Ints | None = None

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, mask: NDArray[np.bool_]) -> Neighbours:
        """Those where `mask` (n,) is true."""
        return Neighbours(self.ids[mask], self.millionths[mask], None if self.labels is None else self.labels[mask])

    def same_cluster(self, label: int) -> Neighbours:
        """Those of cluster `label`; all of them for a query that is noise. Raises ValueError without labels."""
        if self.labels is None:
            raise ValueError("These neighbours have no cluster labels: give them to sort_neighbours.")
        return self if label == NOISE else self.only(self.labels == label)

    def without(self, rows: ArrayLike) -> Neighbours:
        """Those that are none of the corpus rows `rows`: the query itself, or copies of it (leakage.py)."""
        return self.only(~np.isin(self.ids, np.asarray(rows, dtype=np.int64)))


@dataclass(frozen=True)
class Pool:
    """The corpus pictures that lend one query their captions, nearest first.

    `mean` is their mean cosine, None for an empty pool, which then has its `reason` (SENTENCES says it to people).
    `ended_by` is what kept the next neighbour out: the radius, the mean, the floor, or the end of the list; a list that
    ended within one cluster can be made longer by searching deeper. `could_widen`: the mean lies above the band.
    """

    ids: tuple[int, ...]
    similarities: tuple[float, ...]
    mean: float | None
    ended_by: End
    reason: Reason | None
    is_noise: bool
    could_widen: bool


def scaled_radius(n_corpus: int, *, r_ref: int = R_REF, n_ref: int = N_REF) -> int:
    """ceil(r_ref n_corpus / n_ref) in whole numbers. Raises ValueError for a negative number or an empty reference.

    >>> scaled_radius(10_000_000), scaled_radius(118_287), scaled_radius(10_000_000, n_ref=82_783)
    (4228, 50, 6040)
    """
    if n_corpus < 0 or r_ref < 0 or n_ref < 1:
        raise ValueError(f"A radius of {r_ref} of {n_ref} cannot be scaled to a corpus of {n_corpus}.")
    return -(-r_ref * n_corpus // n_ref)


def sort_neighbours(ids: ArrayLike, similarities: ArrayLike, labels: ArrayLike | None = None) -> Neighbours:
    """What an index found for one query, (n,) rows and (n,) cosines in any order, with the rows' clusters.

    Padding, which has id -1, is left out. Raises ValueError for NaN, for what is no cosine, for an id that comes twice
    and for lengths that differ.
    """
    rows = np.asarray(ids, dtype=np.int64).ravel()
    cosines = np.asarray(similarities, dtype=np.float64).ravel()
    clusters = None if labels is None else np.asarray(labels, dtype=np.int64).ravel()
    _refuse_lengths(len(rows), len(cosines), clusters)
    is_there = np.flatnonzero(rows >= 0)
    if not (np.abs(cosines[is_there]) <= 1 + SLACK).all():
        raise ValueError("A similarity is NaN or lies outside -1 to 1: give cosines of whole vectors.")
    if len(np.unique(rows[is_there])) != len(is_there):
        raise ValueError("A neighbour comes twice: give each once.")
    millionths = np.rint(cosines[is_there] * MILLION).astype(np.int64)
    order = np.lexsort((rows[is_there], -millionths))
    placed = is_there[order]
    return Neighbours(rows[placed], millionths[order], None if clusters is None else clusters[placed])


def _refuse_lengths(n_rows: int, n_cosines: int, clusters: Ints | None) -> None:
    if n_rows != n_cosines:
        raise ValueError(f"{n_rows} neighbours and {n_cosines} similarities differ.")
    if clusters is not None and len(clusters) != n_rows:
        raise ValueError(f"{n_rows} neighbours and {len(clusters)} labels differ.")


def prefix_of(
    neighbours: Neighbours,
    *,
    radius: int,
    query_label: int | None = None,
    band: tuple[float, float] = (LOW, HIGH),
    floor: float | None = None,
) -> Pool:
    """The pool of one query. With its cluster's label, among neighbours of that cluster; with None plain neighbours.

    `floor` is the least cosine that any picture of the pool may have. Raises ValueError for a negative radius, a band
    the wrong way round, a floor that is no cosine, and for a label where the neighbours have none.
    """
    _refuse(radius, band, floor)
    near = neighbours if query_label is None else neighbours.same_cluster(query_label)
    length, ended_by = _length(near.millionths, radius, band[0], floor)
    taken = near.millionths[:length]
    mean = round(int(taken.sum()) / (length * MILLION), 6) if length else None
    return Pool(
        ids=tuple(near.ids[:length].tolist()),
        similarities=tuple((taken / MILLION).tolist()),
        mean=mean,
        ended_by=ended_by,
        reason=None if length else _why_empty(len(neighbours), len(near), ended_by),
        is_noise=query_label == NOISE,
        could_widen=mean is not None and mean > band[1],
    )


def _refuse(radius: int, band: tuple[float, float], floor: float | None) -> None:
    if radius < 0:
        raise ValueError(f"The radius is {radius}: it is a number of neighbours, 0 or more.")
    if not -1 <= band[0] <= band[1] <= 1:
        raise ValueError(f"The band is {band[0]} to {band[1]}: give two cosines, the lower first.")
    if floor is not None and not -1 <= floor <= 1:
        raise ValueError(f"The floor is {floor}: give a cosine.")


def _millionths(cosine: float) -> int:
    return round(cosine * MILLION)


def _length(millionths: Ints, radius: int, low: float, floor: float | None) -> tuple[int, End]:
    """How many neighbours the pool takes, and what ends it: of several limits at one place the first named here."""
    least = _millionths(low) * np.arange(1, len(millionths) + 1)
    n_near = int((np.cumsum(millionths) >= least).sum())
    n_above = len(millionths) if floor is None else int((millionths >= _millionths(floor)).sum())
    length = min(radius, n_near, n_above)
    if length == len(millionths) and length < radius:
        return length, "list"
    limits: dict[End, int] = {"radius": radius, "mean": n_near, "floor": n_above}
    return length, next(limit for limit, n in limits.items() if n == length)


def _why_empty(n_given: int, n_in_cluster: int, ended_by: End) -> Reason:
    if ended_by == "list":
        return "alone_in_cluster" if n_given > n_in_cluster else "no_others"
    reasons: dict[End, Reason] = {"radius": "no_radius", "mean": "no_neighbours", "floor": "below_floor"}
    return reasons[ended_by]
