"""The tables of agreement as they are kept: what a judged pair adds to which slice, and the sums packed as bytes.

A slice is a scope and a value in it: all pairs, those of one source, those whose newest judgment fell in one ISO week,
or whether pairs need an edit of one kind. Each has two tables of whole numbers, the last column how often:

* items, rows (bucket, n of label 0, 1 ..., times): `CountTable`, buckets as `groups_of` makes them;
* twos, rows (first annotator, second, label of the first * k + label of the second, times): `PairTable`.

A pair that nobody would edit in a kind adds nothing to that kind's slice: those are filled in on reading, from the
slice of all pairs. So a judgment without edits touches three slices, however many kinds there are.

>>> both, people, labels, weeks = (np.array(each) for each in ([0, 0], [1, 2], [0, 1], [202601, 202602]))
>>> added = contributions(JudgedPairs(np.array([7]), np.array(["human"]), both, people, labels, weeks, {}))
>>> sorted(added), [sums.tolist() for sums in added[OVERALL]]
([('overall', ''), ('source', 'human'), ('week', '2026-W02')], [[[7, 1, 1, 0, 1]], [[1, 2, 1, 1]]])
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.pair_table import PairTable, co_ratings
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments, label_counts

Ints = NDArray[np.int64]
Slice = tuple[str, str]
Sums = tuple[Ints, Ints]

OVERALL: Slice = ("overall", "")
NOBODY = -1  # who gave a vote whose voter is not named: it counts among the items, and in no two people
EDITED = ("no", "yes")
FASTEST = 1  # of zlib: sums of this kind shrink to a fifth at any level
TWO_WIDTH = 4


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs with the votes that count, one of each annotator at most.

    Of each pair (p,): its bucket and its source. Of each vote (n,): the place of its pair, the annotator or NOBODY, the
    place of the label in consensus.LABELS, the week as 202647, and by kind whether the person would edit that.
    """

    buckets: Ints
    sources: NDArray[Any]
    pairs: Ints
    annotators: Ints
    labels: Ints
    weeks: Ints
    edits: Mapping[str, NDArray[np.bool_]]

    def only(self, votes: NDArray[np.bool_]) -> JudgedPairs:
        """The same pairs with some of the votes (n,)."""
        pairs, annotators, labels, weeks = (
            each[votes] for each in (self.pairs, self.annotators, self.labels, self.weeks)
        )
        edits = {kind: would[votes] for kind, would in self.edits.items()}
        return JudgedPairs(self.buckets, self.sources, pairs, annotators, labels, weeks, edits)


def contributions(judged: JudgedPairs) -> dict[Slice, Sums]:
    """What the pairs add to the items and twos of each slice, a row each with 1 as its last column."""
    newest = np.zeros(len(judged.buckets), dtype=np.int64)
    np.maximum.at(newest, judged.pairs, judged.weeks)
    items, twos, of_twos = _rows(judged, judged.labels, len(LABELS))
    slices: dict[Slice, Sums] = {OVERALL: (items[items[:, -1] > 0], twos)}
    for scope, values in (("source", judged.sources), ("week", newest)):
        for value in np.unique(values[items[:, -1] > 0]):
            mine = values == value
            name = week_name(int(value)) if scope == "week" else str(value)
            slices[scope, name] = (items[mine & (items[:, -1] > 0)], twos[mine[of_twos]])
    return slices | {("edit", kind): _edited(judged, would) for kind, would in judged.edits.items() if would.any()}


def _rows(judged: JudgedPairs, labels: Ints, k: int) -> tuple[Ints, Ints, Ints]:
    """A row for each pair, its last column 0 where nobody voted; the twos; and the pair of each of those."""
    n_pairs, named = len(judged.buckets), judged.annotators != NOBODY
    people, places = np.unique(judged.annotators[named], return_inverse=True)
    rated = co_ratings(Judgments(judged.pairs[named], places, labels[named], n_pairs, max(1, len(people)), k))
    counts = label_counts(judged.pairs, labels, n_pairs, k)
    items: Ints = np.column_stack([judged.buckets, counts, counts.any(axis=1).astype(np.int64)])
    names = people[rated.pairs][rated.pair_of] if len(rated.items) else np.empty((0, 2), dtype=np.int64)
    return items, np.column_stack([names, rated.cells, np.ones_like(rated.cells)]), rated.items


def _edited(judged: JudgedPairs, would: NDArray[np.bool_]) -> Sums:
    """The pairs that somebody would edit in one kind."""
    touched = np.bincount(judged.pairs, weights=would, minlength=len(judged.buckets))[judged.pairs] > 0
    items, twos, _ = _rows(judged.only(touched), would[touched].astype(np.int64), len(EDITED))
    return items[items[:, -1] > 0], twos


def week_of(day: date) -> int:
    """The ISO week of a day as 202647: its order is its order in time."""
    year, week, _ = day.isocalendar()
    return year * 100 + week


def week_name(week: int) -> str:
    """A week as in 2026-W47."""
    return f"{week // 100:04d}-W{week % 100:02d}"


def differences(before: Mapping[Slice, Sums], after: Mapping[Slice, Sums]) -> dict[Slice, Sums]:
    """What takes the one out of the tables and puts the other in, slices that stay the same left out."""
    found = {place: _difference(place[0], before.get(place), after.get(place)) for place in {*before, *after}}
    return {place: (items, twos) for place, (items, twos) in found.items() if len(items) or len(twos)}


def _difference(scope: str, before: Sums | None, after: Sums | None) -> Sums:
    none = (np.empty((0, item_width(scope)), dtype=np.int64), np.empty((0, TWO_WIDTH), dtype=np.int64))
    items, twos = (_sums(taken, put) for taken, put in zip(before or none, after or none, strict=True))
    return items, twos


def _sums(taken: Ints, put: Ints) -> Ints:
    less = taken.copy()
    less[:, -1] *= -1
    return summed(np.vstack([less, put]))


def summed(rows: Ints) -> Ints:
    """Rows (m, d) with equal ones added up by their last column, in order, none zero."""
    keys = rows[:, :-1]
    order = np.lexsort(keys.T[::-1])
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (keys[order][1:] != keys[order][:-1]).any(axis=1)
    totals = np.zeros(int(is_new.sum()), dtype=np.int64)
    np.add.at(totals, np.cumsum(is_new) - 1, rows[order, -1])
    return np.asarray(np.column_stack([keys[order][is_new], totals])[totals != 0])


def add_changes(rows: Ints, changes: Ints) -> Ints:
    """Sums with the changes added. Raises ValueError where a sum falls below zero: more was taken than had been put."""
    sums = summed(np.vstack([rows, changes]))
    if (sums[:, -1] < 0).any():
        raise ValueError("More was taken out of a table of agreement than had been put in: count it anew.")
    return sums


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


def count_table_of(items: Ints) -> CountTable:
    """Items as kept, as a table of counts whose clusters are the buckets."""
    return CountTable.of_rows(items[:, 1:-1], items[:, -1], items[:, 0])


def pair_table_of(twos: Ints, *, k: int) -> PairTable:
    """Twos as kept, as confusions (p, k, k) by pair."""
    rows = twos[np.lexsort([twos[:, 1], twos[:, 0]])]  # quick, as they are kept in order
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (rows[1:, :2] != rows[:-1, :2]).any(axis=1)
    place, n_pairs = np.cumsum(is_new) - 1, int(is_new.sum())
    sums = np.bincount(place * k * k + rows[:, 2], weights=rows[:, 3], minlength=n_pairs * k * k)
    return PairTable(rows[is_new, :2], sums.astype(np.int64).reshape(n_pairs, k, k))


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
