"""What somebody has done of a page and not submitted."""

from __future__ import annotations

from django.db import models

from backend.annotation.models.hits import Assignment


class Draft(models.Model):
    """Work in progress, so that a person can go on at another machine. Nobody else is ever shown it, and nothing counts
    it; of a page that is submitted it means nothing any more."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    work = models.JSONField(
        help_text="{items: [{position, answer, unfinished}], current}, as the person's page keeps it."
    )
    saved_at = models.DateTimeField(help_text="By the clock of the person's machine, never later than ours.")
