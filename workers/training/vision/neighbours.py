"""How alike the nearest neighbours of a picture are, by what is known to be on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.training.postcards.world import Scene

N_NEAREST = 10
AT_ONCE = 1000
Floats = NDArray[np.floating[Any]]


def shares(vectors: Floats, scenes: Sequence[Scene], n_nearest: int = N_NEAREST) -> dict[str, float]:
    """Of each scene's nearest others by cosine of unit vectors (n, d), the share with its land, its time, and both."""
    land = np.asarray([str(scene.land) for scene in scenes])
    time = np.asarray([str(scene.time) for scene in scenes])
    near = nearest(vectors, n_nearest)
    same_land, same_time = land[near] == land[:, None], time[near] == time[:, None]
    found = {"land": same_land, "time": same_time, "land_and_time": same_land & same_time}
    return {name: round(float(same.mean()), 4) for name, same in found.items()}


def nearest(vectors: Floats, n_nearest: int) -> NDArray[np.intp]:
    """(n, n_nearest): the rows most like each row, itself not among them."""
    found = []
    for start in range(0, len(vectors), AT_ONCE):
        cosines = vectors[start : start + AT_ONCE] @ vectors.T
        own = np.arange(len(cosines))
        cosines[own, start + own] = -np.inf
        found.append(np.argpartition(-cosines, n_nearest, axis=1)[:, :n_nearest])
    return np.concatenate(found)
