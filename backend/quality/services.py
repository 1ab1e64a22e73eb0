"""Make and apply policies. Judgments are never deleted: a policy decides which of them count.

Applying first computes everything without a lock. Then it writes the active version, the states and the findings in one
transaction, because half an exclusion would be a dataset that no version describes. It locks only annotators whose
state changes, and settles a few HITs; the stage `settle` settles many, so that no request that submits waits for it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from backend.annotation.allocation import settle
from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, DecidedStatus, StatusDecision
from backend.common.errors import Conflict, InvalidFields
from backend.controls.audit import audit_controls
from backend.methods.quality import InvalidRules, Outcome, default_rules, read_rules
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Project
from backend.quality.effects import PolicyEffect, count_effect, flips_of, is_changed, states_of
from backend.quality.models import PolicyReplay, QualityPolicy
from backend.quality.replay import PolicyView, evaluate
from backend.quality.selectors import get_last_replay, get_policy_in_force, lock_policies
from backend.runs.models import LIVE, Run
from backend.runs.services import start_run

PREVIEW = "preview_policy"  # the stage
MOST_AT_ONCE = 2000  # HITs settled at once: half a second
STATUS = ("state", "needs_review", "reasons")  # of an annotator state, as the rules or a person decide it


class Moved(Conflict):
    """The status of an annotator changed at the same time. Apply the rules again."""

    code = "moved"


def create_policy(*, project: Project, rules: object, note: str = "", created_by: User | None) -> QualityPolicy:
    """The project's next version, not active yet.

    Raises InvalidFields with a sentence for each fault of the rules; Conflict if another version was made meanwhile.
    """
    try:
        told = [rule.as_json() for rule in read_rules(rules)]
    except InvalidRules as error:
        raise InvalidFields({"rules": error.problems}, code="invalid_rules") from error
    newest = QualityPolicy.objects.filter(project=project).aggregate(newest=Max("version"))["newest"] or 0
    made = QualityPolicy(project=project, version=newest + 1, rules=told, note=note, created_by=created_by)
    active = get_policy_in_force(project=project)
    try:
        with transaction.atomic():
            made.save(force_insert=True)
            record(
                RightsAction.RULES_SAVED, by=created_by, project=project,
                before=_as_told(active), after=_as_told(made) | ({"note": note} if note else {}),
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict(
            "Another person saved a new version at the same time. Look at it, then save yours again.",
            code="version_made_twice",
        ) from error
    return made


def _as_told(policy: QualityPolicy | None) -> dict[str, Any]:
    """As the history of the project keeps a version."""
    return {"version": policy.version, "rules": policy.rules} if policy else {}


def activate_defaults(project: Project) -> QualityPolicy:
    """Version 1 of a new project: the default rules, active from its first day."""
    rules = [rule.as_json() for rule in default_rules()]
    return QualityPolicy.objects.create(project=project, version=1, rules=rules, in_force_since=timezone.now())


def ask_preview(*, policy: QualityPolicy, asked_by: User) -> Run:
    """The run that computes the preview of a version: a live one, or a new one. It replays all, which takes long.

    Raises StageRunning while the preview of another version is computed.
    """
    asked: dict[str, Any] = {"version": policy.version}
    live = Run.objects.filter(project=policy.project_id, stage=PREVIEW, status__in=LIVE, parameters=asked).first()
    return live or start_run(project=policy.project, stage=PREVIEW, parameters=asked, started_by=asked_by)


def preview_policy(*, policy: QualityPolicy) -> tuple[PolicyView, PolicyEffect]:
    """What applying the version now would change; nothing is written."""
    view = evaluate(policy=policy)
    return view, count_effect(project=policy.project, view=view)


def work_out(*, policy: QualityPolicy) -> tuple[PolicyView, PolicyEffect]:
    """The same, after an audit of the controls."""
    audit_controls(policy.project)
    return preview_policy(policy=policy)


def keep_preview(*, policy: QualityPolicy, run: Run, view: PolicyView, effect: PolicyEffect) -> None:
    """Store a preview in the place of the last one of this version, in the caller's transaction."""
    policy.replays.filter(is_applied=False).delete()
    _store(policy, view, effect, run=run, is_applied=False)


def _store(policy: QualityPolicy, view: PolicyView, effect: PolicyEffect, **how: Any) -> PolicyReplay:
    findings = [{"user_id": each.user_id, **asdict(finding)} for each in view.people for finding in each.findings]
    return PolicyReplay.objects.create(
        policy=policy, horizon=asdict(view.horizon), digest=view.digest, effect=asdict(effect), findings=findings, **how
    )


@transaction.atomic
def enforce_view(
    *, policy: QualityPolicy, view: PolicyView, effect: PolicyEffect, applied_by: User | None = None
) -> PolicyReplay | None:
    """Write the states of the view and make its version the active one, all or nothing.

    Returns the stored replay, or None if an active version finds the same as before. Raises Moved if a person decided
    about an annotator, or a status changed, after the view and its effect were computed.
    """
    project = policy.project
    lock_policies(project)
    _lock_changed(project, effect)
    states = states_of(project)
    changed = [each for each in view.people if is_changed(states.get(each.user_id), each)]
    decisions = StatusDecision.objects.filter(annotator_state__project=project, pk__gt=view.horizon.decided_until)
    was = {each["user_id"]: each["was"] for each in effect.changes}
    if decisions.exists() or was != {each.user_id: states[each.user_id].state for each in changed}:
        raise Moved()  # behind the locks: no change comes in between
    stop, start = flips_of(states, view)
    rows = [set_outcome(states[each.user_id], each.outcome) for each in changed]
    AnnotatorState.objects.bulk_update(rows, STATUS, batch_size=500)
    recount(project=project, users=stop | start)
    active = get_policy_in_force(project=project)
    if active != policy:
        QualityPolicy.objects.filter(project=project).update(in_force_since=None)
        policy.in_force_since = timezone.now()
        policy.save(update_fields=["in_force_since"])
    if active != policy or changed:
        is_undo = active is not None and policy.version < active.version
        n_changed = {"n_annotators_changed": len(changed)} if changed else {}
        record(
            RightsAction.RULES_UNDONE if is_undo else RightsAction.RULES_APPLIED, by=applied_by, project=project,
            before=_as_told(active), after=_as_told(policy) | n_changed,
        )  # fmt: skip
    elif (last := get_last_replay(project=project)) is not None and _finds_the_same(last, view):
        return None
    return _store(policy, view, effect, is_applied=True, applied_by=applied_by)


def set_outcome(annotator_state: AnnotatorState, outcome: Outcome) -> AnnotatorState:
    """Give the row the status of the outcome. The caller saves the fields STATUS."""
    annotator_state.state, annotator_state.needs_review = outcome.state, outcome.needs_review
    annotator_state.reasons = list(outcome.reasons)
    return annotator_state


def recount(*, project: Project, users: Collection[int]) -> None:
    """Settle the HITs of annotators whose judgments start or stop to count; more than MOST_AT_ONCE are settled later.

    Call it in the transaction that changes their state, after the change.
    """
    if not users:
        return
    done = Assignment.objects.filter(project=project, annotator__in=users, status=AssignmentStatus.SUBMITTED)
    roots = [root for (root,) in done.order_by().values_list("root_id").distinct()[: MOST_AT_ONCE + 1]]
    if len(roots) > MOST_AT_ONCE:
        AnnotatorState.objects.filter(project=project, user__in=users).update(n_unsettled=F("n_unsettled") + 1)
    else:
        settle(project=project, roots=roots, anew=True)


def _lock_changed(project: Project, effect: PolicyEffect) -> None:
    """Lock the annotator states that change; missing ones are made."""
    users = [change["user_id"] for change in effect.changes]
    states = [AnnotatorState(project=project, user_id=user) for user in users]
    AnnotatorState.objects.bulk_create(states, ignore_conflicts=True)
    lock_annotator_states(project, users)


def _finds_the_same(last: PolicyReplay, view: PolicyView) -> bool:
    """Whether the findings are the same, and no annotator that a rule wants checked was checked in between."""
    checked = StatusDecision.objects.filter(
        annotator_state__project=last.policy.project_id,
        state=DecidedStatus.REVIEWED,
        pk__gt=last.horizon["decided_until"],
    )
    found = {(each.user_id, finding.rule, finding.action) for each in view.people for finding in each.findings}
    asked = {user for user, _, action in found if action == "review"}
    return found == {(each["user_id"], each["rule"], each["action"]) for each in last.findings} and asked.isdisjoint(
        checked.values_list("annotator_state__user", flat=True)
    )
