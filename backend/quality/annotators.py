"""The lead's table: everybody on a project with what they did, how they did on controls, and where they stand.

A few statements for a page, however many people and judgments there are: counters stand in the row, and how somebody
works comes from habits.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Case, F, FloatField, IntegerField, OuterRef, QuerySet, Subquery, Value, When
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
from backend.common.counting import count_of
from backend.common.errors import existing
from backend.common.models import LARGEST_ID
from backend.methods.quality import Share, share_of
from backend.projects.models import Project
from backend.quality.habits import NO_HABITS, WorkHabits, read_habits

HARDNESS = (AnnotatorStatus.ACTIVE, AnnotatorStatus.WARNED, AnnotatorStatus.PAUSED, AnnotatorStatus.EXCLUDED)
SORTS = {
    "username": ("username", "id"),
    "-hits": ("-n_submitted", "id"),
    "-failed": ("-failed_share", "id"),
    "-active": ("-active_at", "id"),
    "-state": ("-hardness", "id"),
}


@dataclass(frozen=True)
class AnnotatorRow:
    """One person in the table, from a row of `list_annotator_states`."""

    annotator_state: AnnotatorState
    habits: WorkHabits

    @property
    def passed(self) -> Share | None:
        n = self.annotator_state.n_graded
        return share_of(n - self.annotator_state.n_failed, n)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person decided this state."""
        decided: str | None = vars(self.annotator_state)["decided"]
        return decided is not None and decided not in LEFT_TO_RULES


def is_harder(state: str, *, than: str) -> bool:
    """Whether a status lets the annotator do less than another one."""
    return HARDNESS.index(AnnotatorStatus(state)) > HARDNESS.index(AnnotatorStatus(than))


def list_annotator_states(*, project: Project, state: str = "") -> QuerySet[AnnotatorState]:
    """Everybody who ever asked for a HIT or was imported by name, with the columns that the table can be sorted by."""
    theirs = Assignment.objects.filter(project=project, annotator=OuterRef("user"))
    last = theirs.filter(status__in=DONE).order_by("-submitted_at").values("submitted_at")[:1]
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
        n_late=count_of(theirs.filter(status=AssignmentStatus.LATE), by="annotator"),
        n_skipped=count_of(theirs.filter(status=AssignmentStatus.SKIPPED), by="annotator"),
    )
    return found.filter(state=state) if state else found


def describe(*, project: Project, annotator_states: Sequence[AnnotatorState]) -> list[AnnotatorRow]:
    """The rest of the table's columns for a page of rows of `list_annotator_states`."""
    habits = read_habits(project, [each.user_id for each in annotator_states])
    return [AnnotatorRow(each, habits.get(each.user_id, NO_HABITS)) for each in annotator_states]


def get_annotator_state(*, project: Project, user_id: int) -> AnnotatorState:
    """One row of the table. Raises NotFound for somebody who never asked for a HIT here."""
    found = list_annotator_states(project=project).filter(user=user_id).first() if user_id <= LARGEST_ID else None
    return existing(found, "No annotator with this id worked on this project.", code="no_such_annotator_ever")
