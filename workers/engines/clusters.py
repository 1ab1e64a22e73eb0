"""Groups of points by density: HDBSCAN (Campello, Moulavi, Sander 2013) with a least distance between groups.

`cluster_selection_epsilon` is the threshold of Malzer and Baum, "A hybrid approach to hierarchical density-based
cluster selection" (2020): groups nearer to each other than that are one. Everything else is scikit-learn's, whose
labels are those of the `hdbscan` package; its own search by epsilon fails under NumPy 2.4 (scikit-learn issue 33219),
so that one walk up the tree is done here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workers.engines.protocols import EngineError

if TYPE_CHECKING:
    from sklearn.cluster import HDBSCAN

Labels = NDArray[np.int64]
NOISE = -1
MOST_THREADS = 8
BAD_POINTS = "Points to cluster are given as (n, d) numbers; these have the shape {shape}."
NOT_FINITE = "The point with number {row} is NaN or infinite. Leave it out."
TOO_SMALL = "min_cluster_size is {size}: a cluster has at least two points."
BAD_SAMPLES = "min_samples is {samples}: give at least one, or None for min_cluster_size."
BAD_EPSILON = "cluster_selection_epsilon is {epsilon}: a distance is zero or more."


class ClustersRefusedError(EngineError):
    """Points or settings that HDBSCAN cannot take."""

    code = "clusters_refused"


@dataclass(frozen=True)
class Clusters:
    """`labels` int64 (n,): the group of each point, from 0, or -1 for noise. `library` names what found them."""

    labels: Labels
    library: str

    @property
    def sizes(self) -> list[int]:
        """Points per group, by label."""
        return [int(size) for size in np.bincount(self.labels[self.labels >= 0])]

    @property
    def n_noise(self) -> int:
        """Points that belong to no group."""
        return int((self.labels == NOISE).sum())


def find_clusters(
    points: NDArray[np.floating],
    *,
    min_cluster_size: int = 50,
    min_samples: int | None = None,
    cluster_selection_epsilon: float = 0.0,
) -> Clusters:
    """Group `points`, (n, d), by Euclidean distance; there is no chance in it, so the same points give the same labels.

    Fewer points than a group needs are all noise. Raises ClustersRefusedError.
    """
    points = np.asarray(points)
    _check(points, min_cluster_size, min_samples, cluster_selection_epsilon)
    import sklearn
    from sklearn.cluster import HDBSCAN

    library = f"scikit-learn {sklearn.__version__}"
    if len(points) < max(min_cluster_size, min_samples or 0):
        return Clusters(np.full(len(points), NOISE, dtype=np.int64), library)
    found = HDBSCAN(
        min_cluster_size=min_cluster_size,
        min_samples=min_samples,
        n_jobs=min(MOST_THREADS, os.cpu_count() or 1),
        copy=True,
    ).fit(points)
    labels: Labels = found.labels_.astype(np.int64)
    if cluster_selection_epsilon and labels.max() > 0:
        labels = _joined(found, labels, cluster_selection_epsilon)
    return Clusters(labels, library)


def _joined(found: HDBSCAN, labels: Labels, epsilon: float) -> Labels:
    """Labels after every group born at a distance below `epsilon` has given way to the nearest ancestor born above it.

    The condensed tree's rows are (parent, child, value = 1 / distance); nodes below n are points, n is the root, and
    a child's number is higher than its parent's.
    """
    from sklearn.cluster._hdbscan._tree import _condense_tree

    tree, n = _condense_tree(found._single_linkage_tree_, min_cluster_size=found.min_cluster_size), len(labels)
    points, nodes = tree[tree["child"] < n], tree[tree["child"] >= n]
    parent = dict(zip(nodes["child"].tolist(), nodes["parent"].tolist(), strict=True))
    birth = {node: _distance(value) for node, value in zip(nodes["child"].tolist(), nodes["value"], strict=True)}
    home = np.empty(n, dtype=np.int64)
    home[points["child"]] = points["parent"]
    chosen = {_common(np.unique(home[labels == label]).tolist(), parent) for label in range(labels.max() + 1)}
    return _labelled(home, {_risen(node, parent, birth, epsilon, root=n) for node in chosen}, parent)


def _distance(value: float) -> float:
    return 1 / value if value > 0 else np.inf


def _common(nodes: list[int], parent: dict[int, int]) -> int:
    """The lowest node that all of `nodes` lie under."""
    below = set(nodes)
    while len(below) > 1:
        lowest = max(below)
        below.remove(lowest)
        below.add(parent[lowest])
    return below.pop()


def _risen(node: int, parent: dict[int, int], birth: dict[int, float], epsilon: float, root: int) -> int:
    """The node if born at `epsilon` or more, else its first ancestor born above it, else the one under the root."""
    if birth[node] >= epsilon:
        return node
    while parent[node] != root:
        node = parent[node]
        if birth[node] > epsilon:
            break
    return node


def _labelled(home: Labels, chosen: set[int], parent: dict[int, int]) -> Labels:
    """The label of each point: its nearest chosen ancestor's place among the chosen, -1 where there is none."""
    label_of = {node: label for label, node in enumerate(sorted(chosen))}
    for node in sorted(parent):  # parents first
        label_of.setdefault(node, label_of.get(parent[node], NOISE))
    return np.array([label_of.get(node, NOISE) for node in home.tolist()], dtype=np.int64)


def _check(points: NDArray[np.floating], size: int, samples: int | None, epsilon: float) -> None:
    if points.ndim != 2 or not np.issubdtype(points.dtype, np.number):
        raise ClustersRefusedError(BAD_POINTS.format(shape=points.shape))
    bad = ~np.isfinite(points).all(axis=1)
    if bad.any():
        raise ClustersRefusedError(NOT_FINITE.format(row=int(bad.argmax())))
    if size < 2:
        raise ClustersRefusedError(TOO_SMALL.format(size=size))
    if samples is not None and samples < 1:
        raise ClustersRefusedError(BAD_SAMPLES.format(samples=samples))
    if not epsilon >= 0:
        raise ClustersRefusedError(BAD_EPSILON.format(epsilon=epsilon))
