"""Figures of agreement, as they were last worked out from the judgments."""

from __future__ import annotations

from django.db import models

from backend.projects.models import Project


class Scope(models.TextChoices):
    OVERALL = "overall", "all pairs"
    SOURCE = "source", "by where the caption is from"
    EDIT = "edit", "whether a pair needs an edit of one kind"
    DAY = "day", "by the day of a pair's newest judgment, UTC"


class Part(models.TextChoices):
    """What a part of a snapshot says; the first four are slices."""

    OVERALL = "overall", "figures of all pairs"
    SOURCE = "source", "figures of one source"
    EDIT = "edit", "figures of one kind of edit"
    DAY = "day", "figures of one day"
    TREND = "trend", "alpha by day under one reading"
    TABLES = "tables", "what every two annotators said"
    KAPPAS = "kappas", "kappas of every two annotators under one reading"
    MEANS = "means", "mean kappas of every annotator under one reading"
    ANNOTATOR = "annotator", "what one annotator did"
    DAYS = "days", "what one annotator did day by day"
    PROGRESS = "progress", "how the judgments came in"


class Snapshot(models.Model):
    """When the figures of a project were worked out, and of which judgments. All parts are of the same judgments."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="agreement")
    as_of = models.DateTimeField(null=True, blank=True, help_text="When the judgments were read; empty: never yet.")
    mark = models.CharField(max_length=64, blank=True, help_text="Names what counted then; `selectors.read_marks`.")
    n_judgments = models.PositiveBigIntegerField(default=0, help_text="That counted.")
    seconds = models.FloatField(default=0, help_text="How long the work took.")
    claimed_at = models.DateTimeField(null=True, blank=True, help_text="Since when a process works on the next one.")

    def __str__(self) -> str:
        return f"agreement of {self.project_id}"


class SnapshotPart(models.Model):
    """Some figures of a snapshot."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="parts", db_index=False)
    part = models.CharField(max_length=9, choices=Part.choices)
    value = models.CharField(
        max_length=40, blank=True, help_text="A source, a kind of edit, a day, a reading, or an annotator's id."
    )
    figures = models.JSONField()

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("snapshot", "part", "value"), name="snapshot_part_once"),
            models.CheckConstraint(condition=models.Q(part__in=Part.values), name="snapshot_part_known"),
        )

    def __str__(self) -> str:
        return f"{self.part} {self.value}"
