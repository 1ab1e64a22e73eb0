"""The tables of agreement as they are kept: what a judged pair adds to which slice, and the sums packed as bytes.

A slice is a scope and a value in it: all pairs, those of one source, those whose newest judgment fell in one ISO week,
or whether pairs need an edit of one kind. Each has two tables of whole numbers, the last column how often:

* items, rows (bucket, n of label 0, 1 ..., times): `CountTable`, buckets as `groups_of` makes them;
* twos, rows (first annotator, second, label of the first * k + label of the second, times): `PairTable`.

A pair that nobody would edit in a kind adds nothing to that kind's slice: those are filled in on reading, from the
slice of all pairs. So a judgment without edits touches three slices, however many kinds there are.

>>> tally = Tally()
>>> tally.count(JudgedPair(7, "human", (Vote(1, 0, "2026-W01"), Vote(2, 1, "2026-W02"))), times=1)
>>> sorted(tally.items), dict(tally.items[OVERALL])
([('overall', ''), ('source', 'human'), ('week', '2026-W02')], {(7, 1, 1, 0): 1})
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.pair_table import PairTable
from backend.methods.consensus import LABELS

Ints = NDArray[np.int64]
Slice = tuple[str, str]
Changes = Mapping[tuple[int, ...], int]

OVERALL: Slice = ("overall", "")
EDITED = ("no", "yes")
FASTEST = 1  # of zlib: sums of this kind shrink to a fifth at any level


@dataclass(frozen=True)
class Vote:
    """What an annotator said of a pair: the place of the label in consensus.LABELS, when, and the kinds of edits."""

    annotator: int
    label: int
    week: str
    edits: frozenset[str] = frozenset()


@dataclass(frozen=True)
class JudgedPair:
    """A pair with the votes that count, one of each annotator at most."""

    bucket: int
    source: str
    votes: tuple[Vote, ...]


@dataclass
class Tally:
    """What pairs add to the tables, by slice: rows without their last column -> how often."""

    items: dict[Slice, Counter[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(Counter))
    twos: dict[Slice, Counter[tuple[int, ...]]] = field(default_factory=lambda: defaultdict(Counter))

    def count(self, pair: JudgedPair, *, times: int) -> None:
        """Add a pair (`times` 1), or take it back as it was (-1). One without votes adds nothing."""
        if not pair.votes:
            return
        votes = sorted(pair.votes, key=lambda vote: vote.annotator)
        labels = [(vote.annotator, vote.label) for vote in votes]
        week = max(vote.week for vote in votes)
        self._count((OVERALL, ("source", pair.source), ("week", week)), pair.bucket, labels, len(LABELS), times)
        for kind in frozenset[str]().union(*(vote.edits for vote in votes)):
            would = [(vote.annotator, int(kind in vote.edits)) for vote in votes]
            self._count((("edit", kind),), pair.bucket, would, len(EDITED), times)

    def _count(self, slices: Sequence[Slice], bucket: int, said: Sequence[tuple[int, int]], k: int, times: int) -> None:
        counts = [0] * k
        for _, label in said:
            counts[label] += 1
        cells = [(first, second, one * k + other) for (first, one), (second, other) in combinations(said, 2)]
        for place in slices:
            self.items[place][(bucket, *counts)] += times
            for cell in cells:
                self.twos[place][cell] += times

    @property
    def slices(self) -> frozenset[Slice]:
        """Those whose sums change."""
        both = (*self.items.items(), *self.twos.items())
        return frozenset(place for place, changes in both if any(changes.values()))


def add_changes(rows: Ints, changes: Changes) -> Ints:
    """Sums (m, d) with the changes added, in the order of their first columns, none zero.

    Raises ValueError where a sum would fall below zero: more was taken away than had been added.
    """
    fresh = np.array([(*row, n) for row, n in changes.items() if n], dtype=np.int64).reshape(-1, rows.shape[1])
    both = np.vstack([rows, fresh])
    keys, place = np.unique(both[:, :-1], axis=0, return_inverse=True)
    sums = np.zeros(len(keys), dtype=np.int64)
    np.add.at(sums, place.ravel(), both[:, -1])
    if (sums < 0).any():
        raise ValueError("More was taken out of a table of agreement than had been put in: count it anew.")
    return np.column_stack([keys, sums])[sums > 0]


def pack(rows: Ints) -> bytes:
    """Whole numbers (m, d) as bytes that are the same on every machine."""
    return zlib.compress(np.ascontiguousarray(rows, dtype="<i8").tobytes(), FASTEST)


def unpack(packed: bytes | memoryview, *, width: int) -> Ints:
    """What `pack` was given; no bytes are no rows."""
    flat = zlib.decompress(packed) if packed else b""
    return np.frombuffer(flat, dtype="<i8").astype(np.int64).reshape(-1, width)


def item_width(scope: str) -> int:
    """Columns of a scope's items."""
    return 2 + (len(EDITED) if scope == "edit" else len(LABELS))


TWO_WIDTH = 4


def count_table_of(items: Ints) -> CountTable:
    """Items as kept, as a table of counts whose clusters are the buckets."""
    return CountTable.of_rows(items[:, 1:-1], items[:, -1], items[:, 0])


def pair_table_of(twos: Ints, *, k: int) -> PairTable:
    """Twos as kept, as confusions (p, k, k) by pair."""
    pairs, place = np.unique(twos[:, :2], axis=0, return_inverse=True)
    confusions = np.zeros((len(pairs), k * k), dtype=np.int64)
    np.add.at(confusions, (place.ravel(), twos[:, 2]), twos[:, 3])
    return PairTable(pairs, confusions.reshape(-1, k, k))


def with_unedited_items(edited: Ints, items: Ints) -> CountTable:
    """The table (no, yes) of a kind of edit: the pairs somebody would edit, and all others as nothing but noes."""
    n_said, n_edited = items[:, 1:-1].sum(axis=1), edited[:, 1:-1].sum(axis=1)
    counts = np.vstack([_noes(n_said), edited[:, 1:-1], _noes(n_edited)])
    times = np.concatenate([items[:, -1], edited[:, -1], -edited[:, -1]])
    return CountTable.of_rows(counts, times, np.concatenate([items[:, 0], edited[:, 0], edited[:, 0]]))


def _noes(n: Ints) -> Ints:
    return np.column_stack([n, np.zeros_like(n)])


def with_unedited_twos(edited: Ints, twos: Ints) -> PairTable:
    """The confusions (no, yes) of a kind of edit, filled in the same way."""
    whole, part = pair_table_of(twos, k=len(LABELS)), pair_table_of(edited, k=len(EDITED))
    confusions = np.zeros((len(whole.pairs), len(EDITED), len(EDITED)), dtype=np.int64)
    confusions[:, 0, 0] = whole.confusions.sum(axis=(1, 2))
    at = {tuple(pair): place for place, pair in enumerate(whole.pairs.tolist())}
    for pair, confusion in zip(part.pairs.tolist(), part.confusions, strict=True):
        confusions[at[tuple(pair)]] += confusion
        confusions[at[tuple(pair)], 0, 0] -= confusion.sum()
    return PairTable(whole.pairs, confusions)
