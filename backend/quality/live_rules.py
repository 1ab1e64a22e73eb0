"""The rules on controls, applied between two replays: failing control after control has effect without waiting."""

from __future__ import annotations

from django.db import transaction

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import LEFT_TO_RULES, WORKING, AnnotatorState
from backend.methods.quality import Rule, live_outcome, read_rules
from backend.projects.models import Project
from backend.quality.models import QualityPolicy

HARDNESS = ("active", "warned", "paused", "excluded")


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
    return HARDNESS.index(found.state) > HARDNESS.index(annotator_state.state)


@transaction.atomic
def _harden(project: Project, rules: tuple[Rule, ...], user: int) -> bool:
    """Looks again once the state is locked: the annotator, or a person who decides, may have been faster."""
    [annotator_state] = lock_annotator_states(project, [user])
    newest = annotator_state.decisions.order_by("-pk").first()
    if not _is_harder(rules, annotator_state) or (newest and newest.state not in LEFT_TO_RULES):
        return False
    found = live_outcome(rules, n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    annotator_state.state, annotator_state.reasons = found.state, list(found.reasons)
    annotator_state.save(update_fields=["state", "reasons"])
    return True
