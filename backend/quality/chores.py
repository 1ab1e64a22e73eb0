"""What a clock starts: rules on controls that act at once, and runs that apply the active rules again."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import LEFT_TO_RULES, WORKING, AnnotatorState
from backend.annotation.selectors import newest_judgment_id
from backend.controls.audit import list_quarantined
from backend.methods.quality import Outcome, Rule, live_outcome, read_rules
from backend.projects.models import Project
from backend.quality.annotators import is_harder
from backend.quality.models import QualityPolicy
from backend.runs.models import Run
from backend.runs.services import NotStartable, StageRunning, start_run

STAGE = "apply_policy"
EVERY = timedelta(hours=1)  # between two runs: controls act at once, and every run is shown to people


def act_on_controls() -> int:
    """Warn or pause annotators by the active rules on their counters of controls; how many.

    It never excludes, as that changes which judgments count: the next replay does. It never makes a state less
    strict, and it changes no state that a person decided.
    """
    n_changed = 0
    for policy in QualityPolicy.objects.filter(in_force_since__isnull=False).select_related("project"):
        rules = read_rules(policy.rules)
        failing = AnnotatorState.objects.filter(project=policy.project, n_failed__gt=0, state__in=WORKING)
        users = [each.user_id for each in failing if _harder_outcome(rules, each)]
        n_changed += sum(_harden(policy.project, rules, user) for user in users)
    return n_changed


def _harder_outcome(rules: tuple[Rule, ...], annotator_state: AnnotatorState) -> Outcome | None:
    """What the counters say, if that is stricter than the state."""
    found = live_outcome(rules, n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    return found if is_harder(found.state, than=annotator_state.state) else None


@transaction.atomic
def _harden(project: Project, rules: tuple[Rule, ...], user: int) -> bool:
    """Checks again behind the lock: the annotator, or a person who decides, may have been faster."""
    [annotator_state] = lock_annotator_states(project, [user])
    newest = annotator_state.decisions.order_by("-pk").first()
    found = _harder_outcome(rules, annotator_state)
    if found is None or (newest and newest.state not in LEFT_TO_RULES):
        return False
    annotator_state.state, annotator_state.reasons = found.state, list(found.reasons)
    annotator_state.save(update_fields=["state", "reasons"])
    return True


def reapply_policies() -> int:
    """Apply the active rules again in each project that needs it; how many.

    A project needs it if its last run is an hour old and there are new judgments, or other controls in quarantine.
    """
    n_started = 0
    for policy in QualityPolicy.objects.filter(in_force_since__isnull=False).select_related("project"):
        if _is_due(policy.project):
            with suppress(NotStartable, StageRunning):
                start_run(project=policy.project, stage=STAGE)
                n_started += 1
    return n_started


def _is_due(project: Project) -> bool:
    last = Run.objects.filter(project=project, stage=STAGE).order_by("-created_at").first()
    if last is None:
        return newest_judgment_id(project=project) > 0
    if last.created_at > timezone.now() - EVERY:
        return False
    if list_quarantined(project=project) != last.cursor.get("quarantined"):
        return True
    return bool(newest_judgment_id(project=project) > last.cursor.get("until", 0))
