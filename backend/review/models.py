"""The head annotator's word on single pairs, and the sums that agreement is read from."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.annotation.models import Label
from backend.candidates.models import Candidate
from backend.common.models import Dated
from backend.projects.models import Project


class Verdict(Dated):
    """What the head annotator settled about a pair, above all votes. The newest stands; another mind is another row."""

    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="verdicts")
    label = models.CharField(
        max_length=6, choices=Label.choices, blank=True, help_text="Empty: taken back, and the votes decide again."
    )
    reason = models.CharField(max_length=500, blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(label__in=["", *Label.values]), name="verdict_label_known"),
        )

    def __str__(self) -> str:
        return f"{self.label or 'taken back'} {self.candidate_id}"


class AgreementState(models.Model):
    """How far a project's judgments are folded into its tables. Who folds holds this row: one at a time."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="agreement_state")
    folded_at = models.DateTimeField(null=True, blank=True, help_text="When the tables were last brought up to date.")

    def __str__(self) -> str:
        return f"agreement of {self.project_id}"


class Scope(models.TextChoices):
    OVERALL = "overall", "all pairs"
    SOURCE = "source", "by where the caption is from"
    EDIT = "edit", "whether a pair needs an edit of one kind"
    WEEK = "week", "by the ISO week of a pair's newest judgment"


class AgreementTable(models.Model):
    """The sums of one slice of a project, packed by methods/agreement/kept_tables.py, and what was worked out of them.

    One row and not one per sum: a thousand judgments change some twenty thousand sums, but only a dozen slices.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="agreement_tables", db_index=False)
    scope = models.CharField(max_length=8, choices=Scope.choices)
    value = models.CharField(max_length=40, blank=True, help_text="A source, a kind of edit, or a week as 2026-W47.")
    items = models.BinaryField(default=bytes, help_text="(bucket, n of each label, how many pairs) in whole numbers.")
    twos = models.BinaryField(default=bytes, help_text="(first annotator, second, cell, how many pairs).")
    version = models.PositiveBigIntegerField(default=0, help_text="Grows with every change of the sums.")
    figures = models.JSONField(default=list, blank=True, help_text="Of the sums at `figures_version`.")
    figures_version = models.PositiveBigIntegerField(null=True, blank=True)
    draws = models.JSONField(
        default=list, blank=True, help_text="Intervals of Cohen's mean kappa, drawn from the judgments themselves."
    )
    pair_draws = models.BinaryField(
        default=bytes, help_text="Of all pairs: intervals of Cohen's kappa of every two annotators, packed."
    )
    draws_version = models.PositiveBigIntegerField(null=True, blank=True)
    draws_judgments = models.PositiveBigIntegerField(default=0, help_text="How many judgments they were drawn from.")
    drawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("project_id", "scope", "-value")
        constraints = (
            models.UniqueConstraint(fields=("project", "scope", "value"), name="agreement_table_once_per_slice"),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.value}"
