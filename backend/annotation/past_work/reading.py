"""What a person has submitted, as they saw it: the same items in the same order, and what they say of each today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from backend.annotation.closing import Closing, Place, read_closings
from backend.annotation.models import DONE, Assignment, Judgment
from backend.annotation.selectors import get_assignment
from backend.annotation.showing import ShownHit, ShownItem, read_items
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
    items, said, closed = _items(assignments), _said(assignments), read_closings(assignments)
    return [_past(each, items, said[each.pk], closed) for each in assignments]


def _past(
    assignment: Assignment,
    items: Mapping[int, ShownItem],
    said: Mapping[int, Judgment],
    closed: Mapping[Place, Closing],
) -> PastHit:
    hit = assignment.hit
    shown = [items[candidate_id] for candidate_id in assignment.shown]
    mine = {position: each for (pk, position), each in closed.items() if pk == assignment.pk}
    return PastHit(ShownHit(assignment, hit.image, hit.query.text if hit.query else None, shown, said), mine)


def _items(assignments: Sequence[Assignment]) -> dict[int, ShownItem]:
    found: dict[int, ShownItem] = {}
    for has_images in (False, True):
        of_kind = [each for each in assignments if (each.hit.query_id is not None) is has_images]
        if of_kind:
            found |= read_items({pk for each in of_kind for pk in each.shown}, has_images=has_images)
    return found


def _said(assignments: Sequence[Assignment]) -> defaultdict[UUID, dict[int, Judgment]]:
    by_page: defaultdict[UUID, dict[int, Judgment]] = defaultdict(dict)
    for judgment in Judgment.objects.filter(assignment__in=assignments, superseded_by=None):
        by_page[judgment.assignment_id][judgment.position] = judgment
    return by_page
