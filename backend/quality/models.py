"""Rules on whose judgments count, version by version, and what each version found when it was applied."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


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


class PolicyReplay(Dated):
    """One application of a version: from what it was worked out, who changed state by it, and what that came to.

    `horizon` fixes the rows that count, so that the same version gives the same bytes on a later day.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    policy = models.ForeignKey(QualityPolicy, on_delete=models.CASCADE, related_name="replays")
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    horizon = models.JSONField(help_text="{until, decided_until, quarantined, skips}, see horizon.Horizon.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the view: findings and states of all, as JSON.")
    summary = models.JSONField(help_text="What changed by it, as the preview told it.")

    class Meta:
        ordering = ("-created_at", "-id")


class PolicyPreview(Dated):
    """Who and what would change if a version were applied, as a run last worked it out. Nothing else reads it."""

    policy = models.OneToOneField(QualityPolicy, on_delete=models.CASCADE, related_name="preview")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+", help_text="That worked it out.")
    effect = models.JSONField(help_text="As a replay's summary.")
    findings = models.JSONField(help_text="[{user_id, rule, collector, action, evidence}]")

    class Meta:
        ordering = ("policy",)


class PolicyFinding(models.Model):
    """What one rule said of one person in a replay, and from how much."""

    replay = models.ForeignKey(PolicyReplay, on_delete=models.CASCADE, related_name="findings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    rule = models.PositiveSmallIntegerField(help_text="Which of the policy's rules, from 0.")
    collector = models.CharField(max_length=20)
    action = models.CharField(max_length=8, help_text="warn, pause, exclude or review.")
    evidence = models.JSONField(help_text="The collector's figures: numbers, thresholds, how many it saw.")

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("replay", "user", "rule"), name="finding_once_per_rule"),)
