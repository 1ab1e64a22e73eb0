"""Surveys of the hardest captions: what is asked, the people without an account, and what they answered.

Of a participant nothing is kept but a random id, times and answers: no name and no address.
"""

from __future__ import annotations

import secrets
import uuid
from datetime import timedelta

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils import timezone

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.models import Dated
from backend.projects.models import Project

HOLDS = timedelta(hours=24)  # without an answer for so long, a participant's place goes to another person


class SurveyState(models.TextChoices):
    DRAFT = "draft", "draft"
    OPEN = "open", "open"
    CLOSED = "closed", "closed"


class ClosedBy(models.TextChoices):
    CURATOR = "curator", "closed by a curator"
    DATE = "date", "its closing date passed"
    NUMBER = "number", "all participants finished"


class DistractorSource(models.TextChoices):
    OTHER_IMAGES = "other_images", "captions of unlike images"
    REJECTED = "rejected", "captions that people rejected"


class Answer(models.TextChoices):
    GOOD = "good", "good"
    BAD = "bad", "bad"


def new_token() -> str:
    return secrets.token_urlsafe(24)


class Survey(Dated):
    """One survey. Its link is kept readable, because curators send it again and it opens nothing but the survey."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="surveys")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=120)
    consent = models.TextField(validators=[MaxLengthValidator(20_000)], help_text="Markdown; read before the survey.")
    run_by = models.CharField(max_length=200, help_text="The person or group in charge, and how to reach them.")
    model = models.CharField(max_length=200, help_text="The model whose lowest scores choose the pairs.")
    model_digest = models.CharField(max_length=64, help_text="SHA-256 of its weights.")
    n_pairs = models.PositiveIntegerField(default=100, help_text="Hardest pairs that are asked for.")
    pairs_each = models.PositiveIntegerField(default=25, help_text="Of these, pairs of one participant.")
    distractors_each = models.PositiveIntegerField(default=5, help_text="Pairs that do not fit, of one participant.")
    distractors_from = models.CharField(
        max_length=12, choices=DistractorSource.choices, default=DistractorSource.OTHER_IMAGES
    )
    seed = models.PositiveBigIntegerField(help_text="Of all random choices.")
    fail_rate = models.FloatField(default=0.7, help_text="This share of wrong distractors excludes a participant.")
    min_graded = models.PositiveIntegerField(default=2, help_text="Answered distractors before the rule applies.")
    counts_unfinished = models.BooleanField(default=False, help_text="Count answers of unfinished participants too.")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="Empty: it has no closing date.")
    max_participants = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: up to 10,000.")
    token = models.CharField(max_length=64, unique=True, default=new_token, help_text="Of the link for all.")
    has_link = models.BooleanField(default=True, help_text="False: only single-use links lead to it.")
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True, help_text="When a curator closed it.")

    class Meta:
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(closed_at__isnull=True) | models.Q(opened_at__isnull=False),
                name="survey_opens_before_it_closes",
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def is_past(self) -> bool:
        """Whether the closing date has passed."""
        return self.closes_at is not None and self.closes_at <= timezone.now()


class SurveyItem(models.Model):
    """A pair as it was when the survey opened. It stays when its caption or image goes."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="items")
    position = models.PositiveIntegerField(help_text="Of the pairs: the hardest is 1. Distractors have their own.")
    is_distractor = models.BooleanField()
    candidate = models.ForeignKey(Candidate, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    image = models.ForeignKey(Image, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    key = models.CharField(max_length=64, blank=True, help_text="Of the caption.")
    score = models.FloatField(null=True, blank=True, help_text="Of the survey's model; none of a distractor.")
    image_key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, db_index=True, help_text="SHA-256 of the image.")
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    small = models.CharField(max_length=200, help_text="Storage name of the small thumbnail.")
    large = models.CharField(max_length=200, help_text="Storage name of the large thumbnail.")

    class Meta:
        ordering = ("survey_id", "is_distractor", "position")
        constraints = (
            models.UniqueConstraint(fields=("survey", "is_distractor", "position"), name="survey_item_once_per_place"),
        )


class Participant(models.Model):
    """A person who agreed to take part. They hold a place as long as they are active or once they finished."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="participants")
    number = models.PositiveIntegerField(help_text="1, 2, 3 ... in the order in which they agreed.")
    start_key = models.UUIDField(help_text="Made by the page, so that agreeing twice makes one participant.")
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(help_text="Of the last answer.")
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("survey_id", "number")
        constraints = (
            models.UniqueConstraint(fields=("survey", "number"), name="participant_once_per_number"),
            models.UniqueConstraint(fields=("survey", "start_key"), name="participant_once_per_start"),
        )

    @property
    def holds_place(self) -> bool:
        return self.finished_at is not None or self.seen_at > timezone.now() - HOLDS


class SurveyAnswer(models.Model):
    """A pair that a participant got, at its place in their series, and the answer once there is one."""

    participant = models.ForeignKey(Participant, on_delete=models.CASCADE, related_name="answers")
    item = models.ForeignKey(SurveyItem, on_delete=models.CASCADE, related_name="answers")
    position = models.PositiveIntegerField(help_text="Its place in the participant's series, from 1.")
    answer = models.CharField(max_length=4, choices=Answer.choices, blank=True)
    ms = models.PositiveIntegerField(null=True, blank=True, help_text="How long they looked, as their page counted.")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("participant_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("participant", "position"), name="survey_answer_once_per_place"),
            models.UniqueConstraint(fields=("participant", "item"), name="survey_answer_once_per_item"),
        )


class SurveyLink(Dated):
    """A link for one participant. Only the SHA-256 of its token is kept."""

    survey = models.ForeignKey(Survey, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    participant = models.OneToOneField(
        Participant, null=True, blank=True, on_delete=models.SET_NULL, related_name="link"
    )

    class Meta:
        ordering = ("id",)
