"""Apply a quality policy, look at everybody and write it all in one step; or only say what that would change."""

from __future__ import annotations

from backend.common.errors import ConnoteError
from backend.quality.effects import PolicyEffect
from backend.quality.models import QualityPolicy
from backend.quality.replay import PolicyView
from backend.quality.selectors import get_policy, get_policy_in_force
from backend.quality.services import Moved, enforce_view, keep_preview, preview_policy, work_out
from backend.runs.ledger import Ledger
from workers.tasks.stage import stage

TRIES = 3
NOTHING_DONE = "Version {version} would change the status of {n} annotators. Nothing is changed."


class NoPolicy(ConnoteError):
    """No version of the quality policy is in force yet: name the one to apply."""

    code = "no_policy"


@stage("apply_policy")
def apply(ledger: Ledger) -> None:
    """One step holds all that is written: a worker killed before its end has changed nothing, and the next one works
    it out anew."""
    policy = _named(ledger)
    if "until" in ledger.cursor:
        return
    for _ in range(TRIES):
        try:
            _apply(ledger, policy, *work_out(policy=policy))
        except Moved:
            continue
        return
    raise Moved()


def _apply(ledger: Ledger, policy: QualityPolicy, view: PolicyView, effect: PolicyEffect) -> None:
    with ledger.step() as step:
        replay = enforce_view(policy=policy, view=view, effect=effect, applied_by=ledger.run.started_by)
        step.cursor = {"until": view.horizon.until, "quarantined": list(view.horizon.quarantined)}
        step.counts.update({"in": len(view.people), "out": len(view.people)})
        if replay is None:
            step.log.append(f"Version {policy.version} finds the same as before. Nothing changes.")
            return
        told = replay.effect
        step.counts.update({"changed": len(told["changes"])})
        step.counts.update({name: told[name] for name in ("n_judgments_stop", "n_judgments_start", "n_pairs_reopen")})
        step.log.append(f"Version {policy.version} is active.")


@stage("preview_policy")
def preview(ledger: Ledger) -> None:
    """A worker killed before the end has kept nothing, and the next one works it out anew."""
    policy = _named(ledger)
    view, effect = preview_policy(policy=policy)
    with ledger.step() as step:
        keep_preview(policy=policy, run=ledger.run, view=view, effect=effect)
        step.counts.update({"in": len(view.people), "out": len(view.people), "changed": len(effect.changes)})
        step.log.append(NOTHING_DONE.format(version=policy.version, n=len(effect.changes)))


def _named(ledger: Ledger) -> QualityPolicy:
    project, version = ledger.run.project, ledger.parameters["version"]
    policy = get_policy(project=project, version=version) if version else get_policy_in_force(project=project)
    if policy is None:
        raise NoPolicy()
    return policy
