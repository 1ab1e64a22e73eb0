"""The order of annotators in which those who agree stand side by side: average linkage on 1 - kappa (scipy).

Two annotators without a kappa are as far apart as the others are on average, so that they shape no cluster.

>>> cluster_order(np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]]))
[0, 2, 1]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform


def cluster_order(kappas: NDArray[np.float64]) -> list[int]:
    """The places of annotators (n,) of a symmetric table of kappas (n, n), NaN where two have none. Raises ValueError
    on a table that is not square."""
    if kappas.ndim != 2 or kappas.shape[0] != kappas.shape[1]:
        raise ValueError(f"Kappas of all pairs are a square table, not of the shape {kappas.shape}.")
    if len(kappas) < 3:
        return list(range(len(kappas)))
    apart = 1 - kappas
    np.fill_diagonal(apart, 0)
    between = squareform(apart, checks=False)
    is_known = ~np.isnan(between)
    between = np.where(is_known, between, between[is_known].mean() if is_known.any() else 1.0)
    tree = optimal_leaf_ordering(linkage(between, method="average"), between)
    order = [int(place) for place in leaves_list(tree)]
    return order if order[0] < order[-1] else order[::-1]
