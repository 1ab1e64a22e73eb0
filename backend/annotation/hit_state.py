"""What settling reads of HITs: their places and who is on them, their pairs, and the votes that count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    Exists,
    FilteredRelation,
    JSONField,
    Q,
    QuerySet,
    Value,
)
from django.db.models.expressions import Combinable

from backend.annotation.models import AssignmentStatus, HitItem, Slot
from backend.annotation.selectors import IS_OPEN, counted_judgments
from backend.common.compiled import Ask, CompiledRows
from backend.methods.aggregation import annotator_skill
from backend.projects.models import Project

# id, number, priority; of its holder: status, what the page shows, and what gave way on it
PlaceRow = tuple[int, int, int, str | None, list[int] | None, list[int] | None]
Votes = dict[str, list[float]]  # label: how likely each who said so is right
ItemRow = tuple[int, int, bool, bool]  # id, candidate; whether it is open, and decided
OfHits = Callable[[str], Q]  # those whose field of this name is among the HITs


# Places, items and votes come in one statement, as rows of one width: a kind, the HIT, and what that kind has to say.
# What it has nothing to say of is empty, by its type.
PLACE, ITEM, VOTE = (Value(kind, CharField()) for kind in ("place", "item", "vote"))
NUMBER, YES_OR_NO, WORD, LIST = (Value(None, kind()) for kind in (BigIntegerField, BooleanField, CharField, JSONField))
RECORD = "annotator__standings"
SUBMITTED = AssignmentStatus.SUBMITTED
ALL = Q()


def _rows_of(of_hits: OfHits, project: Any, only: Q | Combinable = ALL) -> QuerySet[Any, Any]:
    places, items, votes = (rows.filter(only) for rows in (_places(of_hits), _items(of_hits), _votes(of_hits, project)))
    return places.union(items, votes, all=True)


def _places(of_hits: OfHits) -> QuerySet[Any, Any]:
    told = ("hit", "pk", "number", "priority", "assignment__status", "assignment__shown", "assignment__gave_way")
    return Slot.objects.filter(of_hits("hit")).order_by().values_list(PLACE, *told, YES_OR_NO, YES_OR_NO)


def _items(of_hits: OfHits) -> QuerySet[Any, Any]:
    items = HitItem.objects.filter(of_hits("hit")).order_by()
    return items.values_list(ITEM, "hit", "pk", "candidate", NUMBER, WORD, LIST, LIST, "is_open", "is_decided")


def _votes(of_hits: OfHits, project: Any) -> QuerySet[Any, Any]:
    recorded = FilteredRelation(RECORD, condition=Q((f"{RECORD}__project", project)))
    votes = counted_judgments(project=project).filter(of_hits("assignment__hit")).annotate(record=recorded).order_by()
    told = ("assignment__hit", "candidate", "record__n_graded", "record__n_failed", "label")
    return votes.values_list(VOTE, *told, LIST, LIST, YES_OR_NO, YES_OR_NO)


def _of_one(ask: type[Ask], only: Q | Combinable = ALL) -> QuerySet[Any, Any]:
    return _rows_of(lambda name: Q((name, ask("hit"))), ask("project"), only)


def _of_full(ask: type[Ask]) -> QuerySet[Any, Any]:
    """Nothing where a place of the HIT is not submitted: the database asks that once, and reads no pair then."""
    return _of_one(ask, ~Exists(Slot.objects.filter(IS_OPEN, hit=ask("hit"))))


# Compiled, as nearly every submit reads the one or the other.
ONE_HIT, FULL_HIT = CompiledRows(_of_one), CompiledRows(_of_full)


@dataclass(frozen=True, eq=False)
class Pair:
    """What stands at an item of a HIT."""

    item_id: int
    candidate_id: int
    is_open: bool
    is_decided: bool
    votes: Votes


@dataclass(frozen=True)
class Places:
    """Of one HIT: on how many pages that people hold each pair stands or gave way, by candidate id; ids of the free by
    number. What gave way is waited for until its page is submitted: a place that was added sooner could be filled under
    the page, which would then end where pages without a control do not.

    `is_full` when every place is one of a page that was submitted; `n_fewest` is how many pairs the shortest page, in
    hand or submitted, shows without its controls.
    """

    last: int
    priority: int
    held: Counter[int]
    free: tuple[int, ...]
    is_full: bool
    n_fewest: int | None

    def n_more(self, missing: dict[Pair, int], *, comes_again: bool) -> int:
        """Places to add; below zero, those over. What is free shows every open pair, what is held those on its page.

        As many as every pair that wants any wants, if the HIT `comes_again` once these are submitted: so no pair is
        shown more often than it wants, and where pages in hand bring one all it wants the others wait for those. Else
        as many as the neediest wants.
        """
        wanted = [max(n - self.held[pair.candidate_id], 0) for pair, n in missing.items() if n]
        n_places = min(wanted, default=0) if comes_again else max(wanted, default=0)
        return n_places - len(self.free)


@dataclass
class HitState:
    """A HIT's places, and every pair of it, open or not."""

    places: Places
    pairs: list[Pair]

    @property
    def is_uneven(self) -> bool:
        """Whether a page does not show all pairs, as that of an imported judgment of one of them: some pairs want more
        than others then, and every page settles the HIT."""
        return self.places.n_fewest is not None and self.places.n_fewest < len(self.pairs)


def read_hits(project: Project, hits: Sequence[int]) -> dict[int, HitState]:
    """By HIT; one statement. Read them while holding the HITs."""
    if len(hits) == 1:
        return _states(hits, ONE_HIT.rows(project=project.pk, hit=hits[0]))
    return _states(hits, _rows_of(lambda name: Q((f"{name}__in", hits)), project))


def read_full_hit(project: Project, hit_id: int) -> dict[int, HitState]:
    """The same of one HIT all of whose places are submitted; nothing of another."""
    rows = FULL_HIT.rows(project=project.pk, hit=hit_id)
    return _states([hit_id] if rows else [], rows)


def _states(hits: Collection[int], rows: Iterable[Any]) -> dict[int, HitState]:
    places: dict[int, list[PlaceRow]] = {hit_id: [] for hit_id in hits}
    items: dict[int, list[ItemRow]] = {hit_id: [] for hit_id in hits}
    votes: dict[int, Votes] = defaultdict(lambda: defaultdict(list))
    for kind, hit_id, *row in rows:
        if kind == "place":
            places[hit_id].append(tuple(row[:6]))
        elif kind == "item":
            items[hit_id].append((row[0], row[1], row[6], row[7]))
        else:
            candidate_id, n_graded, n_failed, label, *_ = row
            votes[candidate_id][label].append(_skill(n_graded, n_failed))
    pairs = {hit_id: [Pair(*item, votes[item[1]]) for item in found] for hit_id, found in items.items()}
    return {hit_id: HitState(_summed(places[hit_id], pairs[hit_id]), pairs[hit_id]) for hit_id in places}


def _summed(rows: Sequence[PlaceRow], of_hit: Iterable[Pair]) -> Places:
    pages = [_pairs(shown, gave_way) for *_, status, shown, gave_way in rows if status not in (None, SUBMITTED)]
    candidates = {pair.candidate_id for pair in of_hit}
    n_shown = [len(candidates.intersection(shown or ())) for *_, status, shown, _ in rows if status is not None]
    return Places(
        last=max((number for _, number, *_ in rows), default=0),
        priority=max((priority for _, _, priority, *_ in rows), default=0),
        held=Counter(candidate_id for pairs in pages for candidate_id in pairs),
        free=tuple(pk for _, pk in sorted((number, pk) for pk, number, _, status, *_ in rows if status is None)),
        is_full=all(status == SUBMITTED for *_, status, _, _ in rows),
        n_fewest=min(n_shown, default=None),
    )


def _pairs(shown: list[int] | None, gave_way: list[int] | None) -> list[int]:
    """Controls among them, which are no pair of the HIT's."""
    return [*(shown or ()), *(gave_way or ())]


def _skill(n_graded: int | None, n_failed: int | None) -> float:
    """From hidden controls; who met none has even odds."""
    return annotator_skill((n_graded or 0) - (n_failed or 0), n_graded or 0)
