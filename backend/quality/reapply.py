"""Policies in force look at what came since, by the clock: a pause between two replays becomes what they say."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from backend.annotation.selectors import newest_judgment_id
from backend.controls.audit import list_quarantined
from backend.projects.models import Project
from backend.quality.models import QualityPolicy
from backend.runs.models import Run
from backend.runs.services import NotStartable, StageRunning, start_run

STAGE = "apply_policy"
EVERY = timedelta(hours=1)  # failed controls act before, so the rest may wait; each look is a run that people read


def reapply_policies() -> int:
    """Start a run for each project whose policy has not looked for an hour at judgments that came since, or at controls
    that a person has put into quarantine or taken out of it. How many."""
    in_force = QualityPolicy.objects.filter(in_force_since__isnull=False).select_related("project")
    return sum(_start(policy.project) for policy in in_force if _is_due(policy.project))


def _is_due(project: Project) -> bool:
    last = Run.objects.filter(project=project, stage=STAGE).order_by("-created_at").first()
    if last is None:
        return newest_judgment_id(project=project) > 0
    if last.created_at > timezone.now() - EVERY:
        return False
    out = list_quarantined(project=project)
    if out != last.cursor.get("quarantined"):
        return True
    return bool(newest_judgment_id(project=project) > last.cursor.get("until", 0))


def _start(project: Project) -> bool:
    try:
        start_run(project=project, stage=STAGE)
    except (NotStartable, StageRunning):
        return False
    return True
