from __future__ import annotations

from django.contrib import admin

from backend.reports.models import DiversityReport


@admin.register(DiversityReport)
class DiversityReportAdmin(admin.ModelAdmin):
    list_display = ("run", "created_at")
    raw_id_fields = ("run",)
    show_full_result_count = False
