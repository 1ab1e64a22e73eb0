"""HITs that wait for somebody new: they want a judgment more, and everybody who works on the project has had them.

It comes of small teams: people disagree on a pair, skip it, or send it too late, and nobody is left for another turn.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, QuerySet

from backend.annotation.models import DONE, WORKING, Assignment, AssignmentStatus, Slot, Standing
from backend.projects.models import Project

HAD_FOR_GOOD = (*DONE, AssignmentStatus.SKIPPED)  # what ran out or was returned may come back to the same person


def list_team(*, project: Project) -> QuerySet[Standing]:
    """Who works on the project: they have submitted something, and may go on."""
    return Standing.objects.filter(project=project, state__in=WORKING, n_submitted__gt=0).order_by()


def count_waiting_for_new(*, project: Project, hits: Collection[int]) -> int:
    """How many of these HITs have a free place that nobody of the team can take. Two statements; `hits` are few."""
    team = set(list_team(project=project).values_list("user", flat=True))
    had = Assignment.objects.filter(hit__in=hits, annotator__in=team, status__in=HAD_FOR_GOOD).order_by()
    by_all = had.values("hit").annotate(n=Count("pk")).filter(n=len(team)).values("hit")
    return Slot.objects.filter(hit__in=by_all, assignment=None).order_by().values("hit").distinct().count()
