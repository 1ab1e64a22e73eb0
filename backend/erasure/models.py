"""Projects on their way out. An erased account needs no row of its own: it is a User that became a pseudonym."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.common.models import Dated


class ProjectDeletion(Dated):
    """A project that nobody belongs to any more, and how far its rows and files are gone."""

    project_key = models.BigIntegerField(unique=True, help_text="The id of the project; its row goes last.")
    project_slug = models.CharField(max_length=60)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    counts = models.JSONField(default=dict, blank=True, help_text="{model or `files`: how many are gone}")
    holder = models.CharField(max_length=32, blank=True, help_text="Token of the worker that may delete.")
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    waits_for = models.CharField(max_length=200, blank=True, help_text="Why it does not go on at the moment.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.project_slug


class DoomedFile(models.Model):
    """A stored file whose row is gone. It goes too, unless another project has the same content."""

    deletion = models.ForeignKey(ProjectDeletion, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=200, help_text="Storage name.")

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("deletion", "name"), name="doomed_file_once"),)

    def __str__(self) -> str:
        return self.name
