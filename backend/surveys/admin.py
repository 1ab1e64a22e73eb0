from __future__ import annotations

from django.contrib import admin

from backend.surveys.models import Survey


@admin.register(Survey)
class SurveyAdmin(admin.ModelAdmin):
    list_display = ("title", "project", "model", "opened_at", "closes_at", "closed_at")
    raw_id_fields = ("project", "created_by")
    exclude = ("token",)
