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

from backend.methods.agreement.figures import Reason
from backend.methods.agreement.readings import disagreement

Floats = NDArray[np.float64]
Weights = Literal["nominal", "linear", "quadratic"]


def kappa(confusions: NDArray[Any], weights: Weights) -> Floats:
    """Kappa of tables (..., k, k), rows one annotator and columns the other -> (...); NaN where it is undefined."""
    tables = np.asarray(confusions, dtype=np.float64)
    n = tables.sum(axis=(-2, -1))
    apart = disagreement(weights, tables.shape[-1])
    rows, columns = tables.sum(axis=-1), tables.sum(axis=-2)
    expected = np.einsum("...i,ij,...j->...", rows, apart, columns)
    is_defined = (n >= 2) & (expected > 0)
    return np.where(is_defined, 1 - n * (tables * apart).sum(axis=(-2, -1)) / np.where(is_defined, expected, 1), np.nan)


def why_undefined(confusion: NDArray[Any]) -> Reason | None:
    """Why a table (k, k) has no kappa; None where it has one."""
    n = int(confusion.sum())
    if n < 2:
        return "one_item" if n else "no_overlap"
    return None if np.isfinite(kappa(confusion, "nominal")) else "one_label"


def mean_kappa(confusions: NDArray[Any], weights: Weights) -> Floats:
    """The mean over pairs, (..., n_pairs, k, k) -> (...), weighed by overlap; NaN where no pair has a kappa."""
    of_pairs = kappa(confusions, weights)
    overlap = np.where(np.isnan(of_pairs), 0, confusions.sum(axis=(-2, -1)))
    total = overlap.sum(axis=-1)
    return np.where(total > 0, (np.nan_to_num(of_pairs) * overlap).sum(axis=-1) / np.where(total > 0, total, 1), np.nan)
