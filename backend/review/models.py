"""Decisions of head annotators, and their review queue."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone

from backend.annotation.models import Assignment, Judgment
from backend.candidates.models import Candidate
from backend.common.labels import Label
from backend.common.models import Dated
from backend.feedback.models import Remark
from backend.people.models import User
from backend.projects.models import Project


class ReasonTag(models.TextChoices):
    """Why a head annotator corrects an answer."""

    WRONG_OBJECT = "wrong_object", "wrong object"
    WRONG_COUNT = "wrong_count", "wrong count"
    WRONG_ATTRIBUTE = "wrong_attribute", "wrong attribute"
    WRONG_PLACE = "wrong_place", "wrong place"
    FIGURATIVE_ALLOWED = "figurative_allowed", "figurative is allowed"
    TOO_GENERIC = "too_generic", "too generic"
    LANGUAGE = "language", "language"
    GUIDELINE = "guideline", "against the guidelines"
    OTHER = "other", "other"


class Verdict(Dated):
    """What the head annotator settled about a pair, above all votes. The newest stands; another mind is another row."""

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="verdicts")
    label = models.CharField(
        max_length=6, choices=Label.choices, blank=True, help_text="Empty: taken back, and the votes decide again."
    )
    reason = models.CharField(max_length=500, blank=True)
    tag = models.CharField(max_length=20, choices=ReasonTag.choices, blank=True)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True, help_text="1 low, 2 medium, 3 high.")
    edits = models.JSONField(default=list, blank=True, help_text="How the caption should read, as in a judgment.")
    decision = models.ForeignKey(
        "review.CaseDecision", null=True, blank=True, on_delete=models.SET_NULL, related_name="verdicts",
        help_text="The decision on a case that it is a part of.",
    )  # fmt: skip
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(label__in=["", *Label.values]), name="verdict_label_known"),
            models.CheckConstraint(
                condition=models.Q(confidence=None) | models.Q(confidence__range=(1, 3)),
                name="verdict_confidence_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.label or 'taken back'} {self.candidate_id}"


def _percent(default: int, help_text: str) -> models.PositiveSmallIntegerField:  # type: ignore[type-arg]
    return models.PositiveSmallIntegerField(default=default, validators=[MaxValueValidator(100)], help_text=help_text)


class ReviewSettings(models.Model):
    """What comes into the review queue. The gate's number stands with the project, where `next` reads it."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="review_settings")
    first_assignments = models.PositiveSmallIntegerField(
        default=3, validators=[MaxValueValidator(50)], help_text="How many first assignments of each annotator."
    )
    sample_percent = _percent(5, "Of all later assignments, at random.")
    ties = models.BooleanField(default=True, help_text="Pairs whose most frequent answers come equally often.")
    low_agreement = models.BooleanField(default=True, help_text="Pairs on which fewer than 60% give one answer.")
    failed_controls = models.BooleanField(default=True, help_text="Assignments with a failed control.")
    comments = models.BooleanField(default=True, help_text="Pairs with a comment.")
    edits = models.BooleanField(default=True, help_text="Pairs whose caption an annotator edits.")
    generic = models.BooleanField(default=True, help_text="Pairs that an annotator calls too generic.")
    policy_requests = models.BooleanField(default=True, help_text="Annotators that a quality rule wants checked.")
    replies = models.BooleanField(default=True, help_text="Replies of annotators to feedback.")
    second_look_percent = _percent(10, "Of all decisions, which another head annotator looks at again.")

    class Meta:
        verbose_name_plural = "review settings"

    def __str__(self) -> str:
        return f"review settings of {self.project_id}"


class QueueState(models.Model):
    """How far a project's queue is filled. The filler holds this row: one at a time."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="queue_state")
    filled_at = models.DateTimeField(
        null=True, blank=True, help_text="When somebody last filled it, wholly or in part."
    )
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="Of the last assignment looked at.")
    assignment = models.UUIDField(null=True, blank=True, help_text="This assignment.")
    judgment = models.PositiveBigIntegerField(default=0, help_text="Later changes of judgments are not looked at yet.")
    verdict = models.PositiveBigIntegerField(default=0, help_text="Later verdicts are not looked at yet.")
    excluded = models.JSONField(default=list, blank=True, help_text="Whose judgments did not count then, by id.")

    def __str__(self) -> str:
        return f"queue of {self.project_id}"


class ReasonCode(models.TextChoices):
    """Why a case is in the queue."""

    REPLY = "reply", "an annotator replied"
    REWORK_DONE = "rework_done", "returned work was changed"
    DISPUTED = "disputed", "a decision and the answers differ"
    TIE = "tie", "the answers are tied"
    LOW_AGREEMENT = "low_agreement", "the answers differ much"
    SECOND_LOOK = "second_look", "another head annotator decided on it"
    FAILED_CONTROL = "failed_control", "a control was failed"
    POLICY = "policy", "the quality rules ask for a check"
    COMMENT = "comment", "it has a comment"
    FIRST_WORK = "first_work", "first work of an annotator"
    TOO_GENERIC = "too_generic", "an annotator calls it too generic"
    EDIT = "edit", "an annotator edits it"
    SAMPLE = "sample", "drawn at random"


class Action(models.TextChoices):
    """What a head annotator does with a case."""

    SETTLE = "settle", "settle pairs"
    ACCEPT_MAJORITY = "accept_majority", "settle pairs as most annotators say"
    ACCEPT_PAGE = "accept_page", "accept an assignment"
    ACCEPT_WITH_CORRECTIONS = "accept_with_corrections", "accept an assignment and correct pairs"
    REWORK = "rework", "return work to annotators"
    ASK_MORE = "ask_more", "ask for more judgments"
    DISMISS = "dismiss", "take the case out of the queue"


PAGE_ACTIONS = (Action.ACCEPT_PAGE, Action.ACCEPT_WITH_CORRECTIONS, Action.REWORK)
RESOLVED = "resolved"  # outcome of a case whose reasons are gone


class ReviewCase(models.Model):
    """One thing in the review queue: a pair, or an assignment. It is open while one of its reasons is.

    A second look at a pair is a case of its own, because the decision is hidden there.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    candidate = models.ForeignKey(Candidate, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    assignment = models.ForeignKey(Assignment, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        help_text="Of the assignment.",
    )  # fmt: skip
    is_second_look = models.BooleanField(default=False)
    withheld_from = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        help_text="Of a second look: whose decision it is about, who never gets the case.",
    )  # fmt: skip
    priority = models.PositiveIntegerField(default=0, help_text="See methods/review_order.py.")
    entropy = models.FloatField(default=0, help_text="Of a pair's votes, in bits.")
    opened_at = models.DateTimeField(help_text="When it came into the queue, or came back.")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    outcome = models.CharField(max_length=24, blank=True, choices=[*Action.choices, (RESOLVED, "its reasons are gone")])
    leased_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    leased_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-priority", "id")
        constraints = (
            models.UniqueConstraint(
                fields=("candidate", "is_second_look"), condition=models.Q(candidate__isnull=False),
                name="review_case_once_per_pair",
            ),
            models.UniqueConstraint(
                fields=("assignment",), condition=models.Q(assignment__isnull=False),
                name="review_case_once_per_page",
            ),
            models.CheckConstraint(
                condition=models.Q(candidate__isnull=True) ^ models.Q(assignment__isnull=True),
                name="review_case_is_pair_or_page",
            ),
        )  # fmt: skip
        indexes = (
            models.Index(
                fields=("project", "-priority", "id"), condition=models.Q(closed_at=None), name="review_case_open"
            ),
            models.Index(
                fields=("project", "-opened_at", "-id"), condition=models.Q(closed_at=None), name="review_case_new"
            ),
            models.Index(
                fields=("project", "-entropy", "-id"), condition=models.Q(closed_at=None), name="review_case_unclear"
            ),
            models.Index(
                fields=("project", "-closed_at", "-id"),
                condition=models.Q(closed_at__isnull=False),
                name="review_case_done",
            ),
            models.Index(
                fields=("project", "leased_by"),
                condition=models.Q(closed_at=None, leased_by__isnull=False),
                name="review_case_held",
            ),
        )

    def __str__(self) -> str:
        return f"case {self.pk}"

    @property
    def is_pair(self) -> bool:
        return self.candidate_id is not None

    @property
    def holder(self) -> User | None:
        """Who has it in hand now."""
        is_held = self.leased_until is not None and self.leased_until > timezone.now()
        return self.leased_by if is_held and self.closed_at is None else None


class CaseDecision(Dated):
    """What a head annotator did with a case. Rows are appended; undoing one only marks it."""

    case = models.ForeignKey(ReviewCase, on_delete=models.CASCADE, related_name="decisions")
    action = models.CharField(max_length=24, choices=Action.choices)
    text = models.TextField(blank=True, help_text="What was written to annotators.")
    n_asked = models.PositiveSmallIntegerField(default=0, help_text="How many more judgments were asked for.")
    is_first = models.BooleanField(default=False, help_text="The first decision on an assignment: it stays the first.")
    releases = models.BooleanField(default=False, help_text="It let the annotator through the gate.")
    before = models.JSONField(default=dict, blank=True, help_text="What undoing it brings back.")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(
                fields=("case",), condition=models.Q(is_first=True, undone_at=None), name="case_decision_first_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.case_id}"


class ReviewReason(Dated):
    """Why a case is in the queue. The same reason from the same source comes once, ever."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    case = models.ForeignKey(ReviewCase, on_delete=models.CASCADE, related_name="reasons", db_index=False)
    code = models.CharField(max_length=16, choices=ReasonCode.choices)
    source = models.CharField(max_length=60, blank=True, help_text="The row that gave it, as judgment:7.")
    annotator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False,
        help_text="Whose answer or reply it is.",
    )  # fmt: skip
    params = models.JSONField(default=dict, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    decision = models.ForeignKey(
        CaseDecision, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", help_text="That closed it."
    )

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=("case", "code", "source"), name="review_reason_once"),)
        indexes = (
            models.Index(
                fields=("project", "code", "case"), condition=models.Q(closed_at=None), name="review_reason_open"
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.case_id}"


class SecondLook(Dated):
    """What another head annotator says of a pair, without having seen the decision on it. The decision stands."""

    verdict = models.ForeignKey(Verdict, on_delete=models.CASCADE, related_name="second_looks")
    label = models.CharField(max_length=6, choices=Label.choices)
    decision = models.OneToOneField(CaseDecision, on_delete=models.CASCADE, related_name="second_look")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(label__in=Label.values), name="second_look_label_known"),
        )

    def __str__(self) -> str:
        return f"{self.label} {self.verdict_id}"


class Rework(Dated):
    """An answer that was returned to its annotator with a remark, until they change it or reply."""

    decision = models.ForeignKey(CaseDecision, on_delete=models.CASCADE, related_name="reworks")
    remark = models.OneToOneField(Remark, on_delete=models.CASCADE, related_name="+")
    judgment = models.ForeignKey(Judgment, on_delete=models.CASCADE, related_name="+", help_text="What was returned.")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("decision",), condition=models.Q(done_at=None), name="rework_waits"),)

    def __str__(self) -> str:
        return f"rework {self.pk}"


class PairTally(models.Model):
    """The votes and the verdict of a pair that is in dispute or has a verdict, as the queue last saw them."""

    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, primary_key=True, related_name="+")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    n_good = models.PositiveSmallIntegerField(default=0)
    n_bad = models.PositiveSmallIntegerField(default=0)
    n_unsure = models.PositiveSmallIntegerField(default=0)
    entropy = models.FloatField(default=0, help_text="Of the votes, in bits.")
    verdict = models.CharField(max_length=6, choices=Label.choices, blank=True)
    is_tie = models.BooleanField(default=False)
    is_low = models.BooleanField(default=False, help_text="Fewer than 60% give one answer, and it is no tie.")
    is_against = models.BooleanField(default=False, help_text="The verdict is not what most annotators say.")
    changed_at = models.DateTimeField(default=timezone.now, help_text="Of the newest vote or verdict.")

    class Meta:
        indexes = (
            models.Index(
                fields=("project", "-entropy", "candidate"),
                condition=models.Q(is_tie=True) | models.Q(is_low=True) | models.Q(is_against=True),
                name="pair_tally_disputed",
            ),
            models.Index(fields=("project", "candidate"), condition=~models.Q(verdict=""), name="pair_tally_decided"),
        )

    def __str__(self) -> str:
        return f"votes on {self.candidate_id}"
