"""Reads over HITs and judgments: whose they are, and which of them count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from backend.annotation.models import (
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    Hit,
    HitItem,
    Judgment,
    Slot,
)
from backend.common.compiled import Compiled
from backend.common.errors import existing
from backend.people.models import User
from backend.projects.models import Project

SECONDS = 10  # for which counts of a project are cached: annotators ask after each assignment
IN_TIME = Q(control=None, assignment__status=AssignmentStatus.SUBMITTED)  # of a judgment: on a pair, and not late
IS_AHEAD = Q(assignment=None) | ~Q(assignment__status=AssignmentStatus.SUBMITTED)  # of a slot: free, or leased


OWN_ASSIGNMENT = Compiled(
    lambda given: Assignment.objects.select_related("project").filter(
        pk=given("assignment"), annotator=given("user"), project__memberships__user=given("user")
    )
)


def get_assignment(*, user: User, assignment_id: UUID) -> Assignment:
    """The caller's own assignment, if they still belong to its project. Raises NotFound."""
    found = existing(OWN_ASSIGNMENT.first(assignment=assignment_id, user=user.pk))
    found.annotator = user
    return found


STATE = Compiled(lambda given: AnnotatorState.objects.filter(project=given("project"), user=given("user")))


def annotator_state_of(*, project: Project, user: User) -> AnnotatorState:
    """The annotator's state, for reading; a row that is not stored if they did not begin."""
    found = STATE.first(project=project.pk, user=user.pk) or AnnotatorState()
    found.project, found.user = project, user
    return found


def pairs_in_hits(*, project: Project) -> QuerySet[HitItem]:
    """The first item of each pair in a HIT, without controls and follow-ups."""
    return HitItem.objects.filter(hit__project=project, hit__root=None, control=None)


def get_judgment(*, assignment: Assignment, position: int) -> Judgment:
    """The newest judgment at a position of a submitted assignment. Raises NotFound."""
    found = Judgment.objects.filter(assignment=assignment, position=position, superseded_by=None).first()
    return existing(found, "This item has no answer yet. Submit the whole task first.", code="no_answer_yet")


def current_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The newest judgment of each annotator on each pair, today, or when `until` was the newest judgment of all."""
    later = Judgment.objects.filter(supersedes=OuterRef("pk"))
    if until is None:
        return Judgment.objects.filter(~Exists(later), candidate__project=project)
    return Judgment.objects.filter(~Exists(later.filter(pk__lte=until)), candidate__project=project, pk__lte=until)


def timely_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The newest judgments on pairs that were submitted in time. They count if their annotator is not excluded."""
    return current_judgments(project=project, until=until).filter(IN_TIME)


def counted_judgments(*, project: Project, until: int | None = None) -> QuerySet[Judgment]:
    """The judgments that count: the newest of each annotator on each pair (at judgment `until`), submitted in time, by
    an annotator who is not excluded, on a pair that is not a control. Consensus, agreement, the stop rule and releases
    read nothing else."""
    return current_judgments(project=project, until=until).filter(is_counted(project=project))


def is_counted(*, project: Project) -> Q:
    """Of a judgment that no later one replaces: whether it counts today."""
    excluded = AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).values("user")
    return IN_TIME & ~Q(annotator__in=excluded)


def has_work_left(*, project_id: int) -> bool:
    """Whether a slot is free, or an assignment leased."""
    return Slot.objects.filter(IS_AHEAD, project=project_id).exists()


def unnamed_voters(*, project: Project) -> QuerySet[AnnotatorState, int]:
    """Users that stand for imported votes without names. They are no persons, so results per person leave them out."""
    return AnnotatorState.objects.filter(project=project, is_unnamed=True).order_by().values_list("user", flat=True)


def read_counts(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """The counters of this room, in three queries for any number of projects. None reads the judgments.

    `slots_open` counts the slots that nobody has submitted yet. A changed answer does not raise `judgments`.
    """
    hits = Hit.objects.filter(project__in=project_ids).order_by().values_list("project").annotate(n=Count("pk"))
    states = AnnotatorState.objects.filter(project__in=project_ids).order_by().values_list("project")
    judgments = states.annotate(n=Sum("n_judgments"))
    slots = Slot.objects.filter(project__in=project_ids).order_by().values_list("project")
    counts = {pk: dict.fromkeys(("hits", "judgments", "slots", "slots_open"), 0) for pk in project_ids}
    for name, rows in (("hits", hits), ("judgments", judgments)):
        for project_id, n in rows:
            counts[project_id][name] = n
    for project_id, n, n_open in slots.annotate(n=Count("pk"), n_open=Count("pk", filter=IS_AHEAD)):
        counts[project_id] |= {"slots": n, "slots_open": n_open}
    return counts


def newest_judgment_id(*, project: Project) -> int:
    """The newest judgment, 0 without one. `ORDER BY` reads one row from the end; `MAX` over the join reads all."""
    rows = Judgment.objects.filter(assignment__project=project).order_by("-pk").values_list("pk", flat=True)
    return rows.first() or 0


@transaction.atomic
def last_settled_judgment(*, project: Project) -> int:
    """The newest judgment, when no submit is under way whose judgments have smaller ids.

    Every submit locks its annotator's state, so this locks all states until the caller's transaction ends.
    """
    list(AnnotatorState.objects.filter(project=project).order_by("pk").select_for_update(no_key=True).values_list("pk"))
    return newest_judgment_id(project=project)


def get_progress(*, project: Project, user: User) -> dict[str, int]:
    """The annotator's own counters, and those of the project, which are up to SECONDS old.

    It reads no row of the past, so it stays fast. Days are those of UTC.
    """
    mine = annotator_state_of(project=project, user=user)
    is_today = mine.today == timezone.now().date()
    counts: Any = cache.get_or_set(
        f"progress:{project.pk}", lambda: read_counts([project.pk])[project.pk], timeout=SECONDS
    )
    return {
        "submitted_today": mine.n_today if is_today else 0,
        "submitted_total": mine.n_submitted,
        "judgments_total": mine.n_judgments,
        "ms_today": mine.ms_today if is_today else 0,
        "hits": counts["hits"],
        "assignments_needed": counts["slots"],
        "assignments_submitted": counts["slots"] - counts["slots_open"],
    }
