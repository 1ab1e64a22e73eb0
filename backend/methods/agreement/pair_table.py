"""What each two annotators said of the items that both judged: the tables that Cohen's kappa is worked out from.

The tables (pair, label of the first, label of the second) -> items give every pair's kappa; intervals need to know
which items lie in one cluster, hence `CoRatings`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.readings import Reading
from backend.methods.judgments import Judgments

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class PairTable:
    """`pairs` (p, 2) of annotators, the smaller first, and their `confusions` (p, k, k)."""

    pairs: Ints
    confusions: Ints

    def of_busiest(self, n: int) -> PairTable:
        """The pairs among the `n` annotators who judged most in common with others, in their order."""
        people, ends = np.unique(self.pairs, return_inverse=True)
        in_common = np.bincount(ends.ravel(), weights=np.repeat(self.confusions.sum(axis=(1, 2)), 2))
        busiest = people[np.argsort(-in_common, kind="stable")[:n]]
        kept = np.isin(self.pairs, busiest).all(axis=1)
        return PairTable(self.pairs[kept], self.confusions[kept])


@dataclass(frozen=True)
class CoRatings:
    """Row i: the pair at `pairs[pair_of[i]]` judged `items[i]`, and their labels are the cell `cells[i]` of k * k."""

    pairs: Ints
    pair_of: Ints
    items: Ints
    cells: Ints
    n_labels: int

    def of_largest(self, n: int) -> CoRatings:
        """The rows of the `n` pairs who judged most in common, pairs in their order."""
        sizes = np.bincount(self.pair_of, minlength=len(self.pairs))
        kept = np.sort(np.argsort(-sizes, kind="stable")[:n])
        place = np.full(len(self.pairs), -1)
        place[kept] = np.arange(len(kept))
        rows = place[self.pair_of] >= 0
        return CoRatings(self.pairs[kept], place[self.pair_of][rows], self.items[rows], self.cells[rows], self.n_labels)

    def only(self, rows: NDArray[np.bool_]) -> CoRatings:
        """The same pairs with some of the rows."""
        return CoRatings(self.pairs, self.pair_of[rows], self.items[rows], self.cells[rows], self.n_labels)

    def read(self, reading: Reading) -> CoRatings:
        """The same pairs under a reading of the labels, without the rows of which it leaves a label out."""
        k = len(reading.labels)
        place = np.full(self.n_labels, -1)
        place[list(reading.columns)] = np.arange(k)
        first, second = place[self.cells // self.n_labels], place[self.cells % self.n_labels]
        kept = (first >= 0) & (second >= 0)
        return CoRatings(self.pairs, self.pair_of[kept], self.items[kept], (first * k + second)[kept], k)

    def table(self) -> PairTable:
        """Each pair's confusion."""
        k = self.n_labels
        flat = np.bincount(self.pair_of * k * k + self.cells, minlength=len(self.pairs) * k * k)
        return PairTable(self.pairs, flat.reshape(len(self.pairs), k, k))


def co_ratings(judgments: Judgments) -> CoRatings:
    """Every two judgments of one item. There are r (r - 1) / 2 of them for an item with r."""
    order = np.lexsort([judgments.annotators, judgments.items])
    first, second = _twos(judgments.items[order])
    annotators, labels, items = judgments.annotators[order], judgments.labels[order], judgments.items[order]
    names = annotators[first] * judgments.n_annotators + annotators[second]
    distinct, pair_of = np.unique(names, return_inverse=True)
    pairs = np.column_stack(np.divmod(distinct, max(1, judgments.n_annotators)))
    cells = labels[first] * judgments.n_labels + labels[second]
    return CoRatings(pairs, pair_of, items[first], cells, judgments.n_labels)


def _twos(items: Ints) -> tuple[Ints, Ints]:
    """The places of every two equal numbers in a sorted array, the earlier place first."""
    _, starts, sizes = np.unique(items, return_index=True, return_counts=True)
    found = [np.empty((2, 0), dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        one, other = np.triu_indices(size, k=1)
        at = starts[sizes == size][:, None]
        found.append(np.stack([(at + one).ravel(), (at + other).ravel()]))
    first, second = np.concatenate(found, axis=1)
    return first, second
