"""A standing decided by hand, above the policy."""

from __future__ import annotations

from dataclasses import replace

from django.db import transaction

from backend.annotation.holding import hold_policies, hold_standings
from backend.annotation.models import (
    LEFT_TO_RULES,
    DecidedState,
    PolicyReplay,
    Standing,
    StandingDecision,
    StandingState,
)
from backend.annotation.quality.between_replays import HARDNESS
from backend.annotation.quality.policies import get_current_rules, recount
from backend.annotation.quality.replaying import settle_outcome
from backend.annotation.selectors import unnamed_voters
from backend.common.errors import Conflict, InvalidInput, NotAllowed, NotFound
from backend.common.models import LARGEST_ID
from backend.methods.quality import Finding, Outcome, live_outcome, outcome_of, read_rules
from backend.people.models import User
from backend.projects.models import Membership, Project, Role

NO_REASON = "Say why, in a sentence that the person concerned may read."
NOBODY = "Nobody of that id works on this project."
ONLY_PAUSE = "A head annotator may pause somebody, and take such a pause back. Ask a curator for more."
NOT_ASKED = "No rule asks for a look at this person just now. Reload to see how they stand."


@transaction.atomic
def decide_standing(
    *, project: Project, user_id: int, state: DecidedState, reason: str, decided_by: User, may_curate: bool = True
) -> Standing:
    """Let the person's standing be what somebody says, until they say otherwise; POLICY hands it back to the rules.

    REVIEWED leaves it to them: those that asked for a review ask again where what comes from now on meets them too.
    What they judged starts or stops to count with it, and no judgment is changed. Raises InvalidInput without a reason,
    NotAllowed where only a curator may, Conflict where nothing asks for a review, NotFound for who neither belongs to
    the project nor ever worked on it.
    """
    if not reason.strip():
        raise InvalidInput(NO_REASON, details={"reason": [NO_REASON]})
    hold_policies(project)
    standing = _held(project, user_id)
    if state == DecidedState.REVIEWED and not standing.needs_review:
        raise Conflict(NOT_ASKED)
    state = state if may_curate else _of_head(standing, state)
    decision = StandingDecision(standing=standing, state=state, reason=reason.strip(), decided_by=decided_by)
    decision.save(force_insert=True)
    outcome = _outcome(standing, decision)
    was = standing.state
    standing.state, standing.needs_review = outcome.state, outcome.needs_review
    standing.reasons = list(outcome.reasons)
    standing.save(update_fields=["state", "needs_review", "reasons"])
    if StandingState.EXCLUDED in (was, standing.state) and was != standing.state:
        recount(project=project, users=[user_id])
    return standing


def _held(project: Project, user_id: int) -> Standing:
    if user_id > LARGEST_ID or unnamed_voters(project=project).filter(user=user_id).exists():
        raise NotFound(NOBODY)  # who votes without a name stands for nobody
    if not Standing.objects.filter(project=project, user=user_id).exists():
        if not Membership.objects.filter(project=project, user=user_id).exists():
            raise NotFound(NOBODY)
        Standing.objects.get_or_create(project=project, user_id=user_id)
    return hold_standings(project, [user_id])[0]


def _of_head(standing: Standing, state: DecidedState) -> DecidedState:
    """What a head annotator's word comes to. They pause who works, so that no pause of others becomes theirs to lift;
    taken back, it leaves what had been decided before. Raises NotAllowed for more."""
    if state == DecidedState.REVIEWED or (state == DecidedState.PAUSED and StandingState(standing.state).may_work):
        return state
    newest = list(standing.decisions.order_by("-pk")[:2])
    if state == DecidedState.POLICY and newest and _is_pause_of_head(newest[0]):
        return DecidedState(newest[1].state) if len(newest) > 1 else state
    raise NotAllowed(ONLY_PAUSE)


def _is_pause_of_head(decision: StandingDecision) -> bool:
    """By what its author is today; a pause of somebody who has left is a curator's to lift."""
    heads = Membership.objects.filter(project=decision.standing.project_id, role=Role.HEAD_ANNOTATOR)
    return decision.state == DecidedState.PAUSED and heads.filter(user=decision.decided_by_id).exists()


def _outcome(standing: Standing, decision: StandingDecision) -> Outcome:
    found = _by_the_rules(standing)
    if decision.state == DecidedState.REVIEWED:
        found = replace(found, needs_review=False)
    return settle_outcome(found, None if decision.state in LEFT_TO_RULES else decision)


def _by_the_rules(standing: Standing) -> Outcome:
    """What the version in force says of the person: the harder of what the last replay found and the counters since.

    Without the counters a pause between two replays would be lifted by handing it back to the rules that made it.
    """
    found, rules = _found(standing), get_current_rules(project=standing.project)
    if not rules:
        return found
    live = live_outcome(read_rules(rules), n_graded=standing.n_graded, n_failed=standing.n_failed)
    is_harder = HARDNESS.index(live.state) > HARDNESS.index(found.state)
    return Outcome(live.state, found.needs_review, live.reasons) if is_harder else found


def _found(standing: Standing) -> Outcome:
    """What the version in force found of the person when it was last applied."""
    in_force = PolicyReplay.objects.filter(
        policy__project=standing.project_id, policy__in_force_since__isnull=False
    ).first()
    rows = in_force.findings.filter(user=standing.user_id) if in_force else []
    return outcome_of(Finding(row.rule, row.collector, row.action, row.evidence) for row in rows)  # type: ignore[arg-type]  # as stored
