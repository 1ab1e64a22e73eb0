"""Releases can be looked at, never changed."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from backend.releases.models import Release


@admin.register(Release)
class ReleaseAdmin(admin.ModelAdmin):
    list_display = ("project", "label", "n_images", "n_captions", "n_judgments", "created_at", "digest")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
