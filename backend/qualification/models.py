"""Pairs with known answers, the guidelines' examples, and what an annotator does before the first HIT."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.labels import Label
from backend.common.models import Dated
from backend.methods.said import Said
from backend.projects.models import Project


class ControlOrigin(models.TextChoices):
    PERSON = "person", "named by a person"
    OTHER_IMAGE = "other_image", "a caption of an unlike image"
    IMPORT = "import", "imported"


class ControlState(models.TextChoices):
    ACTIVE = "active", "active"
    QUARANTINED = "quarantined", "quarantined: counts for nobody"
    RETIRED = "retired", "retired by a person"


class ControlNews(models.TextChoices):
    """What happened to a control, as a code and a sentence."""

    PUT_BACK = "control_put_back", "A person checked this test question and put it back in use."
    RETIRED = "control_retired", "A person retired this test question."
    WRONG = "control_wrong", "A person says that its answer is wrong. It counts for nobody."
    FAILED_BY_GOOD = "control_failed_by_good", "{failed} of {good} good annotators failed it (p = {p}), {on}."


class Control(Dated):
    """A pair with a known answer: a question of the quiz, or an item of HITs that looks like all others.

    It never becomes part of a release.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="controls", db_index=False)
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="control")
    accepted = models.JSONField(help_text="The labels that are right: one or two of good, bad, unsure.")
    is_quiz = models.BooleanField(default=False, help_text="Asked in the quiz, with feedback; never an item of a HIT.")
    explanation = models.CharField(
        max_length=500, blank=True, help_text="Why this answer is right. Shown after the quiz."
    )
    origin = models.CharField(max_length=12, choices=ControlOrigin.choices, default=ControlOrigin.PERSON)
    state = models.CharField(max_length=12, choices=ControlState.choices, default=ControlState.ACTIVE)
    state_code = models.CharField(max_length=30, blank=True, help_text="Why it has its state: a code of our sentences.")
    state_params = models.JSONField(default=dict, blank=True, help_text="The values of that sentence.")
    state_detail = models.CharField(max_length=300, blank=True, help_text="Why it has its state, in a person's words.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("id",)
        indexes = (models.Index(fields=("project", "state"), name="control_of_project"),)

    @property
    def why(self) -> Said | None:
        """Why it has its state: what a person wrote, or our own sentence. None if nothing happened to it."""
        if self.state_detail:
            return Said("", self.state_detail)
        code = self.state_code
        return Said(code, str(ControlNews(code).label), self.state_params) if code else None


class GuidelineExample(Dated):
    """An example in the guidelines. Its pair is never a control, because the example shows the answer."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guideline_examples", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1, 2, 3 ... as the curator put them.")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(help_text="A caption, or the text of a query.")
    label = models.CharField(max_length=6, choices=Label.choices)
    edited_text = models.TextField(blank=True, help_text="The caption after an edit; empty if it needs none.")
    explanation = models.CharField(max_length=500, help_text="Why the label is right, in a sentence.")

    class Meta:
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("project", "position"), name="guideline_example_position_once"),
            models.CheckConstraint(condition=models.Q(label__in=Label.values), name="guideline_example_label_known"),
        )


class Qualification(Dated):
    """What a project asks before the first HIT. Without a row, or if it asks nothing, everybody may start at once."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="qualification")
    asks_guidelines = models.BooleanField(default=True, help_text="Read the guidelines; again when they change.")
    n_questions = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(50)], help_text="Questions of one quiz attempt; 0: no quiz."
    )
    pass_mark = models.FloatField(
        default=0.8, validators=[MinValueValidator(0), MaxValueValidator(1)], help_text="Share that must be right."
    )
    max_attempts = models.PositiveSmallIntegerField(default=3, validators=[MinValueValidator(1)])
    retry_after_minutes = models.PositiveIntegerField(default=0, help_text="Between a failed attempt and the next.")
    valid_days = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: a pass never expires.")
    passes_since = models.DateTimeField(null=True, blank=True, help_text="Passes before this moment do not count.")
    version = models.PositiveIntegerField(
        default=1, help_text="It grows with each change. A write with an old version answers 409."
    )


class QualificationState(models.Model):
    """What one annotator has read and passed in one project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    guidelines_read = models.PositiveIntegerField(null=True, blank=True, help_text="The project version they read.")
    guidelines_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the guidelines they read; read again if it is another one."
    )
    quiz_passed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "user"), name="qualification_state_once_per_project"),
        )


class QuizAttempt(Dated):
    """One attempt at the quiz. Its questions and its pass mark are fixed when it begins.

    An attempt that ended neither passed nor failed is void: the quiz changed too much meanwhile.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="1, 2, 3 ...")
    seed = models.BigIntegerField()
    questions = models.JSONField(help_text="Candidate ids in the order asked.")
    pass_mark = models.FloatField(help_text="Share that must be right, as it was when the attempt began.")
    answers = models.JSONField(default=dict, help_text="{position from 1, as text: {label, is_right}}; all are final.")
    n_right = models.PositiveSmallIntegerField(null=True, blank=True)
    is_passed = models.BooleanField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    is_excused = False  # `selectors.mark_excused` says so

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("project", "user", "number"), name="quiz_attempt_numbered"),
            # Two tabs that begin at once get the same attempt.
            models.UniqueConstraint(
                fields=("project", "user"), condition=models.Q(ended_at=None), name="quiz_one_attempt_at_a_time"
            ),
        )

    @property
    def n_questions(self) -> int:
        """The questions of an attempt that was graded without those in quarantine at that time; else all."""
        return len(self.questions if self.is_passed is None else self.graded())

    def graded(self, without: Collection[int] = ()) -> list[dict[str, Any]]:
        """The answers of an ended attempt that count, without those to these candidates."""
        answers = ((self.questions[int(position) - 1], answer) for position, answer in self.answers.items())
        return [answer for candidate, answer in answers if not answer.get("is_out") and candidate not in without]
