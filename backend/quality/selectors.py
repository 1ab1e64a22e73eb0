"""Reads of policies: versions, when they were applied, what a preview found."""

from __future__ import annotations

from django.db.models import QuerySet

from backend.common.errors import existing
from backend.projects.models import Project
from backend.quality.models import PolicyReplay, QualityPolicy


def list_policies(*, project: Project) -> QuerySet[QualityPolicy]:
    """A project's versions, newest first."""
    return QualityPolicy.objects.filter(project=project).select_related("project", "created_by").order_by("-version")


def get_policy(*, project: Project, version: int) -> QualityPolicy:
    """One version. Raises NotFound."""
    found = list_policies(project=project).filter(version=version).first()
    return existing(found, "This version of the quality rules does not exist.", code="no_such_version")


def get_policy_in_force(*, project: Project) -> QualityPolicy | None:
    """The version that decides whose judgments count; None if no version was ever applied."""
    return list_policies(project=project).filter(in_force_since__isnull=False).first()


def get_last_replay(*, project: Project) -> PolicyReplay | None:
    """The newest application of the active version."""
    of_active = PolicyReplay.objects.filter(policy__project=project, policy__in_force_since__isnull=False)
    return of_active.filter(is_applied=True).first()


def get_preview(*, policy: QualityPolicy) -> PolicyReplay:
    """The newest preview of the version. Raises NotFound without one."""
    return existing(
        policy.replays.filter(is_applied=False).first(),
        "Connote has not calculated the changes of this version yet. Ask for a preview.", code="no_preview_yet",
    )  # fmt: skip


def lock_policies(project: Project) -> None:
    """Until the transaction ends no version becomes active here, and no person decides about an annotator."""
    list(QualityPolicy.objects.select_for_update(no_key=True).filter(project=project).order_by("pk").values_list("pk"))
