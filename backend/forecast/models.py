"""The forecast of a large project, as it was last worked out."""

from __future__ import annotations

from django.db import models

from backend.projects.models import Project


class KeptForecast(models.Model):
    """What was left of a project that is too large to be worked out for each reader."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="forecast")
    as_of = models.DateTimeField(help_text="When the tables were read.")
    seconds = models.FloatField(help_text="How long the work took.")
    figures = models.JSONField(help_text="The fields of `Outlook`.")

    def __str__(self) -> str:
        return f"forecast of {self.project_id}"
