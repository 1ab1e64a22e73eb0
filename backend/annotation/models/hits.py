"""A HIT, its places, and one person's turn at it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.candidates.models import Candidate
from backend.catalogue.models import Image, Query
from backend.common.models import Dated
from backend.projects.models import Project
from backend.runs.models import Run


class AssignmentStatus(models.TextChoices):
    LEASED = "leased", "leased"
    SUBMITTED = "submitted", "submitted"
    EXPIRED = "expired", "expired: the lease was given away"
    RETURNED = "returned", "returned: may come back to this person, last of all"
    SKIPPED = "skipped", "skipped: left to others"
    LATE = "late", "late: submitted after the place was given away, kept as surplus"

    @property
    def is_over(self) -> bool:
        return self is not AssignmentStatus.LEASED


DONE = (AssignmentStatus.SUBMITTED, AssignmentStatus.LATE)  # judged, whether or not it counts
MAY_COME_BACK = (AssignmentStatus.EXPIRED, AssignmentStatus.RETURNED)  # in this order


class SkipReason(models.TextChoices):
    CANNOT_SEE = "cannot_see", "the picture cannot be seen"
    CANNOT_TELL = "cannot_tell", "I cannot tell what is right"
    LANGUAGE = "language", "the language is not mine"
    DISTURBING = "disturbing", "I would rather not look at this"
    BROKEN = "broken", "something is broken"
    OTHER = "other", "something else"


class Hit(Dated):
    """One image with several captions, or one query with several images, to be judged by `overlap` people."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="hits")
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.CASCADE, related_name="hits")
    query = models.ForeignKey(Query, null=True, blank=True, on_delete=models.CASCADE, related_name="hits")
    part = models.PositiveIntegerField(default=0, help_text="Which share of the subject's pairs this HIT holds.")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("image", "part"), name="hit_part_once_per_image"),
            models.UniqueConstraint(fields=("query", "part"), name="hit_part_once_per_query"),
            models.CheckConstraint(
                condition=models.Q(image__isnull=True) ^ models.Q(query__isnull=True), name="hit_holds_one_side_still"
            ),
        )

    @property
    def subject(self) -> str:
        """What is held still, by a name that is the same in every database: the image's digest or the query's text."""
        return self.image.digest if self.image else self.query.text if self.query else ""


class HitItem(models.Model):
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="items")
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="hit_item")
    position = models.PositiveSmallIntegerField()
    is_open = models.BooleanField(
        default=True, help_text="Whether more judgments are wanted; what is not is not shown."
    )
    is_decided = models.BooleanField(default=False, help_text="Whether somebody's word above all votes stands on it.")

    class Meta:
        ordering = ("hit_id", "position")
        constraints = (models.UniqueConstraint(fields=("hit", "position"), name="hit_item_position_once"),)


class Assignment(Dated):
    """One person's turn at a HIT; they have one, ever. What ran out or was returned may be leased to them again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="assignments", db_index=False)
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    status = models.CharField(max_length=10, choices=AssignmentStatus.choices, default=AssignmentStatus.LEASED)
    seed = models.BigIntegerField(help_text="Drew the controls, the order of items, and the order of options.")
    shown = models.JSONField(help_text="Candidate ids in the order this person saw them, control items among them.")
    options = models.JSONField(default=list, help_text="Labels in the order of the buttons this person saw.")
    controls = models.JSONField(
        default=dict, help_text="{position: accepted labels} of the control items shown. Never leaves the server."
    )
    gave_way = models.JSONField(
        default=list, help_text="Candidate ids of the pairs that gave way to control items. Never leaves the server."
    )
    leased_at = models.DateTimeField(help_text="When it was last handed over.")
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    idempotency_key = models.CharField(
        max_length=80, blank=True, help_text="Of the submit, so that a repeat is no second."
    )
    skip_reason = models.CharField(max_length=12, choices=SkipReason.choices, blank=True)
    skip_comment = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("created_at",)
        constraints = (
            # Never the same person twice on a HIT, and so never twice on a pair.
            models.UniqueConstraint(fields=("hit", "annotator"), name="assignment_once_per_annotator"),
        )
        indexes = (
            # `next` looks for the caller's live leases, and, when nothing is free, for leases of all that ran out.
            models.Index(
                fields=("annotator", "project"), condition=models.Q(status="leased"), name="assignment_leased"
            ),
            models.Index(
                fields=("project", "expires_at"), condition=models.Q(status="leased"), name="assignment_runs_out"
            ),
            # My past work, newest first, and what a policy reads of one person.
            models.Index(
                fields=("annotator", "project", "submitted_at"),
                condition=models.Q(status__in=("submitted", "late")),
                name="assignment_done",
            ),
            # The lead's table counts these few without reading the many.
            models.Index(
                fields=("annotator", "project", "status"),
                condition=models.Q(status__in=("late", "skipped")),
                name="assignment_gone_by",
            ),
        )

    @property
    def pairs(self) -> list[int]:
        """Candidate ids of what would stand on the page without controls: what does, and what gave way to them."""
        shown = [pair for position, pair in enumerate(self.shown, start=1) if str(position) not in self.controls]
        return [*shown, *self.gave_way]


class Slot(models.Model):
    """One of a HIT's places. More people than places cannot be: each place has one holder at a time.

    A place stays with the assignment that was submitted on it. When judgments of a HIT stop counting, or more are
    wanted, places with new numbers are added.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="slots", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="1, 2, 3 ...")
    priority = models.SmallIntegerField(default=0, help_text="Of the HIT; higher ones are handed out first.")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="slots",
        related_query_name="slot",
    )  # fmt: skip

    class Meta:
        ordering = ("hit_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("hit", "number"), name="slot_number_once_per_hit"),
            # Of held places alone: SQLite takes a unique index for one that tells much of the free ones, and would read
            # all that are free, of every project, for each page.
            models.UniqueConstraint(
                fields=("assignment",), condition=models.Q(assignment__isnull=False), name="slot_once_per_assignment"
            ),
        )
        # `next` takes the first free place of a project.
        indexes = (
            models.Index(
                models.F("project"), models.F("priority").desc(), models.F("number"), models.F("hit"),
                condition=models.Q(assignment=None), name="slot_free",
            ),
        )  # fmt: skip
