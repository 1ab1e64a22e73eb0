"""The three answers as choices of a Django field, in the order of the buttons."""

from __future__ import annotations

from django.db import models

from backend.methods.consensus import LABELS


class Label(models.TextChoices):
    GOOD, BAD, UNSURE = ((label, label) for label in LABELS)
