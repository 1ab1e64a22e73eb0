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
    """What a version finds of everybody at one moment, and what applying it changes. A preview is not applied.

    `horizon` fixes the rows that count, so that the same version gives the same bytes on a later day.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    policy = models.ForeignKey(QualityPolicy, on_delete=models.CASCADE, related_name="replays")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    is_applied = models.BooleanField(help_text="Not a preview, of which a version has one at most.")
    applied_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    horizon = models.JSONField(help_text="{until, decided_until, quarantined, skips}, see horizon.Horizon.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the view: findings and states of all, as JSON.")
    effect = models.JSONField(help_text="What changes by it, see effects.Effect.")
    findings = models.JSONField(help_text="[{user_id, rule, collector, action, evidence}], by user and rule.")

    class Meta:
        ordering = ("-created_at", "-id")
