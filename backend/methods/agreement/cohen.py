"""Cohen's kappa of two annotators from the table of what they said of the same items, and its mean over pairs.

kappa = 1 - sum w o / sum w e, o = shares of the table, e = product of its marginals, w = 0 on the diagonal and 1,
steps, or steps squared off it (Cohen 1960, 1968). Needs two items and two labels. A mean over pairs weighs each pair by
how many items both judged; pairs without a kappa are left out of it.

>>> round(float(kappa(np.array([[20, 5], [10, 15]]), "nominal")), 4)
0.4
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.readings import disagreement

Floats = NDArray[np.float64]
Weights = Literal["nominal", "linear", "quadratic"]


def kappa(confusions: NDArray[Any], weights: Weights) -> Floats:
    """Kappa of tables (..., k, k), rows one annotator and columns the other -> (...); NaN where it is undefined."""
    return kappa_by_cell(np.moveaxis(confusions, (-2, -1), (0, 1)), weights)


def kappa_by_cell(cells: NDArray[Any], weights: Weights) -> Floats:
    """The same of tables cell by cell, (k, k, ...) -> (...): millions of them are few long sums instead of many short
    ones, in a third of the time."""
    apart = disagreement(weights, len(cells))
    rows, columns = cells.sum(axis=1, dtype=np.float64), cells.sum(axis=0, dtype=np.float64)
    n = rows.sum(axis=0)
    observed, expected = np.zeros_like(n), np.zeros_like(n)
    for one, other in np.argwhere(apart).tolist():
        observed += apart[one, other] * cells[one, other]
        expected += apart[one, other] * rows[one] * columns[other]
    is_defined = (n >= 2) & (expected > 0)
    return np.where(is_defined, 1 - n * observed / np.where(is_defined, expected, 1), np.nan)


def mean_kappa(confusions: NDArray[Any], weights: Weights) -> Floats:
    """The mean over pairs, (..., n_pairs, k, k) -> (...), weighed by overlap; NaN where no pair has a kappa."""
    return mean_of(mean_terms(confusions, weights).sum(axis=-2))


def mean_terms(confusions: NDArray[Any], weights: Weights) -> Floats:
    """What tables (..., k, k) add to a mean, above and below its stroke, (..., 2): nothing where they have no kappa."""
    kappas = kappa(confusions, weights)
    overlap = np.where(np.isnan(kappas), 0, confusions.sum(axis=(-2, -1)))
    return np.stack([np.nan_to_num(kappas) * overlap, overlap], axis=-1)


def mean_of(sums: Floats) -> Floats:
    """The mean from what was added to it, (..., 2) -> (...); NaN where no pair has a kappa."""
    total = sums[..., 1]
    return np.where(total > 0, sums[..., 0] / np.where(total > 0, total, 1), np.nan)
