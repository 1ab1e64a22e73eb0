from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from backend.erasure.models import ProjectDeletion


@admin.register(ProjectDeletion)
class ProjectDeletionAdmin(admin.ModelAdmin):
    """To look at: how far a deletion is, and what it waits for."""

    list_display = ("project_slug", "requested_by", "created_at", "waits_for", "finished_at", "counts")
    list_select_related = ("requested_by",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: ProjectDeletion | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ProjectDeletion | None = None) -> bool:
        return False
