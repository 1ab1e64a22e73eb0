"""The table of counts that agreement over items is worked out from.

A row says: `times` items of a cluster had these counts of labels. An item that nobody judged is in no table.

>>> table = CountTable.of_items(np.array([[2, 0, 1], [2, 0, 1], [3, 0, 0]]), clusters=np.array([7, 7, 7]))
>>> table.counts.tolist(), table.times.tolist()
([[2, 0, 1], [3, 0, 0]], [2, 1])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backend.methods.agreement.readings import Reading

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CountTable:
    """`counts` (m, k) of labels, `times` (m,) and `clusters` (m,). Rows are distinct and in order, first that of
    clusters, none with `times` 0 or without a judgment. Made by `of_items` or `of_rows`."""

    counts: Ints
    times: Ints
    clusters: Ints

    @classmethod
    def of_items(cls, counts: ArrayLike, *, clusters: ArrayLike | None = None) -> CountTable:
        """One row of counts per item, (n, k), and each item's cluster, (n,) whole numbers; without clusters each item
        is one by itself, in the order given: the bootstrap draws them in it. Raises ValueError on a negative count and
        on shapes that differ."""
        rows = np.asarray(counts, dtype=np.int64)
        if rows.ndim != 2:
            raise ValueError(f"Counts have a row per item and a column per label, not the shape {rows.shape}.")
        where = np.arange(len(rows)) if clusters is None else clusters
        return cls.of_rows(rows, np.ones(len(rows), dtype=np.int64), where)

    @classmethod
    def of_rows(cls, counts: ArrayLike, times: ArrayLike, clusters: ArrayLike) -> CountTable:
        """Rows in any order; equal ones are added up. Raises ValueError as above."""
        rows, often, where = (np.asarray(each, dtype=np.int64) for each in (counts, times, clusters))
        if rows.ndim != 2 or not len(rows) == len(often) == len(where):
            raise ValueError("Each row of counts needs its number of items and its cluster.")
        if rows.size and rows.min() < 0:
            raise ValueError("A count of labels is below zero.")
        return cls._summed(rows, often, where)

    @classmethod
    def _summed(cls, rows: Ints, often: Ints, where: Ints) -> CountTable:
        key = np.column_stack([where, rows])
        order = np.lexsort(key.T[::-1])
        is_new = np.ones(len(key), dtype=bool)
        is_new[1:] = (key[order][1:] != key[order][:-1]).any(axis=1)
        sums = np.bincount(np.cumsum(is_new) - 1, weights=often[order]).astype(np.int64) if len(key) else often
        distinct = key[order][is_new]
        kept = (sums > 0) & distinct[:, 1:].any(axis=1)
        return cls(distinct[kept, 1:], sums[kept], distinct[kept, 0])

    def read(self, reading: Reading) -> CountTable:
        """The same items under a reading of the labels."""
        return CountTable(reading.of_counts(self.counts), self.times, self.clusters)

    def n_comparable(self, reading: Reading) -> int:
        """How many items two people or more gave a label of the reading."""
        return int(self.times[reading.of_counts(self.counts).sum(axis=1) >= 2].sum())

    def n_judged_twice(self) -> int:
        """The same, whatever they said."""
        return int(self.times[self.counts.sum(axis=1) >= 2].sum())
