"""Bases that every room's models share."""

from __future__ import annotations

from django.db import models


class Dated(models.Model):
    """A row that knows when it was made."""

    created_at = models.DateTimeField(auto_now_add=True, help_text="When this row was made, UTC.")

    class Meta:
        abstract = True
