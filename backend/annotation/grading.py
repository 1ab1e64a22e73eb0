"""Hidden controls against what was said of them. Nothing of it is told to the annotator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.annotation.models import Assignment, ControlMeeting, ControlOutcome, ControlState
from backend.common.compiled import CompiledRows, CompiledUpdate
from backend.methods.quality import grade

GRADED = (ControlOutcome.PASSED, ControlOutcome.FAILED)
MET = CompiledRows(
    lambda ask: (
        ControlMeeting.objects.filter(assignment=ask("assignment"))
        .order_by("pk")
        .values_list("pk", "outcome", "control__candidate", "control__state")
    )
)
GRADE = CompiledUpdate(lambda ask: (ControlMeeting.objects.filter(pk=ask("pk")), {"outcome": ask("outcome")}))


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
    n_graded = n_failed = 0
    for pk, was, candidate, state in MET.rows(assignment=assignment.pk):
        position = assignment.shown.index(candidate) + 1
        accepted = assignment.controls[str(position)]
        outcome = grade(labels[position], accepted) if position in labels else was  # type: ignore[arg-type]  # a label
        GRADE.run(pk=pk, outcome=str(outcome))
        if state != ControlState.QUARANTINED:
            n_graded += (outcome in GRADED) - (was in GRADED)
            n_failed += (outcome == ControlOutcome.FAILED) - (was == ControlOutcome.FAILED)
    return Graded(n_graded, n_failed)
