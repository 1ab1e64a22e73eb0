"""What each two annotators said in each group of clusters where they share something: the pieces intervals are made of.

There are nearly as many blocks as twos of judgments, and the table of labels of each is k * k numbers: all of them at
once took 13 gigabytes of 40,000 judgments under 20 labels. They are made of a few blocks at a time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.pair_table import CoRatings

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Blocks:
    """Of blocks (n,), by pairs and then by groups: their `pairs` and `groups`, numbers below `n_groups`. The cells of
    k * k that were said in block b are `cells[starts[b] : starts[b + 1]]`."""

    pairs: Ints
    groups: Ints
    n_groups: int
    starts: Ints
    cells: Ints
    k: int

    def tables(self, those: Ints) -> Ints:
        """Of some of the blocks (m,), (m, k, k)."""
        sizes = self.starts[those + 1] - self.starts[those]
        at = np.repeat(np.arange(len(those)), sizes)
        rows = np.arange(len(at)) + np.repeat(self.starts[those] - np.cumsum(sizes) + sizes, sizes)
        counts = np.bincount(at * self.k**2 + self.cells[rows], minlength=len(those) * self.k**2)
        return counts.reshape(-1, self.k, self.k)


def blocks_of(rated: CoRatings, groups: Ints) -> Blocks:
    """`groups` are those of the rows of `rated`, by any number."""
    names, place = np.unique(groups, return_inverse=True)
    n_groups = max(1, len(names))
    block_of = rated.pair_of * n_groups + place
    order = np.argsort(block_of, kind="stable")
    known, first = np.unique(block_of[order], return_index=True)
    starts = np.append(first, len(order))
    return Blocks(known // n_groups, known % n_groups, n_groups, starts, rated.cells[order], rated.n_labels)
