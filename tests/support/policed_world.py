"""Quality policies and what they say of people."""

from __future__ import annotations

from typing import Any

from backend.annotation.models import AnnotatorState
from backend.annotation.selectors import counted_judgments
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.models import PolicyReplay, QualityPolicy
from backend.quality.services import create_policy, enforce_view, work_out
from world import World

EXCLUDE = {"collector": "control_failures", "condition": {"threshold": 0.7, "min_n": 2}, "action": "exclude"}


def policy_of(project: Project, *rules: dict[str, Any]) -> QualityPolicy:
    return create_policy(project=project, rules=list(rules), created_by=None)


def apply_policy(*, policy: QualityPolicy, applied_by: User | None = None) -> PolicyReplay:
    """As the stage does, without a run. The newest replay, also if nothing changed."""
    view, effect = work_out(policy=policy)
    kept = enforce_view(policy=policy, view=view, effect=effect, applied_by=applied_by)
    return kept or policy.replays.filter(is_applied=True)[0]


def rule(collector: str, action: str, **condition: Any) -> dict[str, Any]:
    return {"collector": collector, "condition": condition, "action": action}


def fail_controls(world: World, user: User, *, failed: int, graded: int, at: int = 0) -> None:
    said = dict(enumerate(["bad"] * failed + ["good"] * (graded - failed)))
    world.submit(user, at, ["good"] * 3, controls=said)


def state_of(user: User) -> str:
    return AnnotatorState.objects.get(user=user).state


def counted(project: Project) -> set[int]:
    return set(counted_judgments(project=project).values_list("pk", flat=True))
