"""Judgments become sums: whatever changed about a pair is taken out of the tables as it was and put in as it is.

A judgment is born dirty, and whoever changes whether it counts makes it dirty again, in the same transaction and
without asking whether it is dirty already. Folding takes the pairs of dirty judgments; `is_tallied` says which of their
judgments the sums hold (before), `counted_judgments` which of the dirty ones they should (after). One transaction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from functools import lru_cache

import numpy as np
import structlog
from django.db import connection, transaction
from django.db.models import Count, F, QuerySet, TextField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone
from numpy.typing import NDArray

from backend.annotation.models import Judgment
from backend.annotation.selectors import counted_judgments, unnamed_voters
from backend.candidates.models import Candidate
from backend.methods.agreement import groups_of
from backend.methods.agreement.kept_tables import (
    NOBODY,
    TWO_WIDTH,
    JudgedPairs,
    Slice,
    Sums,
    add_changes,
    contributions,
    differences,
    item_width,
    pack,
    unpack,
    week_of,
)
from backend.methods.consensus import LABELS
from backend.methods.edits import KINDS
from backend.projects.models import Project
from backend.review import selectors
from backend.review.models import AgreementState, AgreementTable

logger = structlog.get_logger(__name__)
MOST, MOST_TWOS = 5000, 1_000_000  # judgments that wait, and twos of judgments of one pair, that are folded at once
KEY, SUMS = ("scope", "value"), ("items", "twos", "version")
NO_EDITS = "[]"
Ints = NDArray[np.int64]
LABEL_PLACE = {str(label): place for place, label in enumerate(LABELS)}


@dataclass(frozen=True)
class Held:
    """Judgments (n,) that this transaction holds, all of their pairs, column by column, with the places of their days
    and labels; NOBODY gave those that were imported without names."""

    ids: Ints
    pairs: Ints
    annotators: Ints
    labels: Ints
    weeks: Ints
    is_tallied: NDArray[np.bool_]
    is_dirty: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)


def fold(*, project: Project, most: int = MOST) -> int:
    """Fold the pairs of the `most` oldest judgments that wait. Returns how many judgments were looked at: 0 where none
    wait or somebody else is folding. Sums that turn out wrong are thrown away and counted anew."""
    try:
        return _fold(project, most)
    except ValueError:
        logger.exception("agreement_tables_wrong", project=project.slug)
        recount(project=project)
        return 0


@transaction.atomic
def recount(*, project: Project) -> None:
    """Empty the project's tables; all its judgments wait to be folded again."""
    AgreementState.objects.get_or_create(project=project)
    AgreementState.objects.select_for_update().get(project=project)
    AgreementTable.objects.filter(project=project).delete()
    Judgment.objects.filter(candidate__project=project).update(is_dirty=True, is_tallied=False)


@transaction.atomic
def _fold(project: Project, most: int) -> int:
    AgreementState.objects.get_or_create(project=project)
    state = AgreementState.objects.select_for_update(skip_locked=True).filter(project=project).first()
    pairs = selectors.list_waiting_pairs(project=project, most=most) if state else []
    if state is None or not pairs:
        return 0
    held, edits = _hold(project, _at_once(pairs))
    after = _counting(project, held)
    moved = after != held.is_tallied
    if moved.any():
        _apply(project, _differences(held, after, moved, edits))
    _mark(held, moved)
    AgreementState.objects.filter(pk=state.pk).update(folded_at=timezone.now())
    return len(held)


def _at_once(pairs: Sequence[int]) -> Sequence[int]:
    """The first of them, so many that not too many twos are made of their judgments; one at least."""
    of_pairs = Judgment.objects.filter(candidate_id__in=in_one(pairs)).order_by()
    n_judged = dict(of_pairs.values_list("candidate_id").annotate(n=Count("pk")))
    n_twos = np.cumsum([n_judged.get(pair, 0) ** 2 // 2 for pair in pairs])
    return pairs[: max(1, int(np.searchsorted(n_twos, MOST_TWOS, side="right")))]


def _hold(project: Project, pairs: Sequence[int]) -> tuple[Held, dict[int, frozenset[str]]]:
    """All judgments of each pair, locked, and what kinds of edits they have. A pair with a judgment in somebody else's
    hands waits for the next time: folding never waits for a row, so that it can stand in nobody's way for good."""
    of_pairs = Judgment.objects.filter(candidate_id__in=in_one(pairs)).order_by()
    dated = of_pairs.annotate(day=TruncDate("created_at", tzinfo=UTC)).select_for_update(skip_locked=True)
    columns = ("pk", "candidate_id", "annotator_id", "label", "day", "is_tallied", "is_dirty")
    rows = np.array(
        [
            (pk, pair, person, LABEL_PLACE[label], _week_of(day), is_tallied, is_dirty)
            for pk, pair, person, label, day, is_tallied, is_dirty in dated.values_list(*columns)
        ],
        dtype=np.int64,
    ).reshape(-1, len(columns))
    edits, others = _look_again(of_pairs, set(rows[:, 0].tolist()))
    whole = rows[~np.isin(rows[:, 1], others)]
    ids, of_pair, annotators, labels, weeks = whole[:, :5].T
    people = only_named(project, annotators)
    return Held(ids, of_pair, people, labels, weeks, whole[:, 5] == 1, whole[:, 6] == 1), edits


def only_named(project: Project, annotators: Ints) -> Ints:
    """The annotators, NOBODY in place of those who stand for votes without names."""
    unnamed = np.array(unnamed_voters(project=project), dtype=np.int64)
    return np.where(np.isin(annotators, unnamed), NOBODY, annotators)


def _look_again(of_pairs: QuerySet[Judgment], held: set[int]) -> tuple[dict[int, frozenset[str]], list[int]]:
    """The kinds of edits of each judgment that has any, and the pairs with a judgment that is not held."""
    edits, others = dict[int, frozenset[str]](), list[int]()
    for pk, pair, said in of_pairs.values_list("pk", "candidate_id", Cast("edits", TextField())):
        if said != NO_EDITS:
            edits[pk] = frozenset(edit["kind"] for edit in json.loads(said)).intersection(KINDS)
        if pk not in held:
            others.append(pair)
    return edits, others


def _counting(project: Project, held: Held) -> NDArray[np.bool_]:
    """Which of them count. A clean one counts as it did: whoever changes that makes it dirty."""
    dirty = held.ids[held.is_dirty].tolist()
    counting = counted_judgments(project=project).filter(pk__in=in_one(dirty)).order_by()
    return np.asarray(
        np.where(held.is_dirty, np.isin(held.ids, list(counting.values_list("pk", flat=True))), held.is_tallied)
    )


def _differences(
    held: Held, after: NDArray[np.bool_], moved: NDArray[np.bool_], edits: Mapping[int, frozenset[str]]
) -> dict[Slice, Sums]:
    """What changes in the tables by the pairs of which a judgment `moved`: out as they were, in as they are."""
    known, place = np.unique(held.pairs, return_inverse=True)
    changed = np.bincount(place, weights=moved, minlength=len(known))[place] > 0
    places = places_of(known[np.unique(place[changed])].tolist())
    told = [places.get(pair, (0, "")) for pair in known.tolist()]
    kinds = {kind: _would_edit(held, edits, kind) for kind in sorted(set().union(*edits.values()))}
    judged = JudgedPairs(
        groups_of(np.array([number for number, _ in told], dtype=np.int64)),
        np.array([source for _, source in told]),
        place, held.annotators, held.labels, held.weeks, kinds,
    )  # fmt: skip
    was, now = (contributions(judged.only(changed & counts)) for counts in (held.is_tallied, after))
    return differences(was, now)


def _would_edit(held: Held, edits: Mapping[int, frozenset[str]], kind: str) -> NDArray[np.bool_]:
    return np.isin(held.ids, [pk for pk, kinds in edits.items() if kind in kinds])


def places_of(pairs: Iterable[int]) -> dict[int, tuple[int, str]]:
    """The number of each pair's query where it has one and else of its image, which `groups_of` lays into buckets, and
    its source."""
    facts = Candidate.objects.filter(pk__in=in_one(pairs)).order_by()
    told = facts.values_list("pk", "source", "image__digest", "query__text")
    return {pk: (_number(digest, query), source) for pk, source, digest, query in told}


def _number(digest: str, query: str | None) -> int:
    """Of 64 bits, the first of them its sign."""
    digits = (hashlib.sha256(query.encode()).hexdigest() if query else digest)[:16]
    return int.from_bytes(bytes.fromhex(digits), signed=True)


@lru_cache(maxsize=1000)
def _week_of(day: date) -> int:
    return week_of(day)


def _apply(project: Project, changes: Mapping[Slice, Sums]) -> None:
    scopes, values = {scope for scope, _ in changes}, {value for _, value in changes}
    tables = AgreementTable.objects.filter(project=project, scope__in=scopes, value__in=values).only(*KEY, *SUMS)
    known: dict[Slice, AgreementTable] = {(table.scope, table.value): table for table in tables}
    changed = [_changed(project, place, known.get(place), changes[place]) for place in sorted(changes)]
    AgreementTable.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["project", *KEY], update_fields=SUMS
    )


def _changed(project: Project, place: Slice, earlier: AgreementTable | None, changes: Sums) -> AgreementTable:
    """The slice with its sums as they were `earlier`, if they were, and what changed."""
    table = AgreementTable(project=project, scope=place[0], value=place[1])
    old = earlier or table
    table.items = pack(add_changes(unpack(old.items, width=item_width(table.scope)), changes[0]))
    table.twos = pack(add_changes(unpack(old.twos, width=TWO_WIDTH), changes[1]))
    table.version = old.version + 1
    return table


def _mark(held: Held, moved: NDArray[np.bool_]) -> None:
    """Every row is clean now, and those that moved are in the sums if they were not."""
    for rows, change in ((held.is_dirty & ~moved, {}), (moved, {"is_tallied": ~F("is_tallied")})):
        if rows.any():
            Judgment.objects.filter(pk__in=in_one(held.ids[rows].tolist())).update(is_dirty=False, **change)


def in_one(ids: Iterable[int]) -> RawSQL:
    """Ids for `__in` as a single parameter: of a few thousand parameters the reading costs more than the looking up."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(ids))])
