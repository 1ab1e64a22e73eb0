"""Diversity reports: what a run measured of each image, and what that comes to."""

from __future__ import annotations

from django.db import models

from backend.common.models import Dated
from backend.runs.models import Run


class DiversityPart(models.Model):
    """The measured values of some images of one dataset; the last step makes the report of all parts."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="diversity_parts")
    dataset = models.PositiveSmallIntegerField(help_text="0 for the first dataset, 1 for the second.")
    position = models.PositiveIntegerField(help_text="Where its first image is in the dataset.")
    values = models.JSONField(help_text="[[image, captions, SBERT, CLIP texts, CLIP image, BERTScore], ...]")

    class Meta:
        ordering = ("run", "dataset", "position")
        constraints = (
            models.UniqueConstraint(fields=("run", "dataset", "position"), name="diversity_part_once_per_run"),
        )


class DiversityReport(Dated):
    """How much the captions of one image differ in one or two datasets (methods/diversity.py)."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="diversity")
    body = models.JSONField(help_text="{datasets, measures}, see reports/services.py.")

    def __str__(self) -> str:
        return f"diversity {self.run_id}"
