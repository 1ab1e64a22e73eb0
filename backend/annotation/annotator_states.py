"""One annotator on one project: whether they get another HIT, and the counters of what they did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.utils import timezone

from backend.annotation.models import AnnotatorState, AnnotatorStatus, Assignment, ControlOutcome, Judgment
from backend.projects.models import Project
from backend.qualification.models import ControlState
from backend.qualification.selectors import why_not_qualified

Idle = Literal["paused", "excluded", "not_qualified"]


def why_idle(*, annotator_state: AnnotatorState, project: Project) -> Idle | None:
    """Why this person gets no HIT however many there are, or None."""
    state = AnnotatorStatus(annotator_state.state)
    if not state.may_work:
        return "excluded" if state is AnnotatorStatus.EXCLUDED else "paused"
    return "not_qualified" if why_not_qualified(project=project, user=annotator_state.user) else None


def is_capped(*, annotator_state: AnnotatorState, project: Project, n_held: int) -> bool:
    """Whether what they submitted and hold comes to what one person may do."""
    most = project.hits_per_annotator
    return most is not None and annotator_state.n_submitted + n_held >= most


def is_at_gate(*, annotator_state: AnnotatorState, project: Project, n_held: int) -> bool:
    """Whether what they submitted and hold is all that they may do before a head annotator has looked at it."""
    if not project.gate_after or annotator_state.released_at is not None:
        return False
    return annotator_state.n_submitted + n_held >= project.gate_after


def may_still_hold(assignment: Assignment) -> bool:
    """Whether the annotator's lease may be made longer: not once they are excluded, as their answers do not count."""
    theirs = AnnotatorState.objects.filter(project=assignment.project, user=assignment.annotator)
    return not theirs.filter(state=AnnotatorStatus.EXCLUDED).exists()


def count_work(*, annotator_state: AnnotatorState, judgments: Sequence[Judgment]) -> None:
    """Add one submitted HIT with these judgments to the counters. The caller holds the annotator's state.

    The first answer to a control is counted, unless the control is in quarantine.
    """
    today = timezone.now().date()
    if annotator_state.today != today:
        annotator_state.today, annotator_state.n_today, annotator_state.ms_today = today, 0, 0
    graded = [row.outcome for row in judgments if row.control and row.control.state != ControlState.QUARANTINED]
    n_failed = graded.count(ControlOutcome.FAILED)
    annotator_state.n_submitted += 1
    annotator_state.n_judgments += len(judgments)
    annotator_state.n_today += 1
    annotator_state.ms_today += sum(row.ms or 0 for row in judgments)
    annotator_state.n_graded += graded.count(ControlOutcome.PASSED) + n_failed
    annotator_state.n_failed += n_failed
    annotator_state.save(
        update_fields=["today", "n_today", "ms_today", "n_submitted", "n_judgments", "n_graded", "n_failed"]
    )
