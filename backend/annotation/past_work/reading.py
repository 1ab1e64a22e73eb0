"""What a person has submitted, as they saw it: the same items in the same order, and what they say of each today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from backend.annotation.closings import Closing, read_closings
from backend.annotation.models import DONE, Assignment
from backend.annotation.pages import ShownHit, show_assignments
from backend.annotation.selectors import get_assignment
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project


@dataclass(frozen=True)
class PastHit:
    """A submitted page, and by position what the review has closed of it."""

    shown: ShownHit
    closed: Mapping[int, Closing]


def list_past(*, project: Project, user: User) -> QuerySet[Assignment]:
    """What `user` submitted on the project, late or not, newest first: along the index `assignment_done`."""
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE)
    return mine.select_related("project", "hit__image", "hit__query").order_by("-submitted_at", "-id")


def get_past(*, user: User, assignment_id: UUID) -> PastHit:
    """One of the caller's own submitted pages. Raises NotFound for any other."""
    assignment = get_assignment(user=user, assignment_id=assignment_id)
    if assignment.status not in DONE:
        raise NotFound("You did not submit this task yet, so it is not in your past work.", code="not_submitted_yet")
    return show_past(assignments=[assignment])[0]


def show_past(*, assignments: Sequence[Assignment]) -> list[PastHit]:
    """The pages with their items and judgments, in as many statements for fifty as for one."""
    closed = read_closings(assignments)
    return [
        PastHit(shown, {at: each for (pk, at), each in closed.items() if pk == shown.assignment.pk})
        for shown in show_assignments(assignments)
    ]
