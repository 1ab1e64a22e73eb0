"""The two principal axes: a plane for so few vectors that UMAP has no neighbourhoods to lay out (SCIENCE 2.8, n < 15).

The vectors less their mean, turned so that the first axis holds the most of their spread and the second the most of
what is left (Pearson 1901). An axis may point either way; here its largest entry is positive, the first of equal ones.

>>> principal_plane([[0, 3], [0, 0], [0, -3]]).round(9).tolist()
[[3.0, 0.0], [0.0, 0.0], [-3.0, 0.0]]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def principal_plane(vectors: ArrayLike) -> NDArray[np.float64]:
    """The places (n, 2) of `vectors` (n, d) on the plane of their two principal axes; distances never grow.

    What there is no second axis for lies at 0. Raises ValueError for another shape and for NaN or infinity.
    """
    wide = np.asarray(vectors, dtype=np.float64)
    if wide.ndim != 2:
        raise ValueError(f"Vectors need the shape (n, d), not {wide.shape}.")
    if not np.isfinite(wide).all():
        raise ValueError("A vector holds NaN or infinity. Embed again.")
    places = np.zeros((len(wide), 2))
    if wide.size:
        centred = wide - wide.mean(axis=0)
        axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
        axes *= np.sign(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)])[:, None]
        places[:, : len(axes)] = centred @ axes.T
    return places + 0.0  # no negative zeros
