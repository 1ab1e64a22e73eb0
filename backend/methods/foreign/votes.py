"""Votes whose voters are not named: for each of our labels of a pair, or for an item's own labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backend.methods.consensus import LABELS
from backend.methods.foreign.bounds import check_labels
from backend.methods.foreign.labels import one_spelling
from backend.methods.foreign.shapes import ItemVotes, PairVotes
from backend.methods.foreign.told import NOBODY, NotJudgmentsError, Told, Why

EMPTY_QUERY = Why("row_empty_query", "This query has no image.")
FEW_VOTES = 1000  # of one kind: where every kind of every pair has more, the numbers are no votes
MOST_VOTES = 10**9  # of one kind for one pair: what pairs of voters come to still fits 64 bits


def pair_votes(told: Sequence[tuple[str, str, Any]], *, empty: Sequence[str]) -> PairVotes:
    """Of (query, image, votes); `empty` are queries under which nothing stands. Raises NotJudgmentsError."""
    votes = [_votes(query, image, value) for query, image, value in told]
    if not any(map(any, votes)):
        raise NotJudgmentsError("No pair has a vote.")
    if min(min(each) for each in votes) > FEW_VOTES:
        raise NotJudgmentsError("These lists look like ids, and not like numbers of votes, because all are large.")
    queries, images, _ = zip(*told, strict=True)
    nothing = [Told(f"query {name}", "", "", "", why_not=EMPTY_QUERY) for name in empty]
    return PairVotes(np.array(votes, dtype=np.int64), queries, images, tuple(nothing))


def _votes(query: str, image: str, value: Any) -> tuple[int, ...]:
    """Votes of a pair; whole numbers may be written as text or with a point."""
    votes = tuple(map(_count, value)) if isinstance(value, list) else ()
    if len(votes) != len(LABELS) or None in votes:
        raise NotJudgmentsError(
            "Votes are three whole numbers for a pair: relevant, non-relevant, unsure. The votes of query "
            f"{query} and image {image} are {str(value)[:80]}."
        )
    return tuple(n for n in votes if n is not None)


def _count(value: Any) -> int | None:
    """A number of votes, None where it is none."""
    if isinstance(value, str):
        value = int(value) if value.strip().isascii() and value.strip().isdigit() and len(value) < 12 else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MOST_VOTES:
        return None
    return int(value) if value == int(value) else None


def item_votes(votes: Mapping[str, Mapping[str, Any]]) -> ItemVotes:
    """Of items how many voted for each label, VALSE's. Raises NotJudgmentsError."""
    labels = sorted({str(label) for each in votes.values() for label in each})
    if not labels:
        raise NotJudgmentsError("No item has a vote.")
    check_labels(len(labels), len(votes))
    table = [[_count(each.get(label, 0)) for label in labels] for each in votes.values()]
    if wrong := [item for item, row in zip(votes, table, strict=True) if None in row]:
        raise NotJudgmentsError(f"Votes are whole numbers by label. The votes of {wrong[0]} are not.")
    return _voted(table, tuple(labels), tuple(votes))


def scores_as_votes(scores: Mapping[str, Sequence[Any]]) -> ItemVotes:
    """Scores of raters who are not named, as votes for the points of their scale, TIFA's. Raises
    NotJudgmentsError."""
    if not all(type(score) in (int, float) and abs(score) <= MOST_VOTES for each in scores.values() for score in each):
        raise NotJudgmentsError("Scores must be numbers on one scale.")
    points = sorted({score for each in scores.values() for score in each})
    if not points:
        raise NotJudgmentsError("No item has a score.")
    check_labels(len(points), len(scores))
    table = [[list(each).count(point) for point in points] for each in scores.values()]
    return _voted(table, tuple(one_spelling(str(point)) for point in points), tuple(scores), is_ordered=True)


def _voted(
    table: Sequence[Sequence[int | None]], labels: tuple[str, ...], items: tuple[str, ...], *, is_ordered: bool = False
) -> ItemVotes:
    """The items that have votes; the others are told. Raises NotJudgmentsError where none has."""
    counts = np.array(table, dtype=np.int64)
    has_votes = np.asarray(counts.sum(axis=1) > 0)
    if not has_votes.any():
        raise NotJudgmentsError("No item has a vote.")
    left_out = [Told(items[n], items[n], "", "", why_not=NOBODY) for n in np.flatnonzero(~has_votes)]
    kept = tuple(items[n] for n in np.flatnonzero(has_votes))
    return ItemVotes(counts[has_votes], labels, kept, is_ordered, tuple(left_out))
