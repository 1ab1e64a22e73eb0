"""How far one annotator and the whole project are, from counters."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count
from django.utils import timezone

from backend.annotation.models import Hit, Slot
from backend.annotation.selectors import IS_AHEAD, annotator_state_of
from backend.people.models import User
from backend.projects.models import Project

SECONDS = 10  # that the counts of the project stand: annotators ask after each assignment


@dataclass(frozen=True)
class Progress:
    """One unit of work is an assignment: a HIT done by one person. Days are those of UTC."""

    submitted_today: int
    submitted_total: int
    judgments_total: int
    ms_today: int
    hits: int
    assignments_needed: int
    assignments_submitted: int


def get_progress(*, project: Project, user: User) -> Progress:
    """The annotator's own counters, and those of the project, which are up to SECONDS old."""
    mine = annotator_state_of(project=project, user=user)
    is_today = mine.today == timezone.now().date()
    hits, needed, ahead = _count_project(project)
    return Progress(
        submitted_today=mine.n_today if is_today else 0,
        submitted_total=mine.n_submitted,
        judgments_total=mine.n_judgments,
        ms_today=mine.ms_today if is_today else 0,
        hits=hits,
        assignments_needed=needed,
        assignments_submitted=needed - ahead,
    )


def _count_project(project: Project) -> tuple[int, int, int]:
    """HITs, slots, and slots that are not submitted."""
    key = f"progress:{project.pk}"
    known: tuple[int, int, int] | None = cache.get(key)
    if known is None:
        slots = Slot.objects.filter(project=project).aggregate(n=Count("pk"), n_ahead=Count("pk", filter=IS_AHEAD))
        known = (Hit.objects.filter(project=project).count(), slots["n"], slots["n_ahead"])
        cache.set(key, known, timeout=SECONDS)
    return known
