"""HITs, their items and slots, and assignments of annotators."""

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
    """One image with several captions, or one query with several images. All its assignments show all of its items.

    Pairs that are still doubtful when its slots are filled become a follow-up HIT, whose `root` is this one. An
    annotator gets one HIT of a root, ever. A HIT of controls alone stands between HITs that are too short for one.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="hits")
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.CASCADE, related_name="hits")
    query = models.ForeignKey(Query, null=True, blank=True, on_delete=models.CASCADE, related_name="hits")
    part = models.PositiveIntegerField(
        default=0, null=True, help_text="Which share of the subject's pairs this HIT holds; empty: controls alone."
    )
    root = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="followups",
        help_text="The first HIT of these pairs; empty for that one itself.",
    )  # fmt: skip
    round = models.PositiveSmallIntegerField(default=0, help_text="0 for a first HIT, 1, 2 ... for follow-ups.")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("image", "part", "round"), name="hit_part_once_per_image"),
            models.UniqueConstraint(fields=("query", "part", "round"), name="hit_part_once_per_query"),
            models.CheckConstraint(
                condition=models.Q(image__isnull=True) ^ models.Q(query__isnull=True), name="hit_holds_one_side_still"
            ),
            models.CheckConstraint(
                condition=models.Q(root__isnull=True, round=0) | models.Q(root__isnull=False, round__gt=0),
                name="hit_followup_has_root",
            ),
        )

    @property
    def subject(self) -> str:
        """What is held still, by a name that is the same in every database: the image's digest or the query's text."""
        return self.image.digest if self.image else self.query.text if self.query else ""

    @property
    def first_id(self) -> int:
        """The id of the root, which may be this HIT."""
        return self.root_id or self.pk


class HitItem(models.Model):
    """One pair, or one control, of a HIT. Which it is never leaves the server."""

    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="items", db_index=False)
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="hit_items")
    position = models.PositiveSmallIntegerField()
    control = models.ForeignKey(
        "qualification.Control", null=True, blank=True, on_delete=models.PROTECT, related_name="items"
    )
    is_decided = models.BooleanField(default=False, help_text="Whether a head annotator's decision stands on it.")
    asked = models.PositiveSmallIntegerField(
        default=0, help_text="How many judgments a head annotator asked for; the settings may ask for more."
    )

    class Meta:
        ordering = ("hit_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("hit", "position"), name="hit_item_position_once"),
            models.UniqueConstraint(fields=("hit", "candidate"), name="hit_item_pair_once"),
        )


class Assignment(Dated):
    """One HIT in the hands of one annotator, who has one of its root, ever. What expired or was returned may be leased
    to the same annotator again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="assignments")
    root = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="+", db_index=False, help_text="Of the HIT.")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    status = models.CharField(max_length=10, choices=AssignmentStatus.choices, default=AssignmentStatus.LEASED)
    seed = models.BigIntegerField(help_text="Draws the order of items and of options.")
    shown = models.JSONField(help_text="Candidate ids in the order this person saw them, controls among them.")
    options = models.JSONField(default=list, help_text="Labels in the order of the buttons this person saw.")
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
            # Never the same person twice on a root, and so never twice on a pair.
            models.UniqueConstraint(fields=("root", "annotator"), name="assignment_once_per_annotator"),
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
            # The review queue looks at what is new.
            models.Index(
                fields=("project", "submitted_at", "id"),
                condition=models.Q(status__in=("submitted", "late")),
                name="assignment_new",
            ),
            # The lead's table counts these few without reading the many.
            models.Index(
                fields=("annotator", "project", "status"),
                condition=models.Q(status__in=("late", "skipped")),
                name="assignment_gone_by",
            ),
        )


class Slot(models.Model):
    """One of the assignments that a HIT needs. A slot has one holder at a time, so a HIT never has too many.

    A slot stays with the assignment that was submitted on it. When all pairs of a HIT need more judgments, slots with
    new numbers are added.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="slots", db_index=False)
    root = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="+", db_index=False, help_text="Of the HIT.")
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
