"""An annotator state decided by hand, above the policy."""

from __future__ import annotations

from dataclasses import replace
from itertools import dropwhile

from django.db import transaction

from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import LEFT_TO_RULES, AnnotatorState, AnnotatorStatus, DecidedStatus, StatusDecision
from backend.annotation.selectors import unnamed_voters
from backend.common.errors import Conflict, InvalidInput, NotAllowed, NotFound
from backend.common.models import LARGEST_ID
from backend.methods.quality import Finding, Outcome, live_outcome, outcome_of, read_rules
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Membership, Project, Role
from backend.quality.annotators import HARDNESS
from backend.quality.horizon import read_look
from backend.quality.models import PolicyReplay
from backend.quality.replay import settle_outcome
from backend.quality.selectors import lock_policies
from backend.quality.services import get_current_rules, recount

Decided = tuple[DecidedStatus, bool]  # and whether a head said so


class NoSuchAnnotator(NotFound):
    """No annotator with this id works on this project."""

    code = "no_such_annotator"


class OnlyPause(NotAllowed):
    """A head annotator can pause, end the pause, or confirm a check. Ask a curator for more."""

    code = "only_pause"


class PausedAlready(NotAllowed):
    """The rules or a curator already paused or excluded this annotator. Ask a curator."""

    code = "paused_already"


class PausedBelow(NotAllowed):
    """A curator paused or excluded this annotator before. Ask a curator to change that."""

    code = "paused_below"


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
    annotator_state = _held(project, user_id)
    decided = _comes_to(annotator_state, state, decided_by, may_curate=may_curate)
    if decided is not None:
        _decide(annotator_state, StatusDecision(state=decided, reason=reason.strip(), decided_by=decided_by))
    return annotator_state


def list_decidable(*, annotator_state: AnnotatorState, decided_by: User, may_curate: bool) -> list[DecidedStatus]:
    """What this person may decide about the annotator now; for head annotators only what would change something."""
    return [state for state in DecidedStatus if _is_open(annotator_state, state, decided_by, may_curate=may_curate)]


def _is_open(annotator_state: AnnotatorState, state: DecidedStatus, decided_by: User, *, may_curate: bool) -> bool:
    try:
        return _comes_to(annotator_state, state, decided_by, may_curate=may_curate) is not None
    except (NotAllowed, Conflict):
        return False


def _comes_to(
    annotator_state: AnnotatorState, state: DecidedStatus, decided_by: User, *, may_curate: bool
) -> DecidedStatus | None:
    """The decision that is stored; None if it is in force already. Raises NotAllowed and Conflict."""
    if annotator_state.user_id == decided_by.pk and not may_curate:
        raise NotOneself()
    if state == DecidedStatus.REVIEWED and not annotator_state.needs_review:
        raise NotAsked()
    return state if may_curate else _of_head(annotator_state, state)


def _decide(annotator_state: AnnotatorState, decision: StatusDecision) -> None:
    decision.annotator_state = annotator_state
    decision.save(force_insert=True)
    outcome = _outcome(annotator_state, decision)
    was = annotator_state.state
    annotator_state.state, annotator_state.needs_review = outcome.state, outcome.needs_review
    annotator_state.reasons = list(outcome.reasons)
    annotator_state.save(update_fields=["state", "needs_review", "reasons"])
    record(
        RightsAction.ANNOTATOR_DECIDED, by=decision.decided_by, subject=annotator_state.user,
        project=annotator_state.project, before={"state": was},
        after={"state": annotator_state.state, "decided": decision.state},
    )  # fmt: skip
    if AnnotatorStatus.EXCLUDED in (was, annotator_state.state) and was != annotator_state.state:
        recount(project=annotator_state.project, users=[annotator_state.user_id])


def _held(project: Project, user_id: int) -> AnnotatorState:
    if user_id > LARGEST_ID or unnamed_voters(project=project).filter(user=user_id).exists():
        raise NoSuchAnnotator()  # votes without names belong to no person
    if not AnnotatorState.objects.filter(project=project, user=user_id).exists():
        if not Membership.objects.filter(project=project, user=user_id).exists():
            raise NoSuchAnnotator()
        AnnotatorState.objects.get_or_create(project=project, user_id=user_id)
    return lock_annotator_states(project, [user_id])[0]


def _of_head(annotator_state: AnnotatorState, state: DecidedStatus) -> DecidedStatus | None:
    """The decision of a head annotator that is stored; None if it is in force already.

    They can pause an active annotator and end a pause of head annotators. Raises NotAllowed for anything else.
    """
    may_work = AnnotatorStatus(annotator_state.state).may_work
    if state == DecidedStatus.REVIEWED or (state == DecidedStatus.PAUSED and may_work):
        return state
    if state not in (DecidedStatus.PAUSED, DecidedStatus.POLICY):
        raise OnlyPause()
    said = _newest_first(annotator_state)
    below = list(dropwhile(_is_heads_pause, said))
    if len(below) < len(said):
        return None if state == DecidedStatus.PAUSED else _taken_back(below[0][0] if below else None)
    if state == DecidedStatus.POLICY and may_work and _ends_heads_pause(said):
        return None
    raise PausedAlready() if state == DecidedStatus.PAUSED else OnlyPause()


def _taken_back(below: DecidedStatus | None) -> DecidedStatus:
    """The decision before the pause. Raises PausedBelow if that was a pause or an exclusion."""
    if below in (DecidedStatus.PAUSED, DecidedStatus.EXCLUDED):
        raise PausedBelow()
    return below or DecidedStatus.POLICY


def _newest_first(annotator_state: AnnotatorState) -> list[Decided]:
    """Every decision, and whether a person who is a head annotator today made it."""
    members = Membership.objects.filter(project=annotator_state.project_id, role=Role.HEAD_ANNOTATOR)
    heads = set(members.values_list("user", flat=True))
    rows = annotator_state.decisions.order_by("-pk").values_list("state", "decided_by")
    return [(DecidedStatus(state), user in heads) for state, user in rows]


def _is_heads_pause(said: Decided) -> bool:
    return said == (DecidedStatus.PAUSED, True)


def _ends_heads_pause(said: list[Decided]) -> bool:
    """Whether the newest decision ended a head annotator's pause, and a head annotator made it."""
    return len(said) > 1 and said[0][1] and not _is_heads_pause(said[0]) and _is_heads_pause(said[1])


def _outcome(annotator_state: AnnotatorState, decision: StatusDecision) -> Outcome:
    found = _by_the_rules(annotator_state)
    found = replace(found, needs_review=found.needs_review and not _is_looked_at(annotator_state))
    return settle_outcome(found, None if decision.state in LEFT_TO_RULES else decision)


def _is_looked_at(annotator_state: AnnotatorState) -> bool:
    """Whether a check is newer than the newest replay."""
    look, replay = read_look(annotator_state=annotator_state), _last_replay(annotator_state)
    return look is not None and (replay is None or replay.horizon["decided_until"] < look.pk)


def _by_the_rules(annotator_state: AnnotatorState) -> Outcome:
    """The stricter of what the newest replay found and what the counters of controls say now.

    Without the counters, POLICY would end a pause that the rules made after the newest replay.
    """
    found, rules = _found(annotator_state), get_current_rules(project=annotator_state.project)
    if not rules:
        return found
    live = live_outcome(read_rules(rules), n_graded=annotator_state.n_graded, n_failed=annotator_state.n_failed)
    is_harder = HARDNESS.index(AnnotatorStatus(live.state)) > HARDNESS.index(AnnotatorStatus(found.state))
    return Outcome(live.state, found.needs_review, live.reasons) if is_harder else found


def _found(annotator_state: AnnotatorState) -> Outcome:
    """What the active version found about the annotator in its newest replay."""
    last = _last_replay(annotator_state)
    rows = last.findings.filter(user=annotator_state.user_id) if last else []
    return outcome_of(Finding(row.rule, row.collector, row.action, row.evidence) for row in rows)  # type: ignore[arg-type]  # as stored


def _last_replay(annotator_state: AnnotatorState) -> PolicyReplay | None:
    in_force = PolicyReplay.objects.filter(
        policy__project=annotator_state.project_id, policy__in_force_since__isnull=False
    )
    return in_force.first()
