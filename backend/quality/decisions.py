"""An annotator state decided by hand, above the policy."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from django.db import transaction

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import LEFT_TO_RULES, WORKING, AnnotatorState, AnnotatorStatus, DecidedStatus
from backend.common.errors import Conflict, InvalidInput, NotAllowed, NotFound
from backend.common.models import LARGEST_ID
from backend.methods.quality import Finding, Outcome, live_outcome, outcome_of, read_rules
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Membership, Project, Role
from backend.quality.annotators import is_harder
from backend.quality.horizon import read_decisions
from backend.quality.replay import settle_outcome
from backend.quality.selectors import get_last_replay, get_policy_in_force, lock_policies
from backend.quality.services import STATUS, recount, set_outcome

HEADS_PAUSE = (DecidedStatus.PAUSED, True)  # a decision, and whether a person who is a head annotator today made it


class NoSuchAnnotator(NotFound):
    """No annotator with this id works on this project."""

    code = "no_such_annotator"


class OnlyPause(NotAllowed):
    """A head annotator can pause, end the pause, or confirm a check. Ask a curator for more."""

    code = "only_pause"


class PausedAlready(NotAllowed):
    """The rules or a curator already paused or excluded this annotator. Ask a curator."""

    code = "paused_already"


class NotOneself(NotAllowed):
    """You cannot decide about yourself. Ask another head annotator or a curator."""

    code = "not_oneself"


class NotAsked(Conflict):
    """No rule asks for a check of this annotator now. Reload the page."""

    code = "review_not_asked"


@transaction.atomic
def decide_status(
    *, project: Project, user_id: int, state: DecidedStatus, reason: str, decided_by: User, may_curate: bool = True
) -> AnnotatorState:
    """Set the status of an annotator by hand, until the next decision; POLICY gives it back to the rules.

    REVIEWED also leaves it to the rules; rules that asked for a check ask again only because of later work. Raises
    InvalidInput without a reason, NotAllowed if only a curator or another head annotator may decide, Conflict if no
    rule asks for a check, NotFound for a person who neither belongs to the project nor worked on it.
    """
    if not reason.strip():
        raise InvalidInput("Write a reason. The annotator can read it.", code="no_reason", field="reason")
    lock_policies(project)
    annotator_state = _lock_state(project, user_id)
    stored = _decision_to_store(annotator_state, state, decided_by, may_curate=may_curate)
    if stored is None:
        return annotator_state
    decision = annotator_state.decisions.create(state=stored, reason=reason.strip(), decided_by=decided_by)
    was = annotator_state.state
    is_of_rules = stored in LEFT_TO_RULES
    outcome = _by_the_rules(annotator_state) if is_of_rules else settle_outcome(Outcome(), decision)
    set_outcome(annotator_state, outcome).save(update_fields=STATUS)
    record(
        RightsAction.ANNOTATOR_DECIDED, by=decided_by, subject=annotator_state.user, project=project,
        before={"state": was}, after={"state": annotator_state.state, "decided": stored},
    )  # fmt: skip
    if AnnotatorStatus.EXCLUDED in (was, annotator_state.state) and was != annotator_state.state:
        recount(project=project, users=[user_id])
    return annotator_state


def list_decidable(*, annotator_state: AnnotatorState, decided_by: User, may_curate: bool) -> list[DecidedStatus]:
    """What this person may decide about the annotator now; for head annotators only what would change something."""
    found = []
    for state in DecidedStatus:
        with suppress(NotAllowed, Conflict):
            if _decision_to_store(annotator_state, state, decided_by, may_curate=may_curate):
                found.append(state)
    return found


def _lock_state(project: Project, user_id: int) -> AnnotatorState:
    if user_id > LARGEST_ID:
        raise NoSuchAnnotator()
    if Membership.objects.filter(project=project, user=user_id).exists():
        AnnotatorState.objects.get_or_create(project=project, user_id=user_id)
    locked = lock_annotator_states(project, [user_id])
    if not locked or locked[0].is_unnamed:  # votes without names belong to no person
        raise NoSuchAnnotator()
    return locked[0]


def _decision_to_store(
    annotator_state: AnnotatorState, state: DecidedStatus, decided_by: User, *, may_curate: bool
) -> DecidedStatus | None:
    """The decision that is stored; None if it is in force already. Raises NotAllowed and Conflict."""
    if annotator_state.user_id == decided_by.pk and not may_curate:
        raise NotOneself()
    if state == DecidedStatus.REVIEWED and not annotator_state.needs_review:
        raise NotAsked()
    return state if may_curate else _of_head(annotator_state, state)


def _of_head(annotator_state: AnnotatorState, state: DecidedStatus) -> DecidedStatus | None:
    """A head annotator can confirm a check, pause an active annotator, and end a pause of a head annotator: then the
    decision before the pause holds again."""
    may_work = annotator_state.state in WORKING
    if state == DecidedStatus.REVIEWED or (state == DecidedStatus.PAUSED and may_work):
        return state
    if state not in (DecidedStatus.PAUSED, DecidedStatus.POLICY):
        raise OnlyPause()
    members = Membership.objects.filter(project=annotator_state.project_id, role=Role.HEAD_ANNOTATOR)
    heads = set(members.values_list("user", flat=True))
    rows = annotator_state.decisions.order_by("-pk").values_list("state", "decided_by")[:2]
    newest = [(DecidedStatus(state), user in heads) for state, user in rows]
    last, before, *_ = [*newest, *2 * [(DecidedStatus.POLICY, False)]]  # without a decision the rules decide
    if state == DecidedStatus.PAUSED:
        if last == HEADS_PAUSE:
            return None
        raise PausedAlready()
    if last == HEADS_PAUSE:
        if before[0] in (DecidedStatus.PAUSED, DecidedStatus.EXCLUDED):
            raise PausedAlready()
        return before[0]
    if may_work and before == HEADS_PAUSE and last[1]:
        return None  # a head annotator ended the pause already
    raise OnlyPause()


def _by_the_rules(annotator_state: AnnotatorState) -> Outcome:
    """The stricter of what the newest replay found and what the counters of controls say now.

    Without the counters, POLICY would end a pause that the rules made after the newest replay.
    """
    last = get_last_replay(project=annotator_state.project)
    found = outcome_of(
        Finding(each["rule"], each["collector"], each["action"], each["evidence"])
        for each in (last.findings if last else ())
        if each["user_id"] == annotator_state.user_id
    )
    looks = read_decisions(project=annotator_state.project).looks if found.needs_review else {}
    if last and (look := looks.get(annotator_state.user_id)):
        found = replace(found, needs_review=look.pk <= last.horizon["decided_until"])
    policy = get_policy_in_force(project=annotator_state.project)
    rules = read_rules(policy.rules) if policy else ()
    live = live_outcome(rules, n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    if is_harder(live.state, than=found.state):
        return replace(live, needs_review=found.needs_review)
    return found
