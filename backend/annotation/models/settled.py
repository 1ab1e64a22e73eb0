"""By which settings a project's places were settled."""

from __future__ import annotations

from django.db import models

from backend.projects.models import Project


class SettledAs(models.Model):
    """What a project asked for when all its HITs were last gone through, and how far the going through has come."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="settled_as")
    overlap = models.PositiveSmallIntegerField()
    max_overlap = models.PositiveSmallIntegerField()
    confidence = models.FloatField(null=True, blank=True)
    has_controls = models.BooleanField(default=False, help_text="Then pairs may have given way to controls.")
    quota_version = models.PositiveIntegerField(
        default=1, help_text="The project's: tells what was changed and changed back."
    )
    of_users = models.JSONField(
        null=True, blank=True, help_text="Only the HITs that these people submitted are gone through; empty: all."
    )
    last_hit = models.PositiveBigIntegerField(null=True, blank=True, help_text="Settled up to here; empty: all are.")

    class Meta:
        verbose_name_plural = "settled as"
