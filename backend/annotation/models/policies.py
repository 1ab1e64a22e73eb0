"""Rules on whose judgments count, version by version, and what each version found when it was applied."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project


class QualityPolicy(Dated):
    """One version of a project's rules. Versions are never changed; the one in force decides which rows count."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="policies", db_index=False)
    version = models.PositiveIntegerField(help_text="1, 2, 3 ... within the project.")
    rules = models.JSONField(help_text="[{collector, condition, action}], see backend/methods/quality.")
    note = models.CharField(max_length=300, blank=True, help_text="Why this version.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    in_force_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("project", "-version")
        constraints = (
            models.UniqueConstraint(fields=("project", "version"), name="policy_version_once"),
            models.UniqueConstraint(
                fields=("project",), condition=models.Q(in_force_since__isnull=False), name="policy_one_in_force"
            ),
        )


class PolicyFinding(Dated):
    """What one rule of a version said of one person, and from how much. Rows of one replay are told by `replay`."""

    policy = models.ForeignKey(QualityPolicy, on_delete=models.CASCADE, related_name="findings")
    replay = models.UUIDField(help_text="The replay that found it.")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    rule = models.PositiveSmallIntegerField(help_text="Which of the policy's rules, from 0.")
    action = models.CharField(max_length=8, help_text="warn, pause, exclude or review.")
    evidence = models.JSONField(help_text="The collector's figures: numbers, thresholds, how many it saw.")
    until = models.PositiveBigIntegerField(help_text="The newest judgment that was looked at.")

    class Meta:
        ordering = ("id",)
