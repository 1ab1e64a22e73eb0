"""Previews of policies: a worker computes one and stores it until the next preview of the same version.

A preview is a complete replay, which takes long in a large project. So no request waits for it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from backend.common.errors import NotFound
from backend.people.models import User
from backend.quality.effects import Effect
from backend.quality.models import PolicyPreview, QualityPolicy
from backend.quality.replay import View
from backend.quality.services import preview_policy
from backend.runs.ledger import Ledger
from backend.runs.models import LIVE, Run
from backend.runs.services import start_run

STAGE = "preview_policy"
NOTHING_DONE = "Version {version} would change the status of {n} annotators. Nothing is changed."


def ask_preview(*, policy: QualityPolicy, asked_by: User) -> Run:
    """The run that computes the preview: a live one, or a new one.

    Raises StageRunning while the preview of another version is computed.
    """
    asked: dict[str, Any] = {"version": policy.version}
    at_it = Run.objects.filter(project=policy.project_id, stage=STAGE, status__in=LIVE, parameters=asked).first()
    return at_it or start_run(project=policy.project, stage=STAGE, parameters=asked, started_by=asked_by)


def work_out_preview(*, policy: QualityPolicy, ledger: Ledger) -> None:
    """Replay the version as of now and store what it would change, in one step at the end."""
    view, effect = preview_policy(policy=policy)
    with ledger.step() as step:
        _keep(policy, ledger.run, view, effect)
        step.counts.update({"in": len(view.people), "out": len(view.people), "changed": len(effect.changes)})
        step.log.append(NOTHING_DONE.format(version=policy.version, n=len(effect.changes)))


def get_preview(*, policy: QualityPolicy) -> PolicyPreview:
    """The newest preview of the version. Raises NotFound without one."""
    found = PolicyPreview.objects.filter(policy=policy).first()
    if found is None:
        raise NotFound(
            "Connote has not calculated the changes of this version yet. Ask for a preview.", code="no_preview_yet"
        )
    return found


def _keep(policy: QualityPolicy, run: Run, view: View, effect: Effect) -> None:
    findings = [{"user_id": each.user_id, **asdict(finding)} for each in view.people for finding in each.findings]
    PolicyPreview.objects.filter(policy=policy).delete()
    PolicyPreview.objects.create(policy=policy, run=run, effect=effect.as_json(), findings=findings)
