"""One person on one project: whether they get another HIT, and what they did, counted."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from django.db.models import Exists, F

from backend.annotation.models import Standing, StandingState
from backend.annotation.qualification.qualifying import why_not_qualified
from backend.annotation.quality.between_replays import act_on_controls
from backend.annotation.refusals import Raced
from backend.common.compiled import CompiledUpdate
from backend.methods.assignment import order_seed
from backend.projects.models import Project

LOOKS_EVERY = 6  # pages
Idle = Literal["paused", "excluded", "not_qualified"]
COUNTED = CompiledUpdate(
    lambda ask: (
        Standing.objects.filter(
            Exists(Project.objects.filter(pk=ask("project"), version=ask("version"))), pk=ask("pk")
        ),
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


def count_work(
    *, standing: Standing, project: Project, n_submitted: int = 0, n_graded: int = 0, n_failed: int = 0
) -> None:
    """Add to the counters, in the row and in the object. The caller holds the standing, and the HIT, which is settled
    next by the settings that `project` was read with.

    Raises Raced where others are in force meanwhile, and reads them: they may have settled the HIT before this page was
    on it, and whoever settled it now by the old ones would leave it so for good.

    Every so many pages the rules in force look at the counters as they were before this page: failed controls may warn
    or pause the person with this answer. So what follows a page tells nothing of that page, only that there was a
    control among those since the last look.
    """
    counts = {"n_submitted": n_submitted, "n_graded": n_graded, "n_failed": n_failed}
    if not COUNTED.run(pk=standing.pk, project=project.pk, version=project.version, **counts):
        project.refresh_from_db()
        raise Raced()
    if n_submitted and standing.n_failed and _is_looked_at(standing):
        act_on_controls(standing=standing)
    standing.n_submitted += n_submitted
    standing.n_graded += n_graded
    standing.n_failed += n_failed


def _is_looked_at(standing: Standing) -> bool:
    """By how many pages they did, from a first one that the site's secret draws for each person."""
    first = order_seed(settings.SECRET_KEY, "looked at", standing.project_id, standing.user_id)
    return (standing.n_submitted + first) % LOOKS_EVERY == 0
