"""Fleiss' kappa from counts of labels per item, for items that all have equally many judgments.

P = mean over items of sum_c n_c (n_c - 1) / (n (n - 1)), p_c = the share of label c, Pe = sum p_c squared;
kappa = (P - Pe) / (1 - Pe) (Fleiss, Psychological Bulletin 76, 1971). All of it is made of sums over items.

>>> round(float(kappa(contributions(np.array([[3, 0], [2, 1], [0, 3]])).sum(axis=0), n_raters=3)), 4)
0.55
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.readings import Counts

Floats = NDArray[np.float64]


def raters_per_item(counts: Counts) -> int | None:
    """How many judgments every judged item has, or None where they differ. 0 when nothing is judged."""
    seen = np.unique(counts.sum(axis=1))
    seen = seen[seen > 0]
    return None if len(seen) > 1 else int(seen[0]) if len(seen) else 0


def contributions(counts: Counts) -> Floats:
    """What each item adds: agreeing ordered pairs, then the counts, (n, k) -> (n, 1 + k)."""
    agreeing = (counts * (counts - 1)).sum(axis=1, keepdims=True)
    return np.hstack([agreeing, counts]).astype(np.float64)


def kappa(sums: Floats, *, n_raters: int) -> Floats:
    """Kappa of sums of contributions, (..., 1 + k) -> (...); NaN where there is one label only or no item."""
    n = sums[..., 1:].sum(axis=-1)
    is_judged = (n > 0) & (n_raters > 1)
    shares = sums[..., 1:] / np.where(n > 0, n, 1)[..., None]
    observed = sums[..., 0] / np.where(is_judged, n * (n_raters - 1), 1)
    expected = (shares**2).sum(axis=-1)
    is_defined = is_judged & (1 - expected > 1e-12)
    return np.where(is_defined, (observed - expected) / np.where(is_defined, 1 - expected, 1), np.nan)
