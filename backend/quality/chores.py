"""What a clock starts: rules on controls that act at once, and runs that apply the active rules again."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import LEFT_TO_RULES, WORKING, AnnotatorState, AnnotatorStatus
from backend.annotation.selectors import newest_judgment_id
from backend.controls.audit import list_quarantined
from backend.methods.quality import Rule, live_outcome, read_rules
from backend.projects.models import Project
from backend.quality.annotators import HARDNESS
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
    active = QualityPolicy.objects.filter(in_force_since__isnull=False).select_related("project")
    return sum(_act(policy.project, read_rules(policy.rules)) for policy in active)


def _act(project: Project, rules: tuple[Rule, ...]) -> int:
    failing = AnnotatorState.objects.filter(project=project, n_failed__gt=0, state__in=WORKING)
    harder = [annotator_state.user_id for annotator_state in failing if _is_harder(rules, annotator_state)]
    return sum(_harden(project, rules, user) for user in harder)


def _is_harder(rules: tuple[Rule, ...], annotator_state: AnnotatorState) -> bool:
    found = live_outcome(rules, n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    return HARDNESS.index(AnnotatorStatus(found.state)) > HARDNESS.index(AnnotatorStatus(annotator_state.state))


@transaction.atomic
def _harden(project: Project, rules: tuple[Rule, ...], user: int) -> bool:
    """Checks again behind the lock: the annotator, or a person who decides, may have been faster."""
    [annotator_state] = lock_annotator_states(project, [user])
    newest = annotator_state.decisions.order_by("-pk").first()
    if not _is_harder(rules, annotator_state) or (newest and newest.state not in LEFT_TO_RULES):
        return False
    found = live_outcome(rules, n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    annotator_state.state, annotator_state.reasons = found.state, list(found.reasons)
    annotator_state.save(update_fields=["state", "reasons"])
    return True


def reapply_policies() -> int:
    """Apply the active rules again in each project that needs it; how many.

    A project needs it if its last run is an hour old and there are new judgments, or other controls in quarantine.
    """
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
