"""Hidden controls against what was said of them. Nothing of it is told to the annotator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.annotation.models import Assignment, ControlMeeting, ControlOutcome, ControlState
from backend.methods.quality import grade

GRADED = (ControlOutcome.PASSED, ControlOutcome.FAILED)


@dataclass(frozen=True)
class Graded:
    """What to add to a standing's counters; less than nothing where a change of mind took a grade away."""

    n_graded: int = 0
    n_failed: int = 0


def grade_controls(assignment: Assignment, labels: Mapping[int, str]) -> Graded:
    """Note how the page's controls at the positions of `labels` were answered. No statement where the page has none.

    Where it has one, the statements are the same whichever positions are asked about: the time that a change of mind
    takes must not tell a control from its neighbours.
    """
    if not assignment.controls:
        return Graded()
    meetings = list(ControlMeeting.objects.filter(assignment=assignment).select_related("control"))
    n_graded = n_failed = 0
    for meeting in meetings:
        position = assignment.shown.index(meeting.control.candidate_id) + 1
        if position not in labels:
            continue
        was = meeting.outcome
        meeting.outcome = ControlOutcome(grade(labels[position], assignment.controls[str(position)]))  # type: ignore[arg-type]  # a label
        if meeting.control.state != ControlState.QUARANTINED:
            n_graded += (meeting.outcome in GRADED) - (was in GRADED)
            n_failed += (meeting.outcome == ControlOutcome.FAILED) - (was == ControlOutcome.FAILED)
    ControlMeeting.objects.bulk_update(meetings, ["outcome"])
    return Graded(n_graded, n_failed)
