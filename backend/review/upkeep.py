"""What nobody asks for and nobody should wait for: folding what piles up, and drawing intervals again."""

from __future__ import annotations

import time

from django.db.models import BigIntegerField, Case, ExpressionWrapper, F, OuterRef, QuerySet, Subquery, When

from backend.annotation.models import Judgment
from backend.projects.models import Project
from backend.review.agreement import renew_figures
from backend.review.drawing import MANNER, draw_stale
from backend.review.folding import fold
from backend.review.models import AgreementTable, Scope

MOST_SECONDS = 60
MOST_AT_ONCE = 20_000


def keep_up() -> int:
    """Fold what waits in every project, for a minute each at most, and renew the figures and intervals of those whose
    sums have changed since they were drawn. Returns how many judgments were looked at. Two at once do nothing twice."""
    waiting = set(
        Judgment.objects.filter(is_dirty=True).order_by().values_list("candidate__project", flat=True).distinct()
    )
    projects = Project.objects.in_bulk(waiting.union(_list_behind().values_list("project", flat=True)))
    return sum(_keep_up(project) for _, project in sorted(projects.items()))


def _list_behind() -> QuerySet[AgreementTable]:
    """Slices whose intervals are of other sums than those of now, or were thrown away; however long nobody has judged,
    for the site may have been down when they were due. `drawing.token_of` in SQL."""
    overall = AgreementTable.objects.filter(project=OuterRef("project"), scope=Scope.OVERALL).values("version")[:1]
    both = ExpressionWrapper(F("version") + Subquery(overall), output_field=BigIntegerField())
    sums = Case(When(scope=Scope.EDIT, then=both), default=F("version"), output_field=BigIntegerField())
    return AgreementTable.objects.order_by().exclude(draws_version=sums + MANNER)


def _keep_up(project: Project) -> int:
    began, n_folded = time.monotonic(), 0
    while time.monotonic() - began < MOST_SECONDS and (n := fold(project=project, most=MOST_AT_ONCE)):
        n_folded += n
    renew_figures(project=project)
    draw_stale(project=project, is_quiet=not n_folded)
    return n_folded
