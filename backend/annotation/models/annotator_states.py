"""Where each annotator stands on a project: whether they may go on, and the counts that this is judged by."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project


class AnnotatorStatus(models.TextChoices):
    ACTIVE = "active", "active"
    WARNED = "warned", "warned"
    PAUSED = "paused", "paused: gets no HITs, what was judged counts"
    EXCLUDED = "excluded", "excluded: gets no HITs, what was judged does not count"

    @property
    def may_work(self) -> bool:
        return self in WORKING


WORKING = (AnnotatorStatus.ACTIVE, AnnotatorStatus.WARNED)  # who may get another HIT


class AnnotatorState(Dated):
    """One person on one project. Whatever they do there is done while holding this row, one thing at a time."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="annotator_states", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="annotator_states")
    state = models.CharField(max_length=8, choices=AnnotatorStatus.choices, default=AnnotatorStatus.ACTIVE)
    needs_review = models.BooleanField(default=False, help_text="The policy asks the head annotator to look.")
    reasons = models.JSONField(default=list, blank=True, help_text="Codes of active rules, or a person's sentence.")
    is_unnamed = models.BooleanField(
        default=False, help_text="No person: it stands for imported votes whose voters the file does not name."
    )
    is_foreign = models.BooleanField(default=False, help_text="Their judgments were made elsewhere and brought in.")
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="When a head annotator let this person go on after their first HITs."
    )
    n_submitted = models.PositiveIntegerField(default=0, help_text="HITs, late ones among them.")
    n_judgments = models.PositiveIntegerField(default=0, help_text="First answers of all submitted HITs.")
    n_revised = models.PositiveIntegerField(default=0, help_text="How often they changed an answer afterwards.")
    today = models.DateField(null=True, blank=True, help_text="The day, UTC, that the next two numbers are of.")
    n_today = models.PositiveIntegerField(default=0, help_text="HITs submitted on that day.")
    ms_today = models.PositiveBigIntegerField(default=0, help_text="Focus time sent on that day, in milliseconds.")
    n_graded = models.PositiveIntegerField(
        default=0, help_text="Hidden controls passed or failed, quarantined ones out."
    )
    n_failed = models.PositiveIntegerField(default=0)
    n_unsettled = models.PositiveIntegerField(
        default=0, help_text="How often what counts of them changed since their HITs were settled by it."
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

    ACTIVE = "active", "active, whatever the policy finds"
    PAUSED = "paused", "paused"
    EXCLUDED = "excluded", "excluded"
    POLICY = "policy", "as the policy finds"
    REVIEWED = "reviewed", "as the policy finds; what asked for a review has been looked at"


LEFT_TO_RULES = (DecidedStatus.POLICY, DecidedStatus.REVIEWED)  # where nothing by hand stands above the policy


class StatusDecision(Dated):
    """What a person decided about the status of an annotator. Rows are added, never changed; the newest one counts."""

    annotator_state = models.ForeignKey(AnnotatorState, on_delete=models.CASCADE, related_name="decisions")
    state = models.CharField(max_length=8, choices=DecidedStatus.choices)
    reason = models.CharField(max_length=300, help_text="Why, in a sentence that the person concerned may read.")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(condition=models.Q(state__in=DecidedStatus.values), name="status_decision_known"),
        )
