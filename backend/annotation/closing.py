"""What the review has closed: a pair somebody above the votes has settled takes no change of mind any more.

Who settles pairs is a room above this one, which registers a reader in its AppConfig.ready(), as gauges are.

A hidden control is never settled, and would stand out as the one answer of its page that never closes. It closes with
an ordinary neighbour instead, drawn once and for all, and days are told instead of moments: the two would share one.
Alone on its page it closes with a pair of the HIT before, if that is settled later than the page was sent: nobody is
asked of a pair that is settled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from backend.annotation.models import Assignment, Hit, HitItem
from backend.common.errors import Conflict
from backend.methods.assignment import order_seed


@dataclass(frozen=True)
class Closing:
    """Who settled a pair, by the name to show, and when; people are told the day, UTC."""

    by: str
    at: datetime

    @property
    def on(self) -> date:
        return self.at.astimezone(UTC).date()

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
    """`{(assignment id, position): closing}` of whatever is closed on these pages, asking each reader once, and two
    statements, for pages of controls alone or not: one that came later would be told by it."""
    before = _pairs_before({page.hit_id for page in assignments})
    places = [(page, position) for page in assignments for position in range(1, len(page.shown) + 1)]
    pairs = [_stands_for(page, position, before.get(page.hit_id, ())) for page, position in places]
    settled = _settled(set(pairs))
    return {
        (page.pk, position): closing
        for (page, position), pair in zip(places, pairs, strict=True)
        if (closing := settled.get(pair)) and (pair in page.shown or _is_later(closing, page))
    }


def check_open(assignment: Assignment, position: int) -> None:
    """Raises ReviewClosed where the review has closed what stands at the position."""
    closing = read_closings([assignment]).get((assignment.pk, position))
    if closing is not None:
        raise ReviewClosed(closing.sentence)


def _settled(candidates: Collection[int]) -> dict[int, Closing]:
    return {candidate: closing for reader in _readers for candidate, closing in reader(candidates).items()}


def _stands_for(page: Assignment, position: int, before: Sequence[int]) -> int:
    """The pair whose closing closes the position: its own, or, of a control, another one's, if there is any."""
    own = int(page.shown[position - 1])
    ordinary = [int(pair) for at, pair in enumerate(page.shown, start=1) if str(at) not in page.controls]
    others = ordinary or before
    if str(position) not in page.controls or not others:
        return own
    return others[order_seed(settings.SECRET_KEY, "closing", str(page.pk), position) % len(others)]


def _is_later(closing: Closing, page: Assignment) -> bool:
    return page.submitted_at is not None and closing.at > page.submitted_at


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
