"""HITs with their items, slots and assignments; judgments and drafts; the state of each annotator in each project.

Judgments are added, never changed.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.candidates.models import Candidate
from backend.catalogue.models import Image, Query
from backend.common.labels import Label
from backend.common.models import Dated
from backend.projects.models import Direction, Project
from backend.qualification.models import Control
from backend.runs.models import Run


class AssignmentStatus(models.TextChoices):
    LEASED = "leased", "leased"
    SUBMITTED = "submitted", "submitted"
    EXPIRED = "expired", "expired: the lease was given away"
    RETURNED = "returned", "returned: may come back to this annotator, last of all"
    SKIPPED = "skipped", "skipped: left to others"
    LATE = "late", "late: submitted after the slot was given away, stored as surplus"


DONE = (AssignmentStatus.SUBMITTED, AssignmentStatus.LATE)  # judged; late answers do not count
MAY_COME_BACK = (AssignmentStatus.EXPIRED, AssignmentStatus.RETURNED)  # in this order


class SkipReason(models.TextChoices):
    CANNOT_SEE = "cannot_see", "the picture cannot be seen"
    CANNOT_TELL = "cannot_tell", "I cannot tell what is right"
    LANGUAGE = "language", "the language is not mine"
    DISTURBING = "disturbing", "I would rather not look at this"
    BROKEN = "broken", "something is broken"
    OTHER = "other", "something else"


Subject = tuple[int | None, int | None]  # ids of an image and a query, one of them None


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
    def side(self) -> Subject:
        """What is held still, by the ids of the image and the query."""
        return self.image_id, self.query_id

    @property
    def kind(self) -> Direction:
        return Direction.IMAGES_OF_A_QUERY if self.query_id else Direction.CAPTIONS_OF_AN_IMAGE

    @property
    def first_id(self) -> int:
        """The id of the root, which may be this HIT."""
        return self.root_id or self.pk


class HitItem(models.Model):
    """One pair, or one control, of a HIT. Which it is never leaves the server."""

    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="items", db_index=False)
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="hit_items")
    position = models.PositiveSmallIntegerField()
    control = models.ForeignKey(Control, null=True, blank=True, on_delete=models.PROTECT, related_name="items")
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
    """One HIT in the hands of one annotator. An expired or returned assignment may be leased to them again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    hit = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="assignments")
    root = models.ForeignKey(Hit, on_delete=models.CASCADE, related_name="+", db_index=False, help_text="Of the HIT.")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="assignments", db_index=False
    )
    status = models.CharField(max_length=10, choices=AssignmentStatus.choices, default=AssignmentStatus.LEASED)
    seed = models.BigIntegerField(help_text="Draws the order of items and of options.")
    shown = models.JSONField(help_text="Candidate ids in the order shown, with those of controls.")
    options = models.JSONField(default=list, help_text="Labels in the order of the buttons.")
    leased_at = models.DateTimeField(help_text="When it was last leased.")
    expires_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True, blank=True)
    idempotency_key = models.CharField(
        max_length=80, blank=True, help_text="Of the submit, so that a repeat stores nothing."
    )
    skip_reason = models.CharField(max_length=12, choices=SkipReason.choices, blank=True)
    skip_comment = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("created_at",)
        constraints = (
            # Never the same annotator twice on a root, and so never twice on a pair.
            models.UniqueConstraint(fields=("root", "annotator"), name="assignment_once_per_annotator"),
        )
        indexes = (
            # `next` reads the caller's leases, and, when no slot is free, the leases that ended.
            models.Index(
                fields=("annotator", "project"), condition=models.Q(status="leased"), name="assignment_leased"
            ),
            models.Index(
                fields=("project", "expires_at"), condition=models.Q(status="leased"), name="assignment_runs_out"
            ),
            # Past work, newest first, and what a replay reads of one annotator.
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
            # The table of annotators counts these.
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
            # Without free slots: else SQLite uses this index to find them, and reads those of every project.
            models.UniqueConstraint(
                fields=("assignment",), condition=models.Q(assignment__isnull=False), name="slot_once_per_assignment"
            ),
        )
        # `next` takes the first free slot of a project.
        indexes = (
            models.Index(
                models.F("project"), models.F("priority").desc(), models.F("number"), models.F("hit"),
                condition=models.Q(assignment=None), name="slot_free",
            ),
        )  # fmt: skip


class Lens(models.TextChoices):
    """Why a good caption is good."""

    LITERAL = "literal", "literal"
    FIGURATIVE = "figurative", "figurative"
    EMOTIONAL = "emotional", "emotional"
    ABSTRACT = "abstract", "abstract"
    BACKGROUND = "background", "background knowledge"


class ControlOutcome(models.TextChoices):
    PASSED = "passed", "passed"
    FAILED = "failed", "failed"
    UNSURE = "unsure", "unsure: not graded"


class Judgment(Dated):
    """What one person said of one pair. A change of mind is a new row that supersedes the old one; rows are never
    changed."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="judgments")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="judgments")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="judgments", db_index=False
    )
    control = models.ForeignKey(
        Control, null=True, blank=True, on_delete=models.PROTECT, related_name="judgments",
        help_text="The control that the pair is. It is never part of a release.",
    )  # fmt: skip
    outcome = models.CharField(
        max_length=8, choices=ControlOutcome.choices, blank=True,
        help_text="Of the first answer of this annotator to a control; empty for all other answers.",
    )  # fmt: skip
    label = models.CharField(max_length=6, choices=Label.choices)
    position = models.PositiveSmallIntegerField(help_text="In the order shown.")
    edits = models.JSONField(
        default=list, blank=True, help_text="[{start, end, kind, before, after}], in code points of the caption's text."
    )
    lens = models.CharField(max_length=10, choices=Lens.choices, blank=True, help_text="Of a good caption, if chosen.")
    comment = models.TextField(blank=True)
    is_generic = models.BooleanField(default=False, help_text="It fits many other images too.")
    ms = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Focus time on the item in milliseconds, if sent.",
    )
    client_at = models.DateTimeField(null=True, blank=True, help_text="By the clock of the browser, if sent.")
    supersedes = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, db_index=False, related_name="later",
        related_query_name="superseded_by",
    )  # fmt: skip

    class Meta:
        ordering = ("id",)
        constraints = (
            # One annotator has one first judgment of a pair.
            models.UniqueConstraint(
                fields=("annotator", "candidate"),
                condition=models.Q(supersedes=None, control=None),
                name="judgment_first_once_per_pair",
            ),
            # Without first judgments, for the reason of `slot_once_per_assignment`.
            models.UniqueConstraint(
                fields=("supersedes",), condition=models.Q(supersedes__isnull=False), name="judgment_superseded_once"
            ),
            models.UniqueConstraint(
                fields=("annotator", "control"), condition=~models.Q(outcome=""), name="judgment_control_graded_once"
            ),
            models.CheckConstraint(condition=models.Q(label__in=Label.values), name="judgment_label_known"),
            models.CheckConstraint(
                condition=models.Q(lens="") | models.Q(label="good"), name="judgment_lens_of_good_only"
            ),
        )


class Draft(models.Model):
    """Unfinished answers, so that an annotator can continue on another computer. Only they can read them."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, primary_key=True, related_name="draft")
    work = models.JSONField(help_text="{items: [{position, answer, unfinished}], current}, as the browser stores it.")
    saved_at = models.DateTimeField(help_text="By the clock of the browser, never later than ours.")


class AnnotatorStatus(models.TextChoices):
    ACTIVE = "active", "active"
    WARNED = "warned", "warned"
    PAUSED = "paused", "paused: gets no HITs, what was judged counts"
    EXCLUDED = "excluded", "excluded: gets no HITs, what was judged does not count"


WORKING = (AnnotatorStatus.ACTIVE, AnnotatorStatus.WARNED)  # gets HITs


class AnnotatorState(Dated):
    """The status and the counters of one annotator in one project. Every request of theirs that writes locks it."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="annotator_states", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annotator_states")
    state = models.CharField(max_length=8, choices=AnnotatorStatus.choices, default=AnnotatorStatus.ACTIVE)
    needs_review = models.BooleanField(default=False, help_text="A rule asks the head annotator to check them.")
    reasons = models.JSONField(default=list, blank=True, help_text="Codes of active rules, or a person's sentence.")
    is_unnamed = models.BooleanField(
        default=False, help_text="No person: imported votes whose annotators the file does not name."
    )
    is_foreign = models.BooleanField(default=False, help_text="Their judgments were imported from another tool.")
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="When a head annotator let this person go on after their first HITs."
    )
    n_submitted = models.PositiveIntegerField(default=0, help_text="HITs, with late ones.")
    n_judgments = models.PositiveIntegerField(default=0, help_text="First answers of all submitted HITs.")
    n_revised = models.PositiveIntegerField(default=0, help_text="How often they changed an answer afterwards.")
    today = models.DateField(null=True, blank=True, help_text="The day, UTC, of the next two numbers.")
    n_today = models.PositiveIntegerField(default=0, help_text="HITs submitted on that day.")
    ms_today = models.PositiveBigIntegerField(default=0, help_text="Focus time on that day, in milliseconds.")
    n_graded = models.PositiveIntegerField(default=0, help_text="Controls passed or failed, without quarantined ones.")
    n_failed = models.PositiveIntegerField(default=0)
    n_unsettled = models.PositiveIntegerField(
        default=0, help_text="How often the weight of their judgments changed since their HITs were settled."
    )

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "user"), name="annotator_state_once_per_project"),
            models.CheckConstraint(
                condition=models.Q(n_failed__lte=models.F("n_graded")), name="annotator_state_fails_among_graded"
            ),
        )


class DecidedStatus(models.TextChoices):
    """What a person may decide about the status of an annotator."""

    ACTIVE = "active", "active, against the rules"
    PAUSED = "paused", "paused"
    EXCLUDED = "excluded", "excluded"
    POLICY = "policy", "as the rules say"
    REVIEWED = "reviewed", "as the rules say; the check they asked for is done"


LEFT_TO_RULES = (DecidedStatus.POLICY, DecidedStatus.REVIEWED)  # no decision has priority over the rules


class StatusDecision(Dated):
    """What a person decided about the status of an annotator. Rows are added, never changed; the newest one counts."""

    annotator_state = models.ForeignKey(AnnotatorState, on_delete=models.CASCADE, related_name="decisions")
    state = models.CharField(max_length=8, choices=DecidedStatus.choices)
    reason = models.CharField(max_length=300, help_text="Why, in a sentence that the annotator can read.")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(state__in=DecidedStatus.values), name="status_decision_known"),
        )
