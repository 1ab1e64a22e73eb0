"""Results of models on a release, the differences between them, and tables that others published."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models

from backend.common.models import Dated
from backend.projects.models import Project
from backend.releases.models import Release
from backend.runs.models import Run


class EvaluationSource(models.TextChoices):
    RUN = "run", "run"
    IMPORT = "import", "import"


class Evaluation(Dated):
    """The result of one model on one release by one task, as result.json has it. It never changes."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    release = models.ForeignKey(Release, on_delete=models.CASCADE, related_name="evaluations", db_index=False)
    task = models.CharField(max_length=40, help_text="A task of methods/benchmarks/tasks.")
    model_name = models.CharField(max_length=200)
    model_kind = models.CharField(max_length=40, help_text="model, embeddings, scores, run or mock.")
    model_digest = models.CharField(max_length=200)
    data_digest = models.CharField(max_length=64, help_text="SHA-256 of the data that the figures are of.")
    is_of_release = models.BooleanField(help_text="The data are those of the release, or its first images.")
    key = models.CharField(max_length=64, help_text="SHA-256 of data, model and settings: one result for each.")
    result = models.JSONField(help_text="result.json")
    stored_as = models.CharField(max_length=200, blank=True, help_text="Storage name of per_query.parquet, if any.")
    n_bytes = models.PositiveBigIntegerField(default=0, help_text="Of per_query.parquet.")
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of per_query.parquet.")
    source = models.CharField(max_length=6, choices=EvaluationSource.choices)
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="evaluations")
    note = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("created_at", "id")
        constraints = (models.UniqueConstraint(fields=("release", "key"), name="evaluation_once"),)

    def __str__(self) -> str:
        return f"{self.model_name} ({self.task})"


class ModelDifference(models.Model):
    """How much more the second model has than the first, by `direction.measure`. Computed once: neither changes."""

    first = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="differences", db_index=False)
    second = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="+")
    category = models.CharField(max_length=200, blank=True, help_text="field=value; empty: all right items.")
    body = models.JSONField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("first", "second", "category"), name="model_difference_once"),)


class PublishedTable(Dated):
    """Figures of models that others published, to show beside a project's own."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="published_tables")
    name = models.CharField(max_length=120)
    published_in = models.CharField(max_length=500, help_text="The paper or address where the figures are from.")
    rows = models.JSONField(help_text='[{"model", "dataset", "cells": {"direction.measure": number}}]')
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ("name", "id")
        constraints = (models.UniqueConstraint(fields=("project", "name"), name="published_table_once"),)

    def __str__(self) -> str:
        return self.name
