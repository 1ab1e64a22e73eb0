"""Pairs whose answer is known: in the quiz, or as ordinary items of HITs."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.candidates.models import Candidate
from backend.common.models import Dated
from backend.projects.models import Project


class ControlOrigin(models.TextChoices):
    PERSON = "person", "named by a person"
    OTHER_IMAGE = "other_image", "a caption of an unlike image"
    IMPORT = "import", "imported"


class ControlState(models.TextChoices):
    ACTIVE = "active", "active"
    QUARANTINED = "quarantined", "quarantined: counts for nobody"
    RETIRED = "retired", "retired by a person"


class Control(Dated):
    """A pair of known answer. Its items in HITs look like all others; it never becomes part of the dataset."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="controls", db_index=False)
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="control")
    accepted = models.JSONField(help_text="The labels that are right: one or two of good, bad, unsure.")
    is_quiz = models.BooleanField(
        default=False, help_text="Asked in the quiz, with feedback, and so never an item of a HIT."
    )
    explanation = models.CharField(max_length=500, blank=True, help_text="Why it is so, shown after the quiz.")
    origin = models.CharField(max_length=12, choices=ControlOrigin.choices, default=ControlOrigin.PERSON)
    state = models.CharField(max_length=12, choices=ControlState.choices, default=ControlState.ACTIVE)
    state_code = models.CharField(max_length=30, blank=True, help_text="Why it has its state: a code of our sentences.")
    state_params = models.JSONField(default=dict, blank=True, help_text="The values of that sentence.")
    state_detail = models.CharField(max_length=300, blank=True, help_text="Why it has its state, in a person's words.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("project", "state"), name="control_of_project"),)
