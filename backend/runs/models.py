"""A Run: one execution of one stage, with everything needed to trace or repeat it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project


class RunStatus(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    SUCCEEDED = "succeeded", "succeeded"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"

    @property
    def is_over(self) -> bool:
        return self in (RunStatus.SUCCEEDED, RunStatus.FAILED, RunStatus.CANCELLED)


LIVE = (RunStatus.QUEUED, RunStatus.RUNNING)


class Run(Dated):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    stage = models.CharField(max_length=40, help_text="A name from runs/walk.py.")
    status = models.CharField(max_length=12, choices=RunStatus.choices, default=RunStatus.QUEUED)
    parameters = models.JSONField(default=dict, blank=True)
    seed = models.BigIntegerField(default=0)
    code_version = models.CharField(max_length=64, blank=True)
    models_used = models.JSONField(default=dict, blank=True, help_text="{model name: digest of its weights}")
    counts = models.JSONField(default=dict, blank=True, help_text='{"in": n, "out": n, "dropped": {reason: n}}')
    cursor = models.JSONField(default=dict, blank=True, help_text="How far the work is committed; where to resume.")
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(null=True, blank=True)
    log_tail = models.JSONField(default=list, blank=True)
    error = models.JSONField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0, help_text="The number of times that a worker started this run.")
    holder = models.CharField(max_length=64, blank=True, help_text="Token of the worker attempt that may write.")
    retry_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="retries")
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created_at", "-id")
        constraints = (
            # Two live runs of a stage would write the same rows; the curator's second click gets a 409 instead.
            models.UniqueConstraint(
                fields=("project", "stage"), condition=models.Q(status__in=LIVE), name="run_one_live_per_stage"
            ),
        )
        indexes = (
            models.Index(fields=("project", "-created_at"), name="run_of_project"),
            # runs.recover looks for silent runs.
            models.Index(fields=("heartbeat_at",), condition=models.Q(status__in=LIVE), name="run_live_heartbeat"),
        )

    def __str__(self) -> str:
        return f"{self.stage} {self.id}"

    @property
    def is_over(self) -> bool:
        return RunStatus(self.status).is_over


class Refusal(models.Model):
    """A row or file of an import that was not taken, with its line and the reason: nothing vanishes."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="refusals")
    line = models.PositiveBigIntegerField(null=True, blank=True, help_text="Line or member number in the source.")
    name = models.CharField(max_length=300, blank=True)
    code = models.CharField(max_length=40)
    message = models.CharField(max_length=500)
    params = models.JSONField(default=dict, blank=True, help_text="The values in the sentence, for its translation.")
    is_ignored = models.BooleanField(default=False, help_text="The import does not need it. This is not an error.")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"line {self.line}: {self.code}"
