"""An export: a file that a worker makes of a project or of a release, kept for some days."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project
from backend.releases.models import Release


class ExportedKind(models.TextChoices):
    """What an export is of. All but a release are read as they are when the worker reads them."""

    JUDGMENTS = "judgments", "judgments"
    CAPTIONS = "captions", "captions"
    ANNOTATORS = "annotators", "annotators"
    AGREEMENT = "agreement", "agreement"
    RELEASE = "release", "release"


class ExportState(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    READY = "ready", "ready"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"
    EXPIRED = "expired", "expired"


LIVE = (ExportState.QUEUED, ExportState.RUNNING)


class Export(Dated):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="exports", db_index=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    what = models.CharField(max_length=12, choices=ExportedKind.choices)
    release = models.ForeignKey(Release, null=True, blank=True, on_delete=models.PROTECT, related_name="exports")
    format = models.CharField(max_length=16, help_text="A name of exports/formats.py.")
    filter = models.JSONField(default=dict, blank=True, help_text="Which rows, as it was asked for.")
    leave_out = models.JSONField(default=list, blank=True, help_text="Names of methods/exports/choices.py.")
    state = models.CharField(max_length=10, choices=ExportState.choices, default=ExportState.QUEUED)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    n_rows = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Lines of a table, or images of a release."
    )
    n_bytes = models.PositiveBigIntegerField(null=True, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    stored_as = models.CharField(max_length=200, blank=True, help_text="Storage name, also while it is written.")
    file_name = models.CharField(max_length=200, blank=True)
    error = models.JSONField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    holder = models.CharField(max_length=64, blank=True, help_text="Token of the worker attempt that may write.")
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        indexes = (
            models.Index(fields=("project", "-created_at", "-id"), name="export_of_project"),
            # The chore looks for silent ones.
            models.Index(fields=("heartbeat_at",), condition=models.Q(state__in=LIVE), name="export_live"),
            models.Index(fields=("expires_at",), condition=models.Q(state="ready"), name="export_runs_out"),
        )

    def __str__(self) -> str:
        return f"{self.what} as {self.format}"

    @property
    def is_live(self) -> bool:
        return self.state in LIVE
