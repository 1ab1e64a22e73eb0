"""Reads of remarks and of answers: a person's inbox, the list of the head annotator, the answers of one person."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any, Literal, cast
from uuid import UUID

from django.db.models import F, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Coalesce

from backend.annotation.closings import Closing, Place, read_closings
from backend.annotation.models import DONE, Judgment
from backend.annotation.selectors import counted_judgments, current_judgments
from backend.common.counting import count_of
from backend.common.errors import NotFound
from backend.common.labels import Label
from backend.common.models import LARGEST_ID
from backend.feedback.models import Remark, RemarkReply
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import projects_of, projects_reviewed_by

State = Literal["", "unread", "awaiting"]
STATES: dict[State, Q] = {"": Q(), "unread": Q(is_unread=True), "awaiting": Q(awaits_reply=True)}


@dataclass(frozen=True)
class ShownRemark:
    """A remark, what the person says of the caption today, and whether the review has closed it."""

    remark: Remark
    stands: Judgment
    closed: Closing | None


@dataclass(frozen=True)
class JudgedRow:
    """A judgment with the votes of the others by label, the newest remark's id, and whether it is a hidden control."""

    judgment: Judgment
    others: dict[str, int]
    remark_id: int | None
    is_control: bool


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


def list_judged(
    *, project: Project, annotator: int, label: str = "", is_disagreeing: bool = False, is_commented: bool = False
) -> QuerySet[Judgment]:
    """What `annotator` says today of every pair they submitted, newest first, with `others_good`, `others_bad` and
    `others_unsure`. `is_disagreeing`: only where more of the others said one other label than said theirs."""
    found = current_judgments(project=project).filter(annotator=annotator, assignment__status__in=DONE)
    found = found.filter(label=label) if label else found
    found = found.exclude(comment="") if is_commented else found
    found = found.annotate(**{f"others_{each}": _votes(project, each) for each in Label.values})
    found = found.filter(_outvoted()) if is_disagreeing else found
    shown = found.select_related("annotator", "candidate__image", "assignment__hit__image", "assignment__hit__query")
    return shown.order_by("-id")


def describe_judged(judgments: Sequence[Judgment]) -> list[JudgedRow]:
    """Rows of `list_judged` with what else the list shows, in one statement."""
    assignments = {judgment.assignment_id for judgment in judgments}
    written = Remark.objects.filter(judgment__assignment__in=assignments).order_by("id")
    remarks = {(pk, at): one for pk, at, one in written.values_list("judgment__assignment", "judgment__position", "pk")}
    return [
        JudgedRow(
            judgment=each,
            others={label: getattr(each, f"others_{label}") for label in Label.values},
            remark_id=remarks.get((each.assignment_id, each.position)),
            is_control=each.control_id is not None,
        )
        for each in judgments
    ]


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


def _votes(project: Project, label: str) -> Coalesce:
    of_pair = counted_judgments(project=project).filter(candidate=OuterRef("candidate"), label=label)
    return count_of(of_pair.exclude(annotator=OuterRef("annotator")), "candidate")


def _outvoted() -> Q:
    """More others agree on one other label than on the person's own."""
    outvoted = Q(pk__in=[])
    for own in Label.values:
        for other in set(Label.values) - {own}:
            outvoted |= Q(label=own, **cast(Any, {f"others_{other}__gt": F(f"others_{own}")}))
    return outvoted


def read_days(project: Project, user: int) -> list[date]:
    """The days, UTC, on which remarks were written to somebody."""
    sent = Remark.objects.filter(project=project, annotator=user).order_by()
    return [moment.astimezone(UTC).date() for moment in sent.values_list("created_at", flat=True)]
