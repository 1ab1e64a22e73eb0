"""Who met which hidden control, and how they answered it.

It is written in as many statements whether a page holds one or not: whoever times the answers of the site would else
know the pages that do. So where a project has a rate of controls, a page without one writes the meeting of a control
that there is not, and the outcome of a meeting that never was.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import connection

from backend.annotation.models import Assignment, ControlOutcome
from backend.common.prepared import adapted, fetch

NO_CONTROL = 0
# SQL of our own: the ORM neither inserts what it selects nor answers an update. On both databases alike.
MEET = """
INSERT INTO annotation_controlmeeting (created_at, control_id, annotator_id, assignment_id, outcome)
SELECT %(now)s, id, %(annotator)s, %(assignment)s, %(outcome)s FROM annotation_control WHERE id = %(control)s
RETURNING outcome
"""
GRADE = """
UPDATE annotation_controlmeeting SET outcome = %(outcome)s
WHERE assignment_id = %(assignment)s AND control_id = (
  SELECT id FROM annotation_control WHERE candidate_id = %(candidate)s)
RETURNING (SELECT state FROM annotation_control WHERE id = control_id)
"""


def note_meetings(assignment: Assignment, controls: Collection[int]) -> bool:
    """That the page's holder met these controls, by their ids; whether all are there still. Raises IntegrityError where
    they met one before."""
    n_met = 0
    for control_id in controls or ([NO_CONTROL] if assignment.project.control_rate else []):
        given = {"now": assignment.leased_at, "annotator": assignment.annotator_id, "control": control_id}
        n_met += len(_run(MEET, given | {"assignment": assignment.pk, "outcome": ControlOutcome.PENDING.value}))
    return n_met == len(controls)


def note_outcomes(assignment: Assignment, outcomes: Mapping[int, str]) -> dict[int, str]:
    """How the page's controls were answered, by candidate id; gives the state that each of them is in now."""
    states: dict[int, str] = {}
    for pair, outcome in (outcomes or _none_of(assignment)).items():
        for (state,) in _run(GRADE, {"assignment": assignment.pk, "candidate": pair, "outcome": outcome}):
            states[pair] = state
    return states


def _none_of(assignment: Assignment) -> dict[int, str]:
    """What changes nothing on a page without controls."""
    return {assignment.shown[0]: ControlOutcome.PENDING.value} if assignment.project.control_rate else {}


def _run(statement: str, given: Mapping[str, object]) -> list[tuple[str]]:
    return fetch(statement, {name: adapted(value, connection) for name, value in given.items()})
