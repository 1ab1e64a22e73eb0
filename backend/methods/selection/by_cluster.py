"""Diverse selection, variant B: one caption of each of k clusters (IMP appendix C.5, SCIENCE 2.8).

    sentence vectors -> UMAP, 2-D -> k-means, K = k, the best of 10 starts -> one caption of each cluster at random

What makes the same captions come out every time: captions that say the same are one point, points stand in the order of
their ids, and chance has a seed of its own for each image. The pick in a cluster is the lowest rank of a hash of seed
and caption, so that it does not depend on how clusters are numbered.

Below 15 points UMAP has no neighbourhoods to lay out, and the sentence vectors are clustered themselves. As many good
captions as are wanted are all taken. Where there are fewer points than clusters, variant A adds what is missing.

A pinned caption takes the place of the pick of its cluster. With several pins in one cluster, as many picks of other
clusters give way: those that are most like the rest. A banned caption lies on the plane but is not chosen.

The stability repeats k-means and the pick with other seeds. The layout stays, and k-means starts once for each seed:
a complete repetition would cost ten times as much as the choice itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from backend.methods.principal_axes import principal_plane
from backend.methods.selection.choice import Choice, GoodCaptions, places_of
from backend.methods.selection.least_alike import Chosen, Method, cosines_of, in_millionths, mean_of, select_diverse
from backend.methods.selection.points import Points, find_points
from backend.methods.selection.seeds import image_seed, rank_of

FEWEST_ON_A_PLANE = 15
STARTS = 10


class Grouper(Protocol):
    """UMAP and k-means, which live where the other models do."""

    def lay_out(self, vectors: NDArray[np.floating], *, seed: int) -> NDArray[np.floating]:
        """Places (n, 2) of unit vectors (n, d)."""

    def group(self, rows: NDArray[np.floating], k: int, *, seed: int, starts: int) -> Sequence[int]:
        """The cluster of each row, of at most k."""


def select_by_cluster(
    captions: GoodCaptions, k: int, *, seed: int, digest: str, grouper: Grouper, n_seeds: int = 0
) -> Choice | None:
    """Choose k captions of the image with this digest in a run with this seed. None for a short pool.

    `n_seeds` other seeds measure the stability. Raises ValueError as `select_diverse` does.
    """
    captions = captions.in_order()
    may = captions.eligible
    if len(may) < k:
        return None
    cosines = cosines_of(captions.vectors)
    whole = in_millionths(cosines)
    if len(may) == k:
        chosen = _chosen(captions, whole, set(may), "all")
        return Choice(chosen, "kmeans", places_of(captions, principal_plane(captions.vectors)), stability=1.0)
    points = find_points(captions, cosines)
    first_seed = image_seed(seed, digest)
    rows = captions.vectors[points.first]
    is_laid_out = len(rows) >= FEWEST_ON_A_PLANE and len(rows) > k
    plane = grouper.lay_out(rows, seed=first_seed) if is_laid_out else principal_plane(rows)
    rows = plane if is_laid_out else rows
    labels = _labels(grouper, rows, k, seed=first_seed, starts=STARTS)
    picks = _take(captions, points, whole, labels, k, first_seed)
    others = [
        _take(captions, points, whole, _labels(grouper, rows, k, seed=other, starts=1), k, other)
        for other in (image_seed(seed, digest, again=number) for number in range(1, n_seeds + 1))
    ]
    return Choice(
        _chosen(captions, whole, picks, "umap_kmeans" if is_laid_out else "kmeans"),
        "kmeans",
        places_of(captions, plane[points.point_of], [labels[point] for point in points.point_of]),
        n_clusters=len(set(labels)),
        stability=_mean_jaccard(picks, others),
    )


def _labels(grouper: Grouper, rows: NDArray[np.floating], k: int, *, seed: int, starts: int) -> list[int]:
    """The cluster of each point, numbered in the order of the points; each its own where there are no more than k."""
    if len(rows) <= k:
        return list(range(len(rows)))
    numbers: dict[int, int] = {}
    found = grouper.group(rows, k, seed=seed, starts=starts)
    return [numbers.setdefault(int(label), len(numbers)) for label in found]


def _take(
    captions: GoodCaptions, points: Points, whole: NDArray[np.int64], labels: Sequence[int], k: int, seed: int
) -> set[int]:
    """Places of the k captions: the pins, one of each cluster without a pin, and what is missing by variant A."""
    may = captions.eligible
    pins = {at for at in may if captions.ids[at] in captions.pinned}
    best: dict[int, tuple[bytes, int]] = {}
    with_pin = {labels[points.point_of[at]] for at in pins}
    for at in may:
        cluster = labels[points.point_of[at]]
        if cluster not in with_pin and at not in points.repeats:
            ranked = (rank_of(seed, captions.ids[at]), at)
            best[cluster] = min(best.get(cluster, ranked), ranked)
    picks = pins | {at for _, at in best.values()}
    if len(picks) > k:
        return _least_alike(captions, whole, sorted(picks), k, pins)
    if len(picks) < k:
        others = [at for at in may if at not in points.repeats or at in picks]
        return _least_alike(captions, whole, others if len(others) >= k else may, k, picks)
    return picks


def _least_alike(
    captions: GoodCaptions, whole: NDArray[np.int64], among: list[int], k: int, fixed: set[int]
) -> set[int]:
    places = {captions.ids[at]: at for at in among}
    similarity = whole[np.ix_(among, among)] / 1e6
    found = select_diverse(list(places), similarity, k, fixed=[captions.ids[at] for at in fixed])
    return {places[key] for key in found.ids} if found else set()


def _chosen(captions: GoodCaptions, whole: NDArray[np.int64], picks: set[int], method: Method) -> Chosen:
    order = sorted(picks)  # the ids are in order
    return Chosen(tuple(captions.ids[at] for at in order), mean_of(whole, order), method)


def _mean_jaccard(picks: set[int], others: Sequence[set[int]]) -> float | None:
    """None without others."""
    indices = [len(picks & other) / len(picks | other) for other in others]
    return round(sum(indices) / len(indices), 4) if indices else None
