"""Where no policy is in force controls audit themselves all the same, by the clock, as replays have them do elsewhere.

One that good annotators fail tells the stop rule that they are bad, and more people are asked than need be. Whoever
puts a policy in force later finds scores that are right.

What was audited is noted in the cache, as sums of the counters that change with every answer to a control. So one
statement finds what is due, and a project where nobody meets a control costs nothing more. Notes that are lost, a
worker killed before it wrote them, another clock at the same moment cost audits that find nothing new.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Sum
from django.utils import timezone

from backend.annotation.controls.auditing import audit_controls, list_accused
from backend.annotation.models import QualityPolicy, Standing
from backend.annotation.qualification.qualifying import LONG_AGO
from backend.annotation.quality.reapplying import EVERY
from backend.projects.models import Project

NOTES = "controls_audited"  # one entry, by project: many would drive others out of a small cache
Scores = tuple[int, int]  # controls graded in a project, and failed: others after each answer, and each control put out
Note = tuple[Scores, datetime]  # what was audited, and when
logger = structlog.get_logger(__name__)


def audit_unpoliced() -> int:
    """Let the controls of projects without a policy in force audit themselves, where people have met some since the
    last audit and that is an hour ago. How many projects were looked at."""
    scores = _list_scores()
    notes = {project: note for project, note in cache.get(NOTES, {}).items() if project in scores}
    due = {project: found for project, found in scores.items() if _is_due(found, notes.get(project))}
    try:
        # By lot: one whose audit should fail each time keeps no other waiting for ever.
        for project in Project.objects.filter(pk__in=due).order_by("?") if due else ():
            _audit(project)
            notes[project.pk] = (due[project.pk], timezone.now())  # the scores before it: who answers meanwhile is new
    finally:
        if due:
            cache.set(NOTES, notes, timeout=None)
    return len(due)


def _is_due(found: Scores, note: Note | None) -> bool:
    audited, at = note or (None, LONG_AGO)
    return audited != found and at <= timezone.now() - EVERY


def _audit(project: Project) -> None:
    if list_accused(project):  # nobody waits for this; the audit itself holds everybody's standing
        quarantined = audit_controls(project)
        logger.info("controls_quarantined", project=project.slug, controls=[one.pk for one in quarantined])


def _list_scores() -> dict[int, Scores]:
    """Of all projects without a policy in force where somebody has failed a control."""
    in_force = QualityPolicy.objects.filter(project=OuterRef("project"), in_force_since__isnull=False)
    rows = Standing.objects.filter(~Exists(in_force), n_graded__gt=0).order_by().values_list("project")
    sums = rows.annotate(graded=Sum("n_graded"), failed=Sum("n_failed")).filter(failed__gt=0)
    return {project: (n_graded, n_failed) for project, n_graded, n_failed in sums}
