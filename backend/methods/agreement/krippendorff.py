"""Krippendorff's alpha from counts of labels per item; any number of judgments may be missing.

o_ck = sum over items of n_c (n_k - [c = k]) / (n - 1), items of fewer than two judgments left out;
alpha = 1 - (N - 1) sum o d / sum n_c n_k d, with d = [c != k], or for ordered labels
d_ck = (sum of n_g over g = c..k, less (n_c + n_k) / 2) squared, or for numbers d_ck = (c - k) squared (Krippendorff,
Content Analysis, 2004, ch. 11). The
coincidences o add up over items, so a replicate of the bootstrap is one product, and a table can be kept up to date.

>>> counts = np.array([[2, 0], [1, 1], [0, 2]])
>>> round(float(alpha(coincidences(counts).sum(axis=0), "nominal")), 4)
0.4444
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.readings import Counts, disagreement

Floats = NDArray[np.float64]


def coincidences(counts: Counts) -> Floats:
    """What each item adds to the table of coincidences, (n, k) -> (n, k, k); zeros below two judgments."""
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(counts.shape[1], dtype=np.int64)
    others = counts.sum(axis=1) - 1
    return np.asarray(pairs / np.where(others > 0, others, np.inf)[:, None, None], dtype=np.float64)


Distance = Literal["nominal", "ordinal", "interval"]


def alpha(table: Floats, distance: Distance, values: Sequence[float] = ()) -> Floats:
    """Alpha of tables of coincidences, (..., k, k) -> (...); NaN where no two labels differ or there is no pair.
    `values` (k,) are the numbers that the labels are, for the distance between them."""
    marginals = table.sum(axis=-1)
    n = marginals.sum(axis=-1)
    if distance == "interval":
        numbers = np.asarray(values, dtype=np.float64)
        numbers = numbers / (np.ptp(numbers) or 1)  # the unit plays no part
        apart = np.subtract.outer(numbers, numbers) ** 2
    else:
        apart = _ordinal(marginals) if distance == "ordinal" else disagreement("nominal", table.shape[-1])
    observed = (table * apart).sum(axis=(-2, -1))
    expected = (marginals[..., :, None] * marginals[..., None, :] * apart).sum(axis=(-2, -1))
    is_defined = expected > 1e-9 * np.maximum(n, 1)
    return np.where(is_defined, 1 - (n - 1) * observed / np.where(is_defined, expected, 1), np.nan)


def _ordinal(marginals: Floats) -> Floats:
    """The squared mass of labels between the middles of c and k: |middle_c - middle_k| of the cumulated marginals."""
    middles = np.cumsum(marginals, axis=-1) - marginals / 2
    return np.asarray((middles[..., :, None] - middles[..., None, :]) ** 2, dtype=np.float64)
