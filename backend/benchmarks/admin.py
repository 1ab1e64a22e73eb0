"""Benchmark results can be looked at, never changed."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from backend.benchmarks.models import Evaluation, PublishedTable


class ReadOnly(admin.ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(Evaluation)
class EvaluationAdmin(ReadOnly):
    list_display = ("model_name", "task", "release", "source", "is_of_release", "created_at")


@admin.register(PublishedTable)
class PublishedTableAdmin(ReadOnly):
    list_display = ("name", "project", "published_in", "created_at")
