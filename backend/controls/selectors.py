"""Reads over controls, for curators and head annotators alone."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet

from backend.annotation.models import ControlOutcome
from backend.common.errors import existing
from backend.projects.models import Project
from backend.qualification.models import Control
from backend.qualification.selectors import count_answers

COUNTED = {
    "n_met": ~Q(judgments__outcome=""),
    "n_passed": Q(judgments__outcome=ControlOutcome.PASSED),
    "n_failed": Q(judgments__outcome=ControlOutcome.FAILED),
    "n_unsure": Q(judgments__outcome=ControlOutcome.UNSURE),
}


def list_controls(
    *, project: Project, state: str = "", is_quiz: bool | None = None, text: str = ""
) -> QuerySet[Control]:
    """The project's controls, newest first, with how people answered them. An empty filter asks nothing."""
    found = Control.objects.filter(project=project)
    found = found.filter(state=state) if state else found
    found = found if is_quiz is None else found.filter(is_quiz=is_quiz)
    found = found.filter(candidate__text__icontains=text) if text else found
    return _described(found).order_by("-id")


def get_control(*, project: Project, control_id: int) -> Control:
    """One control of the project, as the list shows it. Raises NotFound for ids that are not in it."""
    found = existing(_described(Control.objects.filter(project=project, pk=control_id)).first())
    with_quiz_answers([found])
    return found


def with_quiz_answers(controls: Sequence[Control]) -> Sequence[Control]:
    """Adds to what these controls of one project tell what people said when the quiz asked them first."""
    asked = [control for control in controls if control.is_quiz]
    fared = count_answers(project_id=asked[0].project_id) if asked else {}
    for control in asked:
        for name, n in fared.get(control.candidate_id, {}).items():
            setattr(control, name, getattr(control, name) + n)
    return controls


def _described(controls: QuerySet[Control]) -> QuerySet[Control]:
    counts = {name: Count("judgments", filter=such) for name, such in COUNTED.items()}
    return controls.select_related("project", "candidate__image", "candidate__query", "created_by").annotate(**counts)
