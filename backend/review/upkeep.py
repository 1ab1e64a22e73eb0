"""What nobody asks for and nobody should wait for: folding what piles up, and drawing intervals again."""

from __future__ import annotations

import time
from datetime import timedelta

from django.utils import timezone

from backend.annotation.models import Judgment
from backend.projects.models import Project
from backend.review.agreement import renew_figures
from backend.review.drawing import AGAIN_AFTER, draw_stale
from backend.review.folding import fold
from backend.review.models import AgreementState, AgreementTable

MOST_SECONDS = 60
MOST_AT_ONCE = 20_000


def keep_up() -> int:
    """Fold what waits in every project, for a minute each at most, and renew the figures and intervals of those that
    were folded lately, or of which a migration threw them away. Returns how many judgments were looked at. Two at once
    do nothing twice."""
    waiting = set(
        Judgment.objects.filter(is_dirty=True).order_by().values_list("candidate__project", flat=True).distinct()
    )
    lately = AgreementState.objects.filter(folded_at__gt=timezone.now() - 2 * AGAIN_AFTER - timedelta(minutes=1))
    undrawn = AgreementTable.objects.filter(draws_version=None).order_by()
    projects = Project.objects.in_bulk(
        waiting.union(lately.values_list("project", flat=True), undrawn.values_list("project", flat=True))
    )
    return sum(_keep_up(project) for _, project in sorted(projects.items()))


def _keep_up(project: Project) -> int:
    began, n_folded = time.monotonic(), 0
    while time.monotonic() - began < MOST_SECONDS and (n := fold(project=project, most=MOST_AT_ONCE)):
        n_folded += n
    renew_figures(project=project)
    draw_stale(project=project)
    return n_folded
