"""Worked examples that stand with a project's guidelines."""

from __future__ import annotations

from django.db import models

from backend.annotation.models.labels import Label
from backend.catalogue.models import Image
from backend.common.models import Dated
from backend.projects.models import Project


class GuidelineExample(Dated):
    """A picture, words, and how they are rightly judged. Its pair is never a control: here the answer is told."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="guideline_examples", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1, 2, 3 ... as the curator put them.")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(help_text="A caption; a query's words where images are judged against queries.")
    label = models.CharField(max_length=6, choices=Label.choices)
    edited_text = models.TextField(blank=True, help_text="The caption as an edit makes it; empty where none is needed.")
    explanation = models.CharField(max_length=500, help_text="Why it is so, in a sentence.")

    class Meta:
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("project", "position"), name="guideline_example_in_its_place"),
            models.CheckConstraint(condition=models.Q(label__in=Label.values), name="guideline_example_label_known"),
        )
