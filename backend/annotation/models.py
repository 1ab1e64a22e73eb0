"""HITs, who holds them, and what was judged. Judgments are appended, never changed."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


class Label(models.TextChoices):
    GOOD = "good", "good"
    BAD = "bad", "bad"
    UNSURE = "unsure", "unsure"


class AssignmentStatus(models.TextChoices):
    LEASED = "leased", "leased"
    SUBMITTED = "submitted", "submitted"
    EXPIRED = "expired", "expired"
    RETURNED = "returned", "returned"

    @property
    def is_over(self) -> bool:
        return self is not AssignmentStatus.LEASED


class Hit(Dated):
    """One image with up to `captions_per_hit` captions, to be judged by `overlap` people."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="hits")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="hits")
    part = models.PositiveIntegerField(default=0, help_text="Which share of the image's captions this HIT holds.")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("image", "part"), name="hit_part_once_per_image"),)


class HitItem(models.Model):
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="items")
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="hit_item")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("hit_id", "position")
        constraints = (models.UniqueConstraint(fields=("hit", "position"), name="hit_item_position_once"),)


class Assignment(Dated):
    """A HIT in one person's hands: leased, then submitted, returned, or expired."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments")
    status = models.CharField(max_length=10, choices=AssignmentStatus.choices, default=AssignmentStatus.LEASED)
    seed = models.BigIntegerField(help_text="Shuffled the items as shown.")
    shown = models.JSONField(help_text="Candidate ids in the order this person saw them.")
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    idempotency_key = models.CharField(
        max_length=80, blank=True, help_text="Of the submit, so that a repeat is no second."
    )

    class Meta:
        ordering = ("created_at",)
        constraints = (
            # Never the same person twice on a HIT; a returned or expired one may come back as a new row.
            models.UniqueConstraint(
                fields=("hit", "annotator"),
                condition=models.Q(status__in=("leased", "submitted")),
                name="assignment_once_per_annotator",
            ),
        )
        indexes = (
            # `next` looks for the caller's live lease, and for leases that ran out.
            models.Index(
                fields=("annotator", "expires_at"), condition=models.Q(status="leased"), name="assignment_live"
            ),
        )


class Slot(models.Model):
    """One of a HIT's `overlap` places. More people than places cannot be: each place has one holder at a time."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="slots")
    number = models.PositiveSmallIntegerField(help_text="1 .. overlap")
    assignment = models.OneToOneField(Assignment, null=True, blank=True, on_delete=models.SET_NULL, related_name="slot")

    class Meta:
        ordering = ("hit_id", "number")
        constraints = (models.UniqueConstraint(fields=("hit", "number"), name="slot_number_once_per_hit"),)
        # `next` takes the first free place of a project.
        indexes = (
            models.Index(fields=("project", "number", "hit"), condition=models.Q(assignment=None), name="slot_free"),
        )


class Judgment(Dated):
    """What one person said of one pair. A change of mind is a new row that supersedes the old one."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgments")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="judgments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgments")
    label = models.CharField(max_length=6, choices=Label.choices)
    position = models.PositiveSmallIntegerField(help_text="Where in the shown order it stood.")
    ms = models.PositiveIntegerField(null=True, blank=True, help_text="Time on the item in milliseconds, if sent.")
    supersedes = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="superseded_by"
    )

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("assignment", "candidate"),
                condition=models.Q(supersedes=None),
                name="judgment_first_once_per_pair",
            ),
            models.CheckConstraint(condition=models.Q(label__in=Label.values), name="judgment_label_known"),
        )
