"""The lead's table: everybody on a project with what they did, how they did on controls, and where they stand.

Seven statements for a page, however many people and judgments there are. Counters stand in the row; how somebody agrees
with the others, and how long they look, is read from their newest HITs, as they work now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any, cast
from uuid import UUID

import numpy as np
from django.db.models import (
    Case,
    Count,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Cast, Coalesce, Greatest, RowNumber

from backend.annotation.models import (
    DONE,
    LEFT_TO_RULES,
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    StatusDecision,
)
from backend.annotation.selectors import counted_judgments, current_judgments
from backend.common.errors import NotFound
from backend.common.models import LARGEST_ID
from backend.methods.consensus import LABELS, Verdict
from backend.methods.quality import plurality, wilson
from backend.projects.models import Project
from backend.quality.models import PolicyFinding, PolicyReplay

NEWEST_HITS = 20
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
class Share:
    """k of n with Wilson's 95% interval."""

    k: int
    n: int
    share: float
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """One person in the table. `seconds` is the median focus time of an item, `agreement` with most of the others."""

    annotator_state: AnnotatorState
    n_late: int
    n_skipped: int
    last_active_at: datetime | None
    passed: Share | None
    agreement: Share | None
    seconds: float | None


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
        active_at=Coalesce(Subquery(last), F("created_at")),
        hardness=Case(*cases, default=Value(0), output_field=IntegerField()),
        decided=Subquery(decided),
    )
    return found.filter(state=state) if state else found


def describe(*, project: Project, annotator_states: Sequence[AnnotatorState]) -> list[Row]:
    """The rest of the table's columns for a page of annotator states, in six statements."""
    users = [annotator_state.user_id for annotator_state in annotator_states]
    last, newest = _newest(project, users)
    totals, habits = _totals(project, users), _habits(project, newest)
    return [
        _row(
            annotator_state,
            last.get(annotator_state.user_id),
            totals.get(annotator_state.user_id, {}),
            habits.get(annotator_state.user_id, {}),
        )
        for annotator_state in annotator_states
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


def share_of(k: int, n: int) -> Share | None:
    if not n:
        return None
    low, high = wilson(k, n)
    return Share(k, n, k / n, low, high)


def _row(annotator_state: AnnotatorState, last: datetime | None, totals: dict[str, Any], habits: dict[str, Any]) -> Row:
    return Row(
        annotator_state=annotator_state,
        n_late=totals.get("n_late", 0),
        n_skipped=totals.get("n_skipped", 0),
        last_active_at=last,
        passed=share_of(annotator_state.n_graded - annotator_state.n_failed, annotator_state.n_graded),
        agreement=habits.get("agreement"),
        seconds=habits.get("seconds"),
    )


def _totals(project: Project, users: Collection[int]) -> dict[int, dict[str, Any]]:
    """What was late or skipped, of which there is little; the index `assignment_gone_by` holds just these rows."""
    rows = Assignment.objects.filter(project=project, annotator__in=users, status__in=GONE_BY).order_by()
    told = rows.values("annotator").annotate(
        n_late=Count("pk", filter=Q(status=AssignmentStatus.LATE)),
        n_skipped=Count("pk", filter=Q(status=AssignmentStatus.SKIPPED)),
    )
    return {row["annotator"]: dict(row) for row in told}


def _newest(project: Project, users: Collection[int]) -> tuple[dict[int, datetime], dict[UUID, str]]:
    """When each of them last submitted, and the status of everybody's newest HITs. The index `assignment_done` is
    walked from its end for as many rows as that takes, however much somebody did before."""
    done = Assignment.objects.filter(project=project, status__in=DONE)
    backwards = done.filter(annotator=OuterRef("user")).order_by("-submitted_at").values("submitted_at")
    people = AnnotatorState.objects.filter(project=project, user__in=users).annotate(
        last=Subquery(backwards[:1]), since=Subquery(backwards[NEWEST_HITS - 1 : NEWEST_HITS])
    )
    known = {user: (last, since) for user, last, since in people.values_list("user", "last", "since") if last}
    recent = Q(pk=None)
    for user, (_, since) in known.items():
        recent |= Q(annotator=user, submitted_at__gte=since) if since else Q(annotator=user)
    order = Window(RowNumber(), partition_by=F("annotator"), order_by=(F("submitted_at").desc(), "pk"))
    rows = done.filter(recent).order_by().annotate(place=order).filter(place__lte=NEWEST_HITS)
    return {user: last for user, (last, _) in known.items()}, dict(rows.values_list("pk", "status"))


def _habits(project: Project, newest: dict[UUID, str]) -> dict[int, dict[str, Any]]:
    """Agreement and median time over everybody's newest HITs."""
    rows = current_judgments(project=project).filter(control=None, assignment__in=newest).order_by()
    by_user: dict[int, list[tuple[UUID, int, str, int | None]]] = defaultdict(list)
    told = rows.values_list("annotator_id", "assignment_id", "candidate_id", "label", "ms")
    for user, *rest in told:
        by_user[user].append(cast(tuple[UUID, int, str, int | None], tuple(rest)))
    votes = _votes(project, {candidate for those in by_user.values() for _, candidate, _, _ in those})
    out = set(
        AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).values_list("user", flat=True)
    )
    return {user: _habit(those, votes, newest, user not in out) for user, those in by_user.items()}


def _votes(project: Project, candidates: Collection[int]) -> dict[int, list[int]]:
    by_label = {f"n_{label}": Count("pk", filter=Q(label=label)) for label in LABELS}
    rows = counted_judgments(project=project).filter(candidate__in=candidates).order_by().values_list("candidate")
    return {row[0]: list(row[1:]) for row in rows.annotate(**by_label)}


def _habit(
    those: Sequence[tuple[UUID, int, str, int | None]], votes: dict[int, list[int]], newest: dict[UUID, str],
    counts: bool,
) -> dict[str, Any]:  # fmt: skip
    labels = np.array([LABELS.index(cast(Verdict, label)) for _, _, label, _ in those])
    others = np.array([votes.get(candidate, [0, 0, 0]) for _, candidate, _, _ in those], dtype=np.int64)
    is_own_in = np.array([counts and newest[pk] == AssignmentStatus.SUBMITTED for pk, _, _, _ in those])
    others[np.flatnonzero(is_own_in), labels[is_own_in]] -= 1
    winners = plurality(others)
    is_told = winners >= 0
    times = [ms for _, _, _, ms in those if ms is not None]
    return {
        "agreement": share_of(int((winners == labels)[is_told].sum()), int(is_told.sum())),
        "seconds": median(times) / 1000 if times else None,
    }
