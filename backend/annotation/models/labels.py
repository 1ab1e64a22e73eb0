"""The three answers, in the order of the buttons."""

from __future__ import annotations

from django.db import models


class Label(models.TextChoices):
    GOOD = "good", "good"
    BAD = "bad", "bad"
    UNSURE = "unsure", "unsure"
