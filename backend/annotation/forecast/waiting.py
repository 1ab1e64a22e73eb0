"""HITs that wait for somebody new: they want a judgment more, and everybody who works on the project has had them.

It comes of small teams: people disagree on a pair, skip it, or send it too late, and nobody is left for another turn.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, QuerySet

from backend.annotation.coming import list_able_to_pass, list_members
from backend.annotation.models import DONE, Assignment, AssignmentStatus, Slot, Standing
from backend.projects.models import Project

HAD_FOR_GOOD = (*DONE, AssignmentStatus.SKIPPED)  # what ran out or was returned may come back to the same person


def list_team(*, project: Project) -> QuerySet[Standing]:
    """Who works on the project: they have submitted something, and can come again, be it after the quiz."""
    return list_able_to_pass(project=project).filter(n_submitted__gt=0)


def count_waiting_for_new(
    *, project: Project, hits: Collection[int], team: Collection[int], new: Collection[int]
) -> int:
    """How many of these HITs have a free place that nobody of the `team` can take; `hits` are few, and `new` are those
    who are counted on and have submitted nothing.

    All of them once everybody who began has left or may do no more; none before anybody began, while somebody can.
    """
    if not team and not _has_begun(project) and _can_begin(project, new):
        return 0
    free = Slot.objects.filter(hit__in=hits, assignment=None)
    if team:
        had = Assignment.objects.filter(hit__in=hits, annotator__in=team, status__in=HAD_FOR_GOOD).order_by()
        free = free.filter(hit__in=had.values("hit").annotate(n=Count("pk")).filter(n=len(team)).values("hit"))
    return free.order_by().values("hit").distinct().count()


def _has_begun(project: Project) -> bool:
    """Whether anybody has submitted anything; those whose judgments were imported cannot sign in."""
    return Standing.objects.filter(project=project, n_submitted__gt=0, user__is_active=True).exists()


def _can_begin(project: Project, new: Collection[int]) -> bool:
    """A project without annotators waits for its curator, who knows."""
    return bool(new) or not list_members(project=project).exists()
