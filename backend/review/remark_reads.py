"""Reads of remarks: a person's inbox, the head annotator's list, and what each remark was written on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from backend.annotation.closings import Closing, Place, read_closings
from backend.annotation.models import DONE, Judgment
from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import projects_of, projects_reviewed_by
from backend.review.models import Remark, RemarkReply

State = Literal["", "unread", "awaiting"]
STATES: dict[State, Q] = {"": Q(), "unread": Q(is_unread=True), "awaiting": Q(awaits_reply=True)}


@dataclass(frozen=True)
class ShownRemark:
    """A remark, what the person says of the caption today, and whether the review has closed it."""

    remark: Remark
    stands: Judgment
    closed: Closing | None


def list_inbox(*, project: Project, user: User) -> QuerySet[Remark]:
    """What was written to `user`, unread first, then the newest."""
    return _described(Remark.objects.filter(annotator=user, project=project)).order_by("-is_unread", "-id")


def count_unread(*, project: Project, user: User) -> int:
    """How many remarks wait for `user`: an index holds the answer."""
    return Remark.objects.filter(annotator=user, project=project, is_unread=True).count()


def list_remarks(*, project: Project, annotator: int | None = None, state: State = "") -> QuerySet[Remark]:
    """What was written on the project, newest first: to one person, or unread, or waiting for a word back."""
    found = Remark.objects.filter(STATES[state], project=project)
    if annotator is not None:
        found = found.filter(annotator=annotator)
    return _described(found).order_by("-id")


def get_own_remark(*, user: User, remark_id: int) -> Remark:
    """A remark to the caller, while they belong to its project. Raises NotFound for everybody else's."""
    return _one(Remark.objects.filter(annotator=user, project__in=projects_of(user=user)), remark_id)


def get_reviewed_remark(*, user: User, remark_id: int) -> Remark:
    """A remark on a project that the caller reviews. Raises NotFound for any other."""
    return _one(Remark.objects.filter(project__in=projects_reviewed_by(user=user)), remark_id)


def get_judgment(*, project: Project, judgment_id: int) -> Judgment:
    """A submitted judgment of the project. Raises NotFound."""
    asked = Judgment.objects.filter(pk=judgment_id, assignment__project=project, assignment__status__in=DONE)
    found = asked.select_related("assignment").first()
    if found is None:
        raise NotFound("This answer does not exist in this project.", code="no_such_answer")
    return found


def show_remarks(remarks: Sequence[Remark]) -> list[ShownRemark]:
    """The remarks with what stands today and what is closed, in as many statements for fifty as for one."""
    assignments = {remark.judgment.assignment for remark in remarks}
    standing = Judgment.objects.filter(assignment__in=assignments, superseded_by=None)
    by_place: dict[Place, Judgment] = {(each.assignment_id, each.position): each for each in standing}
    closed = read_closings(assignments)
    places: list[Place] = [(each.judgment.assignment_id, each.judgment.position) for each in remarks]
    return [
        ShownRemark(remark, by_place.get(place, remark.judgment), closed.get(place))
        for remark, place in zip(remarks, places, strict=True)
    ]


def read_asked(assignments: Collection[UUID]) -> set[Place]:
    """Where on these pages the person got a remark, which asks for another mind; one statement."""
    asked = Remark.objects.filter(judgment__assignment__in=assignments).order_by()
    return set(asked.values_list("judgment__assignment", "judgment__position"))


def _one(remarks: QuerySet[Remark], remark_id: int) -> Remark:
    found = _described(remarks).filter(pk=remark_id).first() if remark_id <= LARGEST_ID else None
    if found is None:
        raise NotFound()
    return found


def _described(remarks: QuerySet[Remark]) -> QuerySet[Remark]:
    replies = Prefetch("replies", RemarkReply.objects.select_related("author"))
    return remarks.select_related(
        "annotator",
        "written_by",
        "judgment__candidate__image",
        "judgment__assignment__hit__image",
        "judgment__assignment__hit__query",
    ).prefetch_related(replies)
