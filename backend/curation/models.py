"""What people agreed on, and the five captions chosen from it."""

from __future__ import annotations

from django.db import models

from backend.annotation.models import Label
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.models import Dated
from backend.runs.models import Run


class Consensus(models.Model):
    """The votes on one pair and the label they make; a tie has no label."""

    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="consensus")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    label = models.CharField(max_length=6, choices=Label.choices, blank=True, help_text="Empty where votes are tied.")
    n_good = models.PositiveSmallIntegerField(default=0)
    n_bad = models.PositiveSmallIntegerField(default=0)
    n_unsure = models.PositiveSmallIntegerField(default=0)
    counted_until = models.PositiveBigIntegerField(
        default=0, help_text="The newest judgment there was; a release shows the judgments of that moment."
    )

    class Meta:
        verbose_name_plural = "consensus"
        indexes = (models.Index(fields=("label",), name="consensus_label"),)


class SelectionStatus(models.TextChoices):
    SELECTED = "selected", "selected"
    SHORT_POOL = "short_pool", "fewer good captions than asked for"


class Selection(Dated):
    """The diverse captions chosen for one image, or the reason why there are none."""

    image = models.OneToOneField(Image, on_delete=models.CASCADE, related_name="selection")
    run = models.ForeignKey(Run, null=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=12, choices=SelectionStatus.choices)
    method = models.CharField(max_length=12, blank=True, help_text="all, exact or heuristic (methods/selection.py).")
    mean_similarity = models.FloatField(null=True, blank=True, help_text="Mean pairwise cosine of the chosen captions.")
    n_good = models.PositiveIntegerField(default=0, help_text="Good captions there were to choose from.")

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(status="selected") ^ models.Q(method=""), name="selection_names_its_method"
            ),
        )


class SelectionItem(models.Model):
    selection = models.ForeignKey(Selection, on_delete=models.CASCADE, related_name="items")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("selection_id", "position")
        constraints = (
            models.UniqueConstraint(fields=("selection", "position"), name="selection_position_once"),
            models.UniqueConstraint(fields=("selection", "candidate"), name="selection_caption_once"),
        )
