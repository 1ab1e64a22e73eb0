"""Make and apply policies. Judgments are never deleted: a policy decides which of them count.

Applying first computes everything without a lock, also the effect on pairs. Then it writes the active version, the
states and the findings in one transaction, because half an exclusion would be a dataset that no version describes.
Killed before the commit it has done nothing; applied twice, the second time changes nothing. Only annotators whose
state changes are locked meanwhile.

A few HITs are settled in the same transaction. Many would make a request that submits wait too long: the stage `settle`
settles them soon. What counts changes at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone

from backend.annotation.allocation import settle
from backend.annotation.locks import lock_annotator_states
from backend.annotation.models import AnnotatorState, Assignment, AssignmentStatus, DecidedStatus, StatusDecision
from backend.common.errors import Conflict, InvalidFields
from backend.controls.audit import audit_controls
from backend.methods.quality import InvalidRules, Rule, default_rules, read_rules
from backend.people.models import RightsAction, User
from backend.people.records import record
from backend.projects.models import Project
from backend.quality.effects import (
    Effect,
    PairsMoved,
    count_effect,
    count_pairs,
    flips_of,
    is_changed,
)
from backend.quality.models import PolicyFinding, PolicyReplay, QualityPolicy
from backend.quality.replay import Judged, View, evaluate
from backend.quality.selectors import lock_policies

TRIES = 3
MOST_AT_ONCE = 2000  # HITs settled at once: half a second


class Moved(Conflict):
    """A person changed an annotator's status at the same time. Apply the rules again."""

    code = "moved"


def read_sent_rules(given: object) -> tuple[Rule, ...]:
    """Rules as a client sent them. Raises InvalidInput with a sentence for each fault."""
    try:
        return read_rules(given)
    except InvalidRules as error:
        raise InvalidFields({"rules": error.problems}, code="invalid_rules") from error


def create_policy(*, project: Project, rules: object, note: str = "", created_by: User | None) -> QualityPolicy:
    """The project's next version, not active yet. Raises InvalidInput; Conflict if another was made meanwhile."""
    told = [rule.as_json() for rule in read_sent_rules(rules)]
    newest = QualityPolicy.objects.filter(project=project).aggregate(newest=Max("version"))["newest"] or 0
    made = QualityPolicy(project=project, version=newest + 1, rules=told, note=note, created_by=created_by)
    active = QualityPolicy.objects.filter(project=project, in_force_since__isnull=False).first()
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


def preview_policy(*, policy: QualityPolicy) -> tuple[View, Effect]:
    """What applying the version now would change; nothing is written."""
    view = evaluate(policy=policy, project=policy.project)
    return view, count_effect(project=policy.project, view=view)


def apply_policy(*, policy: QualityPolicy, applied_by: User | None = None) -> PolicyReplay:
    """Activate the version, or apply the active one again. Returns its newest replay.

    Raises Moved if people decided about annotators again and again meanwhile.
    """
    for _ in range(TRIES):
        view, pairs = work_out(policy=policy)
        try:
            kept = enforce_view(policy=policy, view=view, pairs=pairs, applied_by=applied_by)
            return kept or policy.replays.all()[0]
        except Moved:
            continue
    raise Moved()


def work_out(*, policy: QualityPolicy) -> tuple[View, PairsMoved]:
    """The view of the version today, and its effect on pairs. It audits the controls first; no state changes."""
    audit_controls(policy.project)
    view = evaluate(policy=policy, project=policy.project)
    return view, count_pairs(project=policy.project, view=view)


@transaction.atomic
def enforce_view(
    *, policy: QualityPolicy, view: View, pairs: PairsMoved | None = None, applied_by: User | None = None
) -> PolicyReplay | None:
    """Write the states of the view and make its version the active one, all or nothing.

    `pairs` was counted before the locks; it is counted again only if others are excluded by now. Returns the stored
    replay, or None if an active version finds the same as before. Raises Moved if a person decided about an annotator
    after the view was computed.
    """
    project = policy.project
    lock_policies(project)
    _lock_changed(project, view)
    before = {row.user_id: row for row in AnnotatorState.objects.filter(project=project)}
    if _newest_decision(project) > view.horizon.decided_until:  # behind the locks: no decision comes in between
        raise Moved()
    effect, flips = count_effect(project=project, view=view, pairs=pairs), flips_of(before, view)
    _write_states(before, view)
    recount(project=project, users=flips.both)
    active = QualityPolicy.objects.filter(project=project, in_force_since__isnull=False).first()
    is_new = _put_in_force(policy)
    if is_new or effect.changes:
        _record(policy, active, effect, applied_by)
    last = policy.replays.first()
    if last is not None and not is_new and not effect.changes and _finds_no_other(last, view):
        return None
    return _keep(policy, view, effect, applied_by)


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


def _newest_decision(project: Project) -> int:
    decisions = StatusDecision.objects.filter(annotator_state__project=project)
    return int(decisions.aggregate(newest=Max("pk"))["newest"] or 0)


def _lock_changed(project: Project, view: View) -> None:
    """Lock the annotator states that change; missing ones are made."""
    there = {row.user_id: row for row in AnnotatorState.objects.filter(project=project)}
    users = [each.user_id for each in view.people if is_changed(there.get(each.user_id), each)]
    missing = [AnnotatorState(project=project, user_id=user) for user in users if user not in there]
    AnnotatorState.objects.bulk_create(missing, ignore_conflicts=True)
    lock_annotator_states(project, users)


def _write_states(annotator_states: dict[int, AnnotatorState], view: View) -> None:
    changed = []
    for each in view.people:
        annotator_state = annotator_states.get(each.user_id)
        if annotator_state is not None and is_changed(annotator_state, each):
            annotator_state.state, annotator_state.needs_review = each.outcome.state, each.outcome.needs_review
            annotator_state.reasons = list(each.outcome.reasons)
            changed.append(annotator_state)
    AnnotatorState.objects.bulk_update(changed, ["state", "needs_review", "reasons"], batch_size=500)


def _put_in_force(policy: QualityPolicy) -> bool:
    """Activate the version; whether it was not active before."""
    QualityPolicy.objects.filter(project=policy.project).exclude(pk=policy.pk).update(in_force_since=None)
    mine = QualityPolicy.objects.filter(pk=policy.pk, in_force_since=None)
    is_new = bool(mine.update(in_force_since=timezone.now()))
    policy.refresh_from_db(fields=["in_force_since"])
    return is_new


def _record(policy: QualityPolicy, was: QualityPolicy | None, effect: Effect, by: User | None) -> None:
    """Another version, or other states by the same version, in the history of the project."""
    is_undo = was is not None and policy.version < was.version
    n_changed = {"n_annotators_changed": len(effect.changes)} if effect.changes else {}
    record(
        RightsAction.RULES_UNDONE if is_undo else RightsAction.RULES_APPLIED, by=by, project=policy.project,
        before=_as_told(was), after=_as_told(policy) | n_changed,
    )  # fmt: skip


def _finds_no_other(last: PolicyReplay, view: View) -> bool:
    """Whether the findings are the same, and no check of an annotator came in between."""
    since = StatusDecision.objects.filter(
        annotator_state__project=last.policy.project_id,
        state=DecidedStatus.REVIEWED,
        pk__gt=last.horizon["decided_until"],
    )
    asked = {each.user_id for each in view.people if any(finding.action == "review" for finding in each.findings)}
    return _found(last) == _finds(view) and asked.isdisjoint(since.values_list("annotator_state__user", flat=True))


def _finds(view: View) -> list[tuple[int, int]]:
    return sorted((each.user_id, finding.rule) for each in view.people for finding in each.findings)


def _found(replay: PolicyReplay) -> list[tuple[int, int]]:
    return sorted(replay.findings.values_list("user_id", "rule"))


def _keep(policy: QualityPolicy, view: View, effect: Effect, applied_by: User | None) -> PolicyReplay:
    replay = PolicyReplay(policy=policy, applied_by=applied_by, digest=view.digest)
    replay.horizon, replay.summary = view.horizon.as_json(), effect.as_json()
    replay.save(force_insert=True)
    PolicyFinding.objects.bulk_create(_findings(replay, view.people), batch_size=1000)
    return replay


def _findings(replay: PolicyReplay, people: Sequence[Judged]) -> list[PolicyFinding]:
    return [
        PolicyFinding(
            replay=replay, user_id=each.user_id, rule=finding.rule, collector=finding.collector,
            action=finding.action, evidence=finding.evidence,
        )
        for each in people
        for finding in each.findings
    ]  # fmt: skip


def get_current_rules(*, project: Project) -> list[dict[str, Any]]:
    """The active rules as they are stored; empty without an active version."""
    found = QualityPolicy.objects.filter(project=project, in_force_since__isnull=False).first()
    return found.rules if found else []
