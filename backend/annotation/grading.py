"""Hidden controls against what was said of them. Nothing of it is told to the annotator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from backend.annotation.controls.meeting import note_outcomes
from backend.annotation.models import Assignment, ControlOutcome, ControlState
from backend.common.prepared import Statement
from backend.methods.quality import grade

GRADED = (ControlOutcome.PASSED, ControlOutcome.FAILED)


@dataclass(frozen=True)
class Graded:
    """What to add to a standing's counters."""

    n_graded: int = 0
    n_failed: int = 0


def grade_controls(assignment: Assignment, labels: Mapping[int, str], *, first: Statement) -> Graded:
    """Note how the page's controls were answered, `labels` being what was said by position: by the first word alone.
    `first` inserts the judgments.

    What is quarantined is noted and does not count.
    """
    outcomes = {
        assignment.shown[int(position) - 1]: grade(labels[int(position)], accepted)  # type: ignore[arg-type]  # a label
        for position, accepted in assignment.controls.items()
    }
    states = note_outcomes(assignment, outcomes, first=first)
    counted = [outcomes[pair] for pair, state in states.items() if state != ControlState.QUARANTINED]
    return Graded(sum(each in GRADED for each in counted), counted.count("failed"))
