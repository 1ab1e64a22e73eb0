"""Who met which hidden control, and how they answered it.

It is written in as many statements whether a page holds one or not: whoever times the answers of the site would else
know the pages that do. So where a project has a rate of controls, a page without one writes the meeting of a control
that there is not, and the outcome of a meeting that never was. The first of them goes along with what is stored anyway,
the page or its judgments.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from django.db import connection

from backend.annotation.models import Assignment, ControlOutcome
from backend.common.prepared import Statement, adapted, change, fetch, fetch_after

NO_CONTROL = 0
# SQL of our own: the ORM neither inserts what it selects nor answers an update. On both databases alike.
MEET = """
INSERT INTO annotation_controlmeeting (created_at, annotator_id, assignment_id, outcome, control_id)
SELECT %s, %s, %s, %s, id FROM annotation_control WHERE id = %s
RETURNING outcome
"""
GRADE = """
UPDATE annotation_controlmeeting SET outcome = %s
WHERE assignment_id = %s AND control_id = (SELECT id FROM annotation_control WHERE candidate_id = %s)
RETURNING (SELECT state FROM annotation_control WHERE id = control_id)
"""


def note_meetings(assignment: Assignment, controls: Collection[int], *, first: Statement) -> bool:
    """That the page's holder met these controls, by their ids; whether all are there still. `first` inserts the page.

    Raises IntegrityError where they met one before.
    """
    page = (assignment.leased_at, assignment.annotator_id, assignment.pk, ControlOutcome.PENDING.value)
    met = controls or ([NO_CONTROL] if assignment.project.control_rate else [])
    written = _write(first, [(MEET, (*page, control_id)) for control_id in met])
    return len(written) - written.count(None) == len(controls)


def note_outcomes(assignment: Assignment, outcomes: Mapping[int, str], *, first: Statement) -> dict[int, str]:
    """How the page's controls were answered, by candidate id; gives the state that each of them is in now. `first`
    inserts the judgments."""
    answered = outcomes or _none_of(assignment)
    states = _write(first, [(GRADE, (outcome, assignment.pk, pair)) for pair, outcome in answered.items()])
    return {pair: state for pair, state in zip(answered, states, strict=True) if state is not None}


def _none_of(assignment: Assignment) -> dict[int, str]:
    """What changes nothing on a page without controls."""
    return {assignment.shown[0]: ControlOutcome.PENDING.value} if assignment.project.control_rate else {}


def _write(first: Statement, others: Sequence[tuple[str, Sequence[object]]]) -> list[str | None]:
    """What each of the others gives back of the row it wrote, if it wrote one; one of them takes the first along."""
    then = [Statement(text, [adapted(value, connection) for value in given]) for text, given in others]
    if not then:
        change(*first)
        return []
    found = [fetch_after(first, then[0]), *(fetch(*one) for one in then[1:])]
    return [rows[0][0] if rows else None for rows in found]
