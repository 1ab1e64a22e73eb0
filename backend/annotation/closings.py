"""What the review has closed: a page of which somebody above the votes has settled a pair takes no change of mind.

Who settles pairs is a room above this one, which registers its readers in its AppConfig.ready(), as counters are.

A control is never decided, and would stand out as the one answer of its page that never closes. So a page closes as a
whole, at all places by the same decision.

A remark asks for another mind, so its place stays open until the pair there is settled. Remarks never stand on
controls: whoever has one knows that already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from backend.annotation.models import Assignment
from backend.common.errors import Conflict


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
        return ReviewClosed(params=self.params).message

    @property
    def params(self) -> dict[str, str]:
        return {"by": self.by, "on": self.on.isoformat()}


Place = tuple[UUID, int]
"""An assignment's id and a position on its page."""
Reader = Callable[[Collection[int]], Mapping[int, Closing]]
Asker = Callable[[Collection[UUID]], Collection[Place]]
_readers: list[Reader] = []
_askers: list[Asker] = []


class ReviewClosed(Conflict):
    """{by} decided on an answer in this task on {on}. Your answers stay as they are."""

    code = "review_closed"


def register_closing(reader: Reader) -> None:
    """Let `reader` be asked which of some candidates are settled; registering twice changes nothing."""
    if reader not in _readers:
        _readers.append(reader)


def register_asking(asker: Asker) -> None:
    """Let `asker` be asked at which places of some assignments the person was asked for another mind."""
    if asker not in _askers:
        _askers.append(asker)


def read_closings(assignments: Collection[Assignment]) -> dict[Place, Closing]:
    """What closes each place of these pages that is closed."""
    settled = _settled({pair for page in assignments for pair in page.shown})
    asked = _asked({page.pk for page in assignments})
    found: dict[Place, Closing] = {}
    for page in assignments:
        first = _first_on(page, settled)
        for position, pair in enumerate(page.shown, start=1):
            place = (page.pk, position)
            closing = settled.get(pair) if place in asked else first
            if closing is not None:
                found[place] = closing
    return found


def check_open(assignment: Assignment, position: int) -> None:
    """Raises ReviewClosed where the review has closed what stands at the position."""
    closing = read_closings([assignment]).get((assignment.pk, position))
    if closing is not None:
        raise ReviewClosed(params=closing.params)


def _settled(candidates: Collection[int]) -> dict[int, Closing]:
    return {candidate: closing for reader in _readers for candidate, closing in reader(candidates).items()}


def _asked(assignments: Collection[UUID]) -> set[Place]:
    return {place for asker in _askers for place in asker(assignments)}


def _first_on(page: Assignment, settled: Mapping[int, Closing]) -> Closing | None:
    """The first word on a pair of the page."""
    closings = [settled[pair] for pair in page.shown if pair in settled]
    return min(closings, key=lambda closing: (closing.at, closing.by), default=None)
