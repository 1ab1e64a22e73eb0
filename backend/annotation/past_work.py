"""The past work of an annotator: the tasks that they submitted, narrowed to the answers that they look for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from django.db.models import Exists, OuterRef, QuerySet

from backend.annotation.closings import has_feedback, read_closings
from backend.annotation.models import DONE, Assignment, Judgment
from backend.annotation.shown_hits import ShownHit, show_assignments
from backend.people.models import User
from backend.projects.models import Project

State = Literal["feedback", "revised"]
STATES: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class PastFilter:
    """Which answers of past work are shown; without any of these, all."""

    label: str = ""
    state: State | Literal[""] = ""
    q: str = ""

    def __bool__(self) -> bool:
        return bool(self.label or self.state or self.q.strip())


EVERYTHING = PastFilter()


def list_past(*, project: Project, user: User, wanted: PastFilter) -> QuerySet[Assignment]:
    """What the user submitted in the project, also late, newest first, where an answer is wanted."""
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE)
    if wanted:
        mine = mine.filter(Exists(_answers(wanted).filter(assignment=OuterRef("pk"))))
    return mine.select_related("project", "hit__image", "hit__query").order_by("-submitted_at", "-id")


def show_past(assignments: Sequence[Assignment], wanted: PastFilter = EVERYTHING) -> list[ShownHit]:
    """Submitted assignments with judgments and closings, and with the wanted items alone.

    The number of statements does not grow with them.
    """
    shown = show_assignments(assignments, read_closings(assignments))
    if not wanted:
        return shown
    places = set(_answers(wanted).filter(assignment__in=assignments).values_list("assignment", "position"))
    return [
        replace(hit, items=[item for item in hit.items if (each.pk, item.position) in places])
        for each, hit in zip(assignments, shown, strict=True)
    ]


def _answers(wanted: PastFilter) -> QuerySet[Judgment]:
    """The newest answers that are wanted, of everybody."""
    found = Judgment.objects.filter(superseded_by=None).order_by()
    if wanted.label:
        found = found.filter(label=wanted.label)
    if words := wanted.q.strip():
        found = found.filter(candidate__text__icontains=words)
    if wanted.state == "revised":
        return found.filter(supersedes__isnull=False)
    if wanted.state == "feedback":
        return found.filter(has_feedback(OuterRef("assignment"), OuterRef("position")))
    return found
