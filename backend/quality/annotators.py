"""The lead's table: everybody on a project with what they did, how they did on controls, and where they stand.

A few statements for a page, however many people and judgments there are: counters stand in the row, and how somebody
works comes from habits.py.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, FloatField, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Greatest

from backend.annotation.models import (
    DONE,
    LEFT_TO_RULES,
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    StatusDecision,
)
from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.methods.quality import Share, share_of
from backend.projects.models import Project
from backend.quality.habits import Habits, read_habits
from backend.quality.models import PolicyFinding, PolicyReplay

GONE_BY = (AssignmentStatus.LATE, AssignmentStatus.SKIPPED)
HARDNESS = (AnnotatorStatus.ACTIVE, AnnotatorStatus.WARNED, AnnotatorStatus.PAUSED, AnnotatorStatus.EXCLUDED)
SORTS = {
    "username": ("username", "id"),
    "-hits": ("-n_submitted", "id"),
    "-failed": ("-failed_share", "id"),
    "-active": ("-active_at", "id"),
    "-state": ("-hardness", "id"),
}


@dataclass(frozen=True)
class Row:
    """One person in the table. `habits` is None before the figures of a person are computed."""

    annotator_state: AnnotatorState
    n_late: int
    n_skipped: int
    last_active_at: datetime | None
    passed: Share | None
    habits: Habits | None


def list_annotator_states(*, project: Project, state: str = "") -> QuerySet[AnnotatorState]:
    """Everybody who ever asked for a HIT or was imported by name, with the columns that the table can be sorted by."""
    done = Assignment.objects.filter(project=project, annotator=OuterRef("user"), status__in=DONE)
    last = done.order_by("-submitted_at").values("submitted_at")[:1]
    graded = Greatest(Cast("n_graded", FloatField()), Value(1.0))
    decided = StatusDecision.objects.filter(annotator_state=OuterRef("pk")).order_by("-pk").values("state")[:1]
    cases = [When(state=each, then=Value(at)) for at, each in enumerate(HARDNESS)]
    found = AnnotatorState.objects.filter(project=project, is_unnamed=False).select_related("user")
    found = found.annotate(
        username=F("user__username"),
        failed_share=Cast("n_failed", FloatField()) / graded,
        last_at=Subquery(last),
        active_at=Coalesce(F("last_at"), F("created_at")),
        hardness=Case(*cases, default=Value(0), output_field=IntegerField()),
        decided=Subquery(decided),
    )
    return found.filter(state=state) if state else found


def describe(*, project: Project, annotator_states: Sequence[AnnotatorState]) -> list[Row]:
    """The rest of the table's columns for a page of rows of `list_annotator_states`."""
    users = [annotator_state.user_id for annotator_state in annotator_states]
    totals, habits = _totals(project, users), read_habits(project, users)
    return [
        Row(
            annotator_state=each,
            n_late=totals.get(each.user_id, {}).get("n_late", 0),
            n_skipped=totals.get(each.user_id, {}).get("n_skipped", 0),
            last_active_at=getattr(each, "last_at", None),
            passed=share_of(each.n_graded - each.n_failed, each.n_graded),
            habits=habits.get(each.user_id),
        )
        for each in annotator_states
    ]


def is_by_hand(annotator_state: AnnotatorState) -> bool:
    """Whether the state is what somebody decided; of rows of `list_annotator_states`."""
    decided = getattr(annotator_state, "decided", None)
    return bool(decided) and decided not in LEFT_TO_RULES


def get_annotator_state(*, project: Project, user_id: int) -> AnnotatorState:
    """One row of the table. Raises NotFound for somebody who never asked for a HIT here."""
    found = list_annotator_states(project=project).filter(user=user_id).first() if user_id <= LARGEST_ID else None
    if found is None:
        raise NotFound("No annotator with this id worked on this project.", code="no_such_annotator_ever")
    return found


def list_decisions(*, annotator_state: AnnotatorState) -> QuerySet[StatusDecision]:
    """What people decided of somebody, newest first."""
    return StatusDecision.objects.filter(annotator_state=annotator_state).select_related("decided_by").order_by("-pk")


def list_findings(*, project: Project, user_id: int) -> QuerySet[PolicyFinding]:
    """What the version in force found of somebody when it was last applied."""
    last = PolicyReplay.objects.filter(policy__project=project, policy__in_force_since__isnull=False)[:1]
    return PolicyFinding.objects.filter(replay__in=last.values("pk"), user=user_id).order_by("rule")


def _totals(project: Project, users: Collection[int]) -> dict[int, dict[str, Any]]:
    """What was late or skipped, of which there is little; the index `assignment_gone_by` holds just these rows."""
    rows = Assignment.objects.filter(project=project, annotator__in=users, status__in=GONE_BY).order_by()
    told = rows.values("annotator").annotate(
        n_late=Count("pk", filter=Q(status=AssignmentStatus.LATE)),
        n_skipped=Count("pk", filter=Q(status=AssignmentStatus.SKIPPED)),
    )
    return {row["annotator"]: dict(row) for row in told}
