"""Intervals of Cohen's kappa of every two annotators, all drawn at once.

A pair needs the table of labels of each of its clusters, k * k numbers, and no more: a replicate is a row of weights
times those tables. Pairs with equally many clusters are drawn alike, so that all of them are one product. For 19,900
pairs over a million judgments that takes seconds, where pair by pair it took as many as there are hundreds of pairs.
Source: the percentile bootstrap of bootstrap.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import cohen
from backend.methods.agreement.blocks import Blocks, blocks_of
from backend.methods.agreement.bootstrap import AT_ONCE, MOST_GROUPS, Bootstrap, draw_weights, groups_of, percentiles
from backend.methods.agreement.figures import Interval
from backend.methods.agreement.pair_table import CoRatings

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PairIntervals:
    """Of pairs (p,): `low` and `high`, NaN where there is none; the share of replicates without a kappa; and of how
    many groups of clusters each was drawn."""

    low: Floats
    high: Floats
    undefined_share: Floats
    n_groups: Ints
    bootstrap: Bootstrap

    def at(self, pair: int) -> Interval:
        """That of one pair, with the reason where it has no bounds."""
        return interval_from(
            float(self.low[pair]), float(self.high[pair]), float(self.undefined_share[pair]),
            int(self.n_groups[pair]), self.bootstrap,
        )  # fmt: skip


def interval_from(low: float, high: float, undefined_share: float, n_groups: int, bootstrap: Bootstrap) -> Interval:
    """An interval from its numbers; `low` NaN where there is none."""
    drawn = (bootstrap.level, bootstrap.n_replicates, undefined_share, n_groups, bootstrap.seed)
    if np.isnan(low):
        return Interval(None, None, *drawn, reason="one_cluster" if n_groups < 2 else "never_defined")
    return Interval(low, high, *drawn)


def draw_pair_intervals(
    rated: CoRatings, clusters: Ints, weights: cohen.Weights, *, bootstrap: Bootstrap
) -> PairIntervals:
    """The interval of each of `rated.pairs`; `clusters` are those of the rows of `rated`."""
    blocks, n_pairs = _blocks(rated, clusters), len(rated.pairs)
    n_groups = np.bincount(blocks.pairs, minlength=n_pairs)
    starts = np.concatenate([[0], np.cumsum(n_groups)[:-1]]) if n_pairs else n_groups
    low, high, undefined = np.full(n_pairs, np.nan), np.full(n_pairs, np.nan), np.zeros(n_pairs)
    for size in np.unique(n_groups[n_groups > 1]).tolist():
        drawn = draw_weights(size, bootstrap.n_replicates, bootstrap.seed)
        for pairs in _at_once(np.flatnonzero(n_groups == size), bootstrap.n_replicates * rated.n_labels**2):
            mine = blocks.tables((starts[pairs][:, None] + np.arange(size)).ravel())
            kappas = _kappas(drawn, mine.reshape(len(pairs), size, -1), rated.n_labels, weights)
            low[pairs], high[pairs], undefined[pairs] = percentiles(kappas, bootstrap.level)
    return PairIntervals(low, high, undefined, n_groups, bootstrap)


def _blocks(rated: CoRatings, clusters: Ints) -> Blocks:
    """Each pair's groups of clusters: the clusters themselves, but where a pair has very many."""
    blocks = blocks_of(rated, clusters)
    many = np.bincount(blocks.pairs, minlength=len(rated.pairs)) > MOST_GROUPS
    return blocks_of(rated, np.where(many[rated.pair_of], groups_of(clusters), clusters)) if many.any() else blocks


def _at_once(pairs: Ints, numbers_a_pair: int) -> Iterator[Ints]:
    step = max(1, AT_ONCE // numbers_a_pair)
    for start in range(0, len(pairs), step):
        yield pairs[start : start + step]


def _kappas(drawn: Floats, tables: Ints, k: int, weights: cohen.Weights) -> Floats:
    """Kappas of each replicate of `drawn` (b, g) and pair of `tables` (p, g, k * k), as (p, b)."""
    n_pairs, n_groups, width = tables.shape
    totals = tables.transpose(2, 0, 1).reshape(width * n_pairs, n_groups) @ drawn.T
    return cohen.kappa_by_cell(totals.reshape(k, k, n_pairs, -1), weights)
