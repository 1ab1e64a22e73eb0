"""The kept tables: what is packed comes back, what was never put in cannot be taken out, and noes are filled in."""

from __future__ import annotations

import doctest

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from backend.methods.agreement import kept_tables
from backend.methods.agreement.kept_tables import (
    OVERALL,
    JudgedPairs,
    add_changes,
    contributions,
    count_table_of,
    differences,
    pack,
    pair_table_of,
    summed,
    unpack,
    with_unedited_items,
    with_unedited_twos,
)

ROWS = st.integers(0, 30).flatmap(lambda n: arrays.arrays(np.int64, (n, 4), elements=st.integers(0, 3)))


def judged(said: np.ndarray, would: np.ndarray) -> JudgedPairs:
    """Rows are annotators, columns pairs; -1 where nobody was asked."""
    people, pairs = np.nonzero(said >= 0)
    return JudgedPairs(
        np.arange(said.shape[1]) % 4, np.array(["human", "web"])[np.arange(said.shape[1]) % 2], pairs, people + 1,
        said[people, pairs], 202640 + people, {"color": would[people, pairs]},
    )  # fmt: skip


SAID = arrays.arrays(np.int64, (4, 6), elements=st.integers(-1, 2))
WOULD = arrays.arrays(np.bool_, (4, 6))


def test_the_example_holds() -> None:
    assert doctest.testmod(kept_tables).failed == 0


@given(ROWS)
def test_what_is_packed_comes_back(rows: np.ndarray) -> None:
    assert np.array_equal(unpack(pack(rows), width=4), rows)
    assert unpack(b"", width=4).shape == (0, 4)


@given(SAID, WOULD, SAID, WOULD)
def test_the_difference_of_two_states_leads_from_one_to_the_other(
    said: np.ndarray, would: np.ndarray, later: np.ndarray, then: np.ndarray
) -> None:
    before, after = contributions(judged(said, would)), contributions(judged(later, then))
    for place, changes in differences(before, after).items():
        for at in (0, 1):
            old = summed(before[place][at]) if place in before else np.empty((0, changes[at].shape[1]), dtype=np.int64)
            new = summed(after[place][at]) if place in after else np.empty((0, changes[at].shape[1]), dtype=np.int64)
            assert np.array_equal(add_changes(old, changes[at]), new)


def test_more_cannot_be_taken_out_than_was_put_in() -> None:
    with pytest.raises(ValueError, match="count it anew"):
        add_changes(np.array([[7, 1, 0, 2]]), np.array([[7, 1, 0, -3]]))


@given(SAID, WOULD)
def test_pairs_that_nobody_would_edit_are_filled_in_as_noes(said: np.ndarray, would: np.ndarray) -> None:
    sums = contributions(judged(said, would))
    items, twos = sums.get(OVERALL, (np.empty((0, 5), dtype=np.int64), np.empty((0, 4), dtype=np.int64)))
    nothing = (np.empty((0, 4), dtype=np.int64), np.empty((0, 4), dtype=np.int64))
    edited = sums.get(("edit", "color"), nothing)
    is_asked = said >= 0
    counts = np.column_stack([(is_asked & ~would).sum(axis=0), (is_asked & would).sum(axis=0)])
    whole = kept_tables.CountTable.of_items(counts[counts.any(axis=1)], clusters=(np.arange(6) % 4)[counts.any(axis=1)])
    assert with_unedited_items(edited[0], items) == whole
    filled = with_unedited_twos(edited[1], twos)
    for (first, second), confusion in zip(filled.pairs.tolist(), filled.confusions, strict=True):
        both = is_asked[first - 1] & is_asked[second - 1]
        anew = np.zeros((2, 2), dtype=np.int64)
        np.add.at(anew, (would[first - 1, both].astype(int), would[second - 1, both].astype(int)), 1)
        assert np.array_equal(confusion, anew)
    assert count_table_of(items).times.sum() == is_asked.any(axis=0).sum()
    assert pair_table_of(twos, k=3).confusions.sum() == twos[:, -1].sum()
