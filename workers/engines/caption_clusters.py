"""UMAP and k-means of the few captions of one image, by umap-learn and scikit-learn.

The arrays are tiny, so that k-means by several threads takes far longer than by one: use `one_thread` around many
pools. The layout of a small pool costs about 40 ms; numba compiles for some seconds when the first is made.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

NEIGHBOURS = 15
NEAREST = 0.1


class UmapKMeans:
    """What `select_by_cluster` asks for."""

    def lay_out(self, vectors: NDArray[np.floating], *, seed: int) -> NDArray[np.floating]:
        """float32 (n, 2): places of n >= 4 different unit vectors, near ones near."""
        with _quiet():
            import umap

            model: Any = umap.UMAP(
                n_components=2,
                n_neighbors=min(NEIGHBOURS, len(vectors) - 1),
                min_dist=NEAREST,
                metric="cosine",
                random_state=seed,
                n_jobs=1,
            )
            return np.asarray(model.fit_transform(vectors), dtype=np.float32)

    def group(self, rows: NDArray[np.floating], k: int, *, seed: int, starts: int) -> list[int]:
        """The cluster of each row: the best of so many starts. Fewer than k clusters come out where rows are equal."""
        with _quiet():
            from sklearn.cluster import KMeans

            found = KMeans(k, n_init=starts, random_state=seed).fit(rows)
        labels: list[int] = found.labels_.tolist()
        return labels


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the libraries of numbers use one thread."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


@contextmanager
def _quiet() -> Iterator[None]:
    """Advice of both libraries to their own users, for example that rows are equal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
