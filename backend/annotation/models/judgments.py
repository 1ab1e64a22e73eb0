"""What one person said of one pair."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from backend.annotation.models.hits import Assignment
from backend.candidates.models import Candidate
from backend.common.labels import Label
from backend.common.models import Dated
from backend.qualification.models import Control


class Lens(models.TextChoices):
    """In which way a good caption is good."""

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
        help_text="The control that the pair is. Such a judgment is no data.",
    )  # fmt: skip
    outcome = models.CharField(
        max_length=8, choices=ControlOutcome.choices, blank=True,
        help_text="Of the first answer to a control; empty for pairs, and where the person answered it before.",
    )  # fmt: skip
    label = models.CharField(max_length=6, choices=Label.choices)
    position = models.PositiveSmallIntegerField(help_text="Where in the shown order it stood.")
    edits = models.JSONField(
        default=list, blank=True, help_text="[{start, end, kind, before, after}], in code points of the caption's text."
    )
    lens = models.CharField(max_length=10, choices=Lens.choices, blank=True, help_text="Of a good caption, if said.")
    comment = models.TextField(blank=True)
    is_generic = models.BooleanField(default=False, help_text="The person says it would fit many other pictures.")
    ms = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Focus time on the item in milliseconds, if sent: what passed elsewhere is out.",
    )
    client_at = models.DateTimeField(null=True, blank=True, help_text="By the clock of the person's machine, if sent.")
    supersedes = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, db_index=False, related_name="later",
        related_query_name="superseded_by",
    )  # fmt: skip

    class Meta:
        ordering = ("id",)
        constraints = (
            # Whatever else goes wrong: one person has one first word on a pair.
            models.UniqueConstraint(
                fields=("annotator", "candidate"),
                condition=models.Q(supersedes=None, control=None),
                name="judgment_first_once_per_pair",
            ),
            # Of later words alone, for the reason of `slot_once_per_assignment`.
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
