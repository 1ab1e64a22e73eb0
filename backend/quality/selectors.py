"""Reads of policies: versions, when they were applied, what they found."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from backend.common.errors import NotFound
from backend.projects.models import Project
from backend.quality.models import PolicyFinding, PolicyReplay, QualityPolicy


def list_policies(*, project: Project) -> QuerySet[QualityPolicy]:
    """A project's versions, newest first."""
    return QualityPolicy.objects.filter(project=project).select_related("created_by").order_by("-version")


def get_policy(*, project: Project, version: int) -> QualityPolicy:
    """One version. Raises NotFound."""
    found = list_policies(project=project).select_related("project", "created_by").filter(version=version).first()
    if found is None:
        raise NotFound("This version of the quality rules does not exist.", code="no_such_version")
    return found


def get_policy_in_force(*, project: Project) -> QualityPolicy | None:
    """The version that decides whose judgments count; None where no version was ever applied."""
    return list_policies(project=project).select_related("project").filter(in_force_since__isnull=False).first()


def list_replays(*, policy: QualityPolicy) -> QuerySet[PolicyReplay]:
    """When each version was applied, and the person who applied it; newest first."""
    return PolicyReplay.objects.filter(policy=policy).select_related("applied_by")


def list_findings(*, policy: QualityPolicy, replay: str = "") -> QuerySet[PolicyFinding]:
    """What the version's newest replay found, or the one of this id. Raises NotFound where it has no such replay."""
    replays = list_replays(policy=policy)
    found = replays.filter(pk=_id(replay)).first() if replay else replays.first()
    if found is None and replay:
        raise NotFound("The rules were not applied in this way.", code="no_such_replay")
    return PolicyFinding.objects.filter(replay=found).select_related("user").order_by("pk")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise NotFound("The rules were not applied in this way.", code="no_such_replay") from error


def lock_policies(project: Project) -> None:
    """Until the transaction ends no version becomes active here, and no person decides about an annotator."""
    list(QualityPolicy.objects.select_for_update(no_key=True).filter(project=project).order_by("pk").values_list("pk"))
