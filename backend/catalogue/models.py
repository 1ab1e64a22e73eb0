"""Images, and the uploads they came in."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project


class Image(Dated):
    """One picture of a project, told apart by the SHA-256 of its bytes."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="images")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the original bytes, hex.")
    key = models.CharField(max_length=200, help_text="The id the source gave it; unique in the project.")
    perceptual_hash = models.CharField(max_length=16, help_text="64-bit pHash, hex.")
    width = models.PositiveIntegerField(help_text="Pixels, after EXIF orientation.")
    height = models.PositiveIntegerField(help_text="Pixels, after EXIF orientation.")
    format = models.CharField(max_length=12, help_text="JPEG, PNG, WEBP ... judged by content.")
    n_bytes = models.PositiveBigIntegerField()
    notes = models.JSONField(default=list, blank=True, help_text="What the importer changed or noticed, in sentences.")
    original = models.CharField(max_length=200, help_text="Storage name of the original bytes.")
    small = models.CharField(max_length=200, help_text="Storage name of the small thumbnail.")
    large = models.CharField(max_length=200, help_text="Storage name of the large thumbnail.")
    licence = models.CharField(max_length=40, help_text="SPDX-like code, see methods/licences.py.")
    author = models.CharField(max_length=200, blank=True)
    title = models.CharField(max_length=300, blank=True)
    source_url = models.URLField(max_length=500, blank=True)
    attribution = models.CharField(max_length=600, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "digest"), name="image_once_per_project"),
            models.UniqueConstraint(fields=("project", "key"), name="image_key_once_per_project"),
        )
        # The gallery pages along (project, id).
        indexes = (models.Index(fields=("project", "id"), name="image_gallery"),)

    def __str__(self) -> str:
        return self.key


class Upload(Dated):
    """Files sent through the API, waiting for an import run to read them."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="uploads")
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    files = models.JSONField(default=list, help_text="[{name, n_bytes}]")

    class Meta:
        ordering = ("-created_at",)
