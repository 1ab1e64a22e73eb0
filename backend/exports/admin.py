"""Exports can be looked at, never changed."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest

from backend.exports.models import Export


@admin.register(Export)
class ExportAdmin(admin.ModelAdmin):
    list_display = ("project", "what", "format", "state", "n_rows", "n_bytes", "created_at", "expires_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False
