"""What the review has closed: a pair somebody above the votes has settled takes no change of mind any more.

Who settles pairs is a room above this one, which registers a reader in its AppConfig.ready(), as gauges are.

A hidden control is never settled, and would stand out as the one answer of its page that never closes. It closes with
an ordinary neighbour instead, drawn once and for all, and days are told instead of moments: the two would share one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import date

from django.conf import settings

from backend.annotation.models import Assignment
from backend.common.errors import Conflict
from backend.methods.assignment import order_seed


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
    settled = _settled({candidate for assignment in assignments for candidate in assignment.shown})
    found: dict[tuple[object, int], Closing] = {}
    for assignment in assignments:
        for position in range(1, len(assignment.shown) + 1):
            closing = settled.get(_stands_for(assignment, position))
            if closing is not None:
                found[assignment.pk, position] = closing
    return found


def check_open(assignment: Assignment, position: int) -> None:
    """Raises ReviewClosed where the review has closed what stands at the position."""
    closing = read_closings([assignment]).get((assignment.pk, position))
    if closing is not None:
        raise ReviewClosed(closing.sentence)


def _settled(candidates: Collection[int]) -> dict[int, Closing]:
    return {candidate: closing for reader in _readers for candidate, closing in reader(candidates).items()}


def _stands_for(assignment: Assignment, position: int) -> int:
    """The pair whose closing closes the position: its own, or a control's neighbour where it has one."""
    own = int(assignment.shown[position - 1])
    ordinary = [pair for at, pair in enumerate(assignment.shown, start=1) if str(at) not in assignment.controls]
    if str(position) not in assignment.controls or not ordinary:
        return own
    return int(ordinary[order_seed(settings.SECRET_KEY, "closing", str(assignment.pk), position) % len(ordinary)])
