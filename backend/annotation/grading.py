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
        .values_list("pk", "control__candidate", "control__state")
    )
)
GRADE = CompiledUpdate(lambda ask: (ControlMeeting.objects.filter(pk=ask("pk")), {"outcome": ask("outcome")}))


@dataclass(frozen=True)
class Graded:
    """What to add to a standing's counters."""

    n_graded: int = 0
    n_failed: int = 0


def grade_controls(assignment: Assignment, labels: Mapping[int, str]) -> Graded:
    """Note how the page's controls were answered, `labels` being what was said by position: by the first word alone.

    No statement where the page has none. What is quarantined is noted and does not count.
    """
    if not assignment.controls:
        return Graded()
    outcomes = []
    for pk, candidate, state in MET.rows(assignment=assignment.pk):
        position = assignment.shown.index(candidate) + 1
        outcome = grade(labels[position], assignment.controls[str(position)])  # type: ignore[arg-type]  # a label
        GRADE.run(pk=pk, outcome=outcome)
        outcomes += [outcome] if state != ControlState.QUARANTINED else []
    return Graded(sum(each in GRADED for each in outcomes), outcomes.count("failed"))
