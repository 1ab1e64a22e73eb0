"""Percentile bootstrap of many means and medians at once: images are drawn, with all their queries and captions.

All figures of one evaluation use the same draws, so sums and differences of figures have intervals, too.
Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from backend.methods.agreement.bootstrap import percentiles
from backend.methods.ranking.ranking import Floats, Ints

DRAWS = 2000
AT_ONCE = 16_000_000  # weights held at once
LEVEL = 0.95


class Bootstrap:
    """Add means and medians under a key, then `run`: of each key its value in every draw."""

    def __init__(self, n_clusters: int, *, draws: int = DRAWS, seed: int = 0) -> None:
        self.n_clusters, self.draws, self.seed = n_clusters, draws, seed
        self._sums: list[Floats] = []
        self._counts: list[Floats] = []
        self._means: list[str] = []
        self._medians: dict[str, tuple[Floats, Ints, bool]] = {}

    def add_mean(self, key: str, values: Floats, clusters: Ints) -> None:
        """The mean of `values`, of which each belongs to a cluster."""
        self._means.append(key)
        self._sums.append(np.bincount(clusters, weights=values, minlength=self.n_clusters).astype(float))
        self._counts.append(np.bincount(clusters, minlength=self.n_clusters).astype(float))

    def add_median(self, key: str, values: Floats, clusters: Ints, *, floor: bool = False) -> None:
        """The median of `values`, rounded down if `floor`."""
        order = np.argsort(values, kind="stable")
        self._medians[key] = (values[order], clusters[order], floor)

    def run(self) -> dict[str, Floats]:
        """The values (draws,) of each key; NaN where a draw has no values."""
        found = {key: np.empty(self.draws) for key in (*self._means, *self._medians)}
        sums, counts = (np.array(each).reshape(-1, self.n_clusters).T for each in (self._sums, self._counts))
        at = 0
        for weights in self._weights():
            here = slice(at, at + len(weights))
            with np.errstate(invalid="ignore"):
                means = (weights @ sums) / (weights @ counts)
            for column, key in enumerate(self._means):
                found[key][here] = means[:, column]
            for key, (values, clusters, floor) in self._medians.items():
                drawn = np.array([median_of(values, np.cumsum(row[clusters])) for row in weights])
                found[key][here] = np.floor(drawn) if floor else drawn
            at += len(weights)
        return found

    def _weights(self) -> Iterator[Floats]:
        """How often each cluster was drawn, (b, clusters), b draws at a time."""
        rng = np.random.default_rng(self.seed)
        step = max(1, min(self.draws, AT_ONCE // max(1, self.n_clusters)))
        for start in range(0, self.draws, step):
            n = min(step, self.draws - start)
            drawn = rng.integers(self.n_clusters, size=(n, self.n_clusters))
            flat = (drawn + np.arange(n)[:, None] * self.n_clusters).ravel()
            yield np.bincount(flat, minlength=n * self.n_clusters).reshape(n, self.n_clusters).astype(float)


def median_of(values: Floats, upto: Floats | Ints) -> float:
    """The median of ascending values, where `upto` are the sums of their weights up to each; NaN where all are 0."""
    if not len(upto) or not upto[-1]:
        return float("nan")
    middle = np.array([(upto[-1] - 1) // 2, upto[-1] // 2])
    return float(values[np.searchsorted(upto, middle, side="right")].mean())


def interval(drawn: Floats, level: float = LEVEL) -> tuple[float | None, float | None]:
    """The percentiles of a figure's draws; None where no draw has a value."""
    low, high, _ = (float(each) for each in percentiles(drawn, level))
    return (None, None) if np.isnan(low) else (low, high)
