"""Where no policy is in force controls audit themselves all the same, by the clock, as replays have them do elsewhere.

One that good annotators fail tells the stop rule that they are bad, and more people are asked than need be. Whoever
puts a policy in force later finds scores that are right.

What was audited is kept in the cache, as sums of the counters that an audit reads from. So one statement finds what is
due, and a project where nobody meets a control costs nothing more. A cache that is lost costs an audit of each, which
finds what the last one left: nothing. So does a worker killed before the note, and another clock at the same moment.
"""

from __future__ import annotations

from typing import NamedTuple

import structlog
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Sum
from django.utils import timezone

from backend.annotation.controls.auditing import audit_controls, list_accused
from backend.annotation.models import QualityPolicy, Standing
from backend.annotation.quality.reapplying import EVERY
from backend.projects.models import Project

NOTE = "controls_audited:{project}"
logger = structlog.get_logger(__name__)


class Scores(NamedTuple):
    """All controls graded in a project, and failed: with each answer, and each control put out or back, others."""

    n_graded: int
    n_failed: int


def audit_unpoliced() -> int:
    """Let the controls of projects without a policy in force audit themselves, where people have met some since the
    last audit and that is an hour ago. How many projects were looked at."""
    due = _list_due()
    for project in Project.objects.filter(pk__in=due).order_by("pk") if due else ():
        if list_accused(project):  # nobody waits for this; the audit itself holds everybody's standing
            quarantined = audit_controls(project)
            logger.info("controls_quarantined", project=project.slug, controls=[one.pk for one in quarantined])
        # A plain tuple: a note outlives the release that wrote it.
        cache.set(NOTE.format(project=project.pk), (tuple(due[project.pk]), timezone.now()), timeout=None)
    return len(due)


def _list_due() -> dict[int, Scores]:
    """Projects to audit, with their scores as they are before it."""
    now, scores = timezone.now(), _list_scores()
    notes = cache.get_many([NOTE.format(project=project) for project in scores])
    due = {}
    for project, found in scores.items():
        audited, at = notes.get(NOTE.format(project=project), (None, now - EVERY))
        if audited != found and at <= now - EVERY:
            due[project] = found
    return due


def _list_scores() -> dict[int, Scores]:
    """Of all projects without a policy in force where somebody has failed a control."""
    in_force = QualityPolicy.objects.filter(project=OuterRef("project"), in_force_since__isnull=False)
    rows = Standing.objects.filter(~Exists(in_force), n_graded__gt=0).order_by().values_list("project")
    sums = rows.annotate(graded=Sum("n_graded"), failed=Sum("n_failed")).filter(failed__gt=0)
    return {project: Scores(n_graded, n_failed) for project, n_graded, n_failed in sums}
