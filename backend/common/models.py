"""Bases that every room's models share."""

from __future__ import annotations

from django.db import models

LARGEST_ID = 2**63 - 1  # no row has a larger one, and SQLite cannot even be asked for it


class Dated(models.Model):
    """A row that knows when it was made."""

    created_at = models.DateTimeField(auto_now_add=True, help_text="When this row was made, UTC.")

    class Meta:
        abstract = True
