"""What the review has closed: a pair somebody above the votes has settled takes no change of mind any more.

Who settles pairs is a room above this one, which registers a reader in its AppConfig.ready(), as gauges are.

A hidden control is never settled, and would stand out as the answer that never closes. It closes with a pair of the
HIT before its own instead, drawn once and for all: were it one of its own page, no page would close at one place alone
that has a control, and at two by chance so seldom. It closes as well once all others of its page have, as they do
where a whole image is settled at once. Days are told instead of moments, which two places would share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from backend.annotation.models import Assignment, Hit, HitItem
from backend.common.errors import Conflict
from backend.methods.assignment import order_seed

FEWEST = 2  # other pairs on a page that close all of it


@dataclass(frozen=True)
class Closing:
    """Who settled a pair, by the name to show, and on which day, UTC."""

    by: str
    on: date

    @property
    def sentence(self) -> str:
        return f"{self.by} settled this one on {self.on.day} {self.on:%B %Y}, so what you said stays as it is."


Reader = Callable[[Collection[int]], Mapping[int, Closing]]
_readers: list[Reader] = []


class ReviewClosed(Conflict):
    """This one is settled, so what you said stays as it is."""

    code = "review_closed"


def register_closing(reader: Reader) -> None:
    """Let `reader` be asked which of some candidates are closed; registering twice changes nothing."""
    if reader not in _readers:
        _readers.append(reader)


def read_closings(assignments: Collection[Assignment]) -> dict[tuple[object, int], Closing]:
    """`{(assignment id, position): closing}` of whatever is closed on these pages, asking each reader once."""
    twins = _twins(assignments)
    settled = _settled({*twins.values(), *(candidate for page in assignments for candidate in page.shown)})
    found: dict[tuple[object, int], Closing] = {}
    for page in assignments:
        own = {position: settled.get(candidate) for position, candidate in enumerate(page.shown, start=1)}
        ordinary = [closing for position, closing in own.items() if str(position) not in page.controls]
        for position in map(int, page.controls):
            own[position] = settled.get(twins.get((page.pk, position), 0)) or _of_all(ordinary)
        found |= {(page.pk, position): closing for position, closing in own.items() if closing}
    return found


def check_open(assignment: Assignment, position: int) -> None:
    """Raises ReviewClosed where the review has closed what stands at the position."""
    closing = read_closings([assignment]).get((assignment.pk, position))
    if closing is not None:
        raise ReviewClosed(closing.sentence)


def _settled(candidates: Collection[int]) -> dict[int, Closing]:
    return {candidate: closing for reader in _readers for candidate, closing in reader(candidates).items()}


def _of_all(closings: Sequence[Closing | None]) -> Closing | None:
    """The last, where all are closed; a page of so few that one closes by chance says nothing."""
    days = [closing for closing in closings if closing]
    return max(days, key=lambda closing: closing.on) if len(days) == len(closings) >= FEWEST else None


def _twins(assignments: Collection[Assignment]) -> dict[tuple[object, int], int]:
    """`{(assignment id, position): pair}` with which each control closes. Two statements, for pages without controls
    too: one that came sooner would tell that it has none."""
    pairs = _pairs_before({page.hit_id for page in assignments})
    places = [(page, int(position)) for page in assignments for position in page.controls]
    return {(page.pk, at): _drawn(page, at, there) for page, at in places if (there := pairs.get(page.hit_id))}


def _drawn(page: Assignment, position: int, pairs: Sequence[int]) -> int:
    return pairs[order_seed(settings.SECRET_KEY, "closing", str(page.pk), position) % len(pairs)]


def _pairs_before(hits: Collection[int]) -> dict[int, list[int]]:
    """By HIT the pairs of the one that was built before it; of the first one those of the second."""
    others = Hit.objects.filter(project=OuterRef("project"))
    before = others.filter(pk__lt=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    after = others.filter(pk__gt=OuterRef("pk")).order_by("pk").values("pk")[:1]
    rows = Hit.objects.filter(pk__in=hits).order_by().values_list("pk", Coalesce(Subquery(before), Subquery(after)))
    beside = dict(rows)
    items = HitItem.objects.filter(hit__in=set(beside.values())).order_by("pk").values_list("hit", "candidate")
    there = defaultdict[int, list[int]](list)
    for hit, candidate in items:
        there[hit].append(candidate)
    return {hit: there[other] for hit, other in beside.items()}
