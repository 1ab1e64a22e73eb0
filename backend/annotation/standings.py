"""One person on one project: whether they get another HIT, and what they did, counted."""

from __future__ import annotations

from typing import Literal

from django.db.models import F

from backend.annotation.models import Standing, StandingState
from backend.annotation.qualification.qualifying import why_not_qualified
from backend.annotation.quality.at_once import act_at_once
from backend.common.compiled import CompiledUpdate
from backend.projects.models import Project

Idle = Literal["paused", "excluded", "not_qualified"]
COUNTED = CompiledUpdate(
    lambda ask: (
        Standing.objects.filter(pk=ask("pk")),
        {name: F(name) + ask(name) for name in ("n_submitted", "n_graded", "n_failed")},
    )
)


def why_idle(*, standing: Standing, project: Project) -> Idle | None:
    """Why this person gets no HIT however many there are, or None."""
    state = StandingState(standing.state)
    if not state.may_work:
        return "excluded" if state is StandingState.EXCLUDED else "paused"
    return "not_qualified" if why_not_qualified(standing=standing, project=project) else None


def is_capped(*, standing: Standing, project: Project, n_held: int) -> bool:
    """Whether what they submitted and hold comes to what one person may do."""
    most = project.hits_per_annotator
    return most is not None and standing.n_submitted + n_held >= most


def count_work(*, standing: Standing, n_submitted: int = 0, n_graded: int = 0, n_failed: int = 0) -> None:
    """Add to the counters, in the row and in the object; a control failed by a submit may pause the person at once.

    Not by a change of mind: who sees what happens after changing one answer would know a control by it. The caller
    holds the standing.
    """
    COUNTED.run(pk=standing.pk, n_submitted=n_submitted, n_graded=n_graded, n_failed=n_failed)
    standing.n_submitted += n_submitted
    standing.n_graded += n_graded
    standing.n_failed += n_failed
    if n_failed > 0 and n_submitted:
        act_at_once(standing=standing)
