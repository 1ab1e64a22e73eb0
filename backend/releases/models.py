"""A release: frozen files with checksums, and what they were made from."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


class Release(Dated):
    """Immutable: no service changes a row once it is there, and its files are content-addressed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="releases")
    run = models.OneToOneField(Run, null=True, on_delete=models.SET_NULL, related_name="release")
    version = models.PositiveIntegerField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    digest = models.CharField(max_length=64, help_text="SHA-256 over the checksums of its files.")
    manifest = models.JSONField(help_text="Counts, parameters, seeds and model digests; also a file of the release.")
    n_images = models.PositiveIntegerField()
    n_captions = models.PositiveIntegerField()
    n_judgments = models.PositiveIntegerField()

    class Meta:
        ordering = ("-version",)
        constraints = (models.UniqueConstraint(fields=("project", "version"), name="release_version_once"),)

    def __str__(self) -> str:
        return f"{self.project_id} v{self.version}"


class ReleaseFile(models.Model):
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=80)
    n_bytes = models.PositiveBigIntegerField()
    sha256 = models.CharField(max_length=64)
    stored_as = models.CharField(max_length=200, help_text="Storage name.")

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("release", "name"), name="release_file_once"),)
