"""Which answers of an assignment are closed, because a head annotator decided on a pair of it.

The rooms that decide add their readers in AppConfig.ready().

A control is never decided, so it would be the one answer that never closes. Therefore an assignment closes as a whole,
with the earliest decision. Only a position with feedback stays open until its own pair is decided: the feedback asks
for another answer, and controls never have feedback.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from backend.annotation.models import Assignment, Judgment
from backend.common.errors import Conflict

Place = tuple[UUID, int]
"""The id of an assignment and a position in it."""


class ReviewClosed(Conflict):
    """{by} decided on an answer in this task on {on}. Your answers stay as they are."""

    code = "review_closed"


@dataclass(frozen=True)
class Closing:
    """Who decided on a pair, by their shown name, and when; annotators read the day, UTC."""

    by: str
    at: datetime

    @property
    def on(self) -> date:
        return self.at.astimezone(UTC).date()

    @property
    def sentence(self) -> str:
        return ReviewClosed(params=self.params).message

    @property
    def params(self) -> dict[str, str]:
        return {"by": self.by, "on": self.on.isoformat()}


ClosingReader = Callable[[Collection[int]], Mapping[int, Closing]]
Asker = Callable[[], QuerySet[Judgment]]
readers: list[ClosingReader] = []  # say which of some candidates are decided
askers: list[Asker] = []  # say which answers have feedback


def read_closings(assignments: Collection[Assignment]) -> dict[Place, Closing]:
    """The closing of each position of these assignments that is closed."""
    pairs, ids = {pair for each in assignments for pair in each.shown}, {each.pk for each in assignments}
    decided = {pair: closing for reader in readers for pair, closing in reader(pairs).items()}
    asked = {
        place for asker in askers for place in asker().filter(assignment__in=ids).values_list("assignment", "position")
    }
    found: dict[Place, Closing] = {}
    for each in assignments:
        closings = [decided[pair] for pair in each.shown if pair in decided]
        first = min(closings, key=lambda closing: (closing.at, closing.by), default=None)
        for position, pair in enumerate(each.shown, start=1):
            closing = decided.get(pair) if (each.pk, position) in asked else first
            if closing is not None:
                found[each.pk, position] = closing
    return found


def has_feedback(assignment: OuterRef, position: OuterRef) -> Q:
    """Whether an answer at this position of this assignment has feedback, in a query of answers.

    The feedback stays on the answer that it was written about, also when a newer one replaced it.
    """
    asked = [Q(Exists(asker().filter(assignment=assignment, position=position))) for asker in askers]
    return reduce(or_, asked, Q(pk__in=()))


def check_open(assignment: Assignment, position: int) -> None:
    """Raises ReviewClosed if the answer at the position is closed."""
    closing = read_closings([assignment]).get((assignment.pk, position))
    if closing is not None:
        raise ReviewClosed(params=closing.params)
