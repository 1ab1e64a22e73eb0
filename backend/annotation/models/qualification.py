"""What a newcomer does before the first HIT: reads the guidelines and passes a quiz of control items."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project


class Qualification(Dated):
    """A project's terms. Without a row, or where nothing is asked, everybody may begin at once."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="qualification")
    asks_guidelines = models.BooleanField(
        default=True, help_text="The guidelines must be read, again when they change."
    )
    n_questions = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(50)], help_text="Quiz items asked in one attempt; 0 asks no quiz."
    )
    pass_mark = models.FloatField(
        default=0.8, validators=[MinValueValidator(0), MaxValueValidator(1)], help_text="Share that must be right."
    )
    max_attempts = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1)])
    retry_after_minutes = models.PositiveIntegerField(default=0, help_text="Between a failed attempt and the next.")
    valid_days = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: a pass never expires.")
    passes_since = models.DateTimeField(
        null=True, blank=True, help_text="When a curator last asked everybody to pass anew; what came before is void."
    )
    version = models.PositiveIntegerField(default=1, help_text="Grows with every change; a stale write answers 409.")


class QuizAttempt(Dated):
    """One go at the quiz. Questions and pass mark are fixed when it begins; a pass or a fail is settled when it ends.

    An attempt that ended without either is void: its terms or its questions were taken back meanwhile.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="1, 2, 3 ...")
    seed = models.BigIntegerField()
    questions = models.JSONField(help_text="Candidate ids in the order asked.")
    pass_mark = models.FloatField(help_text="Share that must be right, as the terms had it when this began.")
    answers = models.JSONField(
        default=dict, help_text="{number of the question from 1, as text: {label, is_right}}; each is final once given."
    )
    n_right = models.PositiveSmallIntegerField(null=True, blank=True)
    is_passed = models.BooleanField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "user", "number"), name="quiz_attempt_numbered"),
            # Two tabs that begin at once are in the same attempt.
            models.UniqueConstraint(
                fields=("project", "user"), condition=models.Q(ended_at=None), name="quiz_one_attempt_at_a_time"
            ),
        )
