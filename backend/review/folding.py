"""Judgments become sums: whatever changed about a pair is taken out of the tables as it was and put in as it is.

A judgment is born dirty, and whoever changes whether it counts makes it dirty again, in the same transaction and
without asking whether it is dirty already. Folding takes the pairs of dirty judgments; `is_tallied` says which of their
judgments the sums hold (before), `counted_judgments` which they should (after). All of it is one transaction.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import structlog
from django.db import connection, transaction
from django.db.models import F
from django.db.models.expressions import RawSQL
from django.db.models.functions import TruncDate
from django.utils import timezone

from backend.annotation.models import Judgment
from backend.annotation.selectors import counted_judgments
from backend.candidates.models import Candidate
from backend.methods.agreement import groups_of
from backend.methods.agreement.kept_tables import (
    TWO_WIDTH,
    JudgedPair,
    Slice,
    Tally,
    Vote,
    add_changes,
    item_width,
    pack,
    unpack,
)
from backend.methods.consensus import LABELS
from backend.methods.edits import KINDS
from backend.projects.models import Project
from backend.review import selectors
from backend.review.models import AgreementState, AgreementTable

logger = structlog.get_logger(__name__)
MOST = 5000
KEY, SUMS = ("scope", "value"), ("items", "twos", "version")
NO_EDITS = frozenset[str]()
LABEL_PLACE = {str(label): place for place, label in enumerate(LABELS)}


class Row(NamedTuple):
    """What folding reads of a judgment."""

    pk: int
    candidate_id: int
    annotator_id: int
    label: str
    day: date
    is_tallied: bool


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
    rows = _hold_rows(pairs)
    if state is None or not rows:
        return 0
    counting = counted_judgments(project=project).filter(candidate_id__in=in_one(rows)).order_by()
    after = set(counting.values_list("pk", flat=True))
    _apply(project, _differences(rows, after))
    _mark([row for of_pair in rows.values() for row in of_pair], after)
    AgreementState.objects.filter(pk=state.pk).update(folded_at=timezone.now())
    return sum(map(len, rows.values()))


def _hold_rows(pairs: Sequence[int]) -> dict[int, list[Row]]:
    """All judgments of each pair, locked. A pair with a judgment in somebody else's hands waits for the next time:
    folding never waits for a row, so that it can stand in nobody's way for good."""
    of_pairs = Judgment.objects.filter(candidate_id__in=in_one(pairs)).order_by()
    dated = of_pairs.annotate(day=TruncDate("created_at", tzinfo=UTC))
    held = dated.select_for_update(skip_locked=True).values_list(*Row._fields)
    rows: dict[int, list[Row]] = defaultdict(list)
    for row in map(Row._make, held):
        rows[row.candidate_id].append(row)
    seen = {row.pk for of_pair in rows.values() for row in of_pair}
    for pk, candidate_id in of_pairs.values_list("pk", "candidate_id"):
        if pk not in seen:
            rows.pop(candidate_id, None)
    return dict(rows)


def _differences(rows: Mapping[int, list[Row]], after: set[int]) -> Tally:
    """What changes in the tables, pair by pair: out as it was, in as it is."""
    tally, places, edits = Tally(), places_of(rows), _edits_of(rows)
    vote = partial(_vote, edits)
    for candidate_id, of_pair in rows.items():
        before, now = [row for row in of_pair if row.is_tallied], [row for row in of_pair if row.pk in after]
        if [row.pk for row in before] != [row.pk for row in now]:
            bucket, source = places[candidate_id]
            tally.count(JudgedPair(bucket, source, tuple(map(vote, before))), times=-1)
            tally.count(JudgedPair(bucket, source, tuple(map(vote, now))), times=1)
    return tally


def places_of(pairs: Iterable[int]) -> dict[int, tuple[int, str]]:
    """The bucket of each pair, from its query where it has one and else from its image, and its source."""
    facts = Candidate.objects.filter(pk__in=in_one(pairs)).order_by()
    told = list(facts.values_list("pk", "source", "image__digest", "query__text"))
    numbers = np.array([_number(digest, query) for _, _, digest, query in told], dtype=np.uint64)
    return {pk: (int(bucket), source) for (pk, source, _, _), bucket in zip(told, groups_of(numbers), strict=True)}


def _number(digest: str, query: str | None) -> int:
    return int((hashlib.sha256(query.encode()).hexdigest() if query else digest)[:16], 16)


def _edits_of(pairs: Iterable[int]) -> dict[int, frozenset[str]]:
    """The kinds of edits of each judgment that has any: few have."""
    edited = Judgment.objects.filter(candidate_id__in=in_one(pairs)).exclude(edits=[]).order_by()
    rows = edited.values_list("pk", "edits")
    return {pk: frozenset(edit["kind"] for edit in edits).intersection(KINDS) for pk, edits in rows}


def _vote(edits: Mapping[int, frozenset[str]], row: Row) -> Vote:
    return Vote(row.annotator_id, LABEL_PLACE[row.label], week_of(row.day), edits.get(row.pk, NO_EDITS))


@lru_cache(maxsize=1000)
def week_of(day: date) -> str:
    """The ISO week of a day, such as 2026-W47: its order by name is its order in time."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def _apply(project: Project, tally: Tally) -> None:
    slices = tally.slices
    names = {scope for scope, _ in slices}
    tables = AgreementTable.objects.filter(project=project, scope__in=names, value__in={value for _, value in slices})
    known: dict[Slice, AgreementTable] = {(table.scope, table.value): table for table in tables.only(*KEY, *SUMS)}
    changed = [
        _changed(AgreementTable(project=project, scope=scope, value=value), known.get((scope, value)), tally)
        for scope, value in sorted(slices)
    ]
    AgreementTable.objects.bulk_create(
        changed, update_conflicts=True, unique_fields=["project", *KEY], update_fields=SUMS
    )


def _changed(table: AgreementTable, earlier: AgreementTable | None, tally: Tally) -> AgreementTable:
    """The slice with its sums as they were `earlier`, if they were, and what changed."""
    place, old = (table.scope, table.value), earlier or table
    table.items = pack(add_changes(unpack(old.items, width=item_width(table.scope)), tally.items[place]))
    table.twos = pack(add_changes(unpack(old.twos, width=TWO_WIDTH), tally.twos[place]))
    table.version = old.version + 1
    return table


def _mark(rows: Sequence[Row], after: set[int]) -> None:
    """Every row is clean now, and those of `after` are in the sums."""
    clean = [row.pk for row in rows if row.is_tallied == (row.pk in after)]
    moved = [row.pk for row in rows if row.is_tallied != (row.pk in after)]
    Judgment.objects.filter(pk__in=in_one(clean), is_dirty=True).update(is_dirty=False)
    Judgment.objects.filter(pk__in=in_one(moved)).update(is_dirty=False, is_tallied=~F("is_tallied"))


def in_one(ids: Iterable[int]) -> RawSQL:
    """Ids for `__in` as a single parameter: of a few thousand parameters the reading costs more than the looking up."""
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(ids))])
