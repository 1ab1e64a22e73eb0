from __future__ import annotations

from django.contrib import admin

from backend.review.models import Verdict


@admin.register(Verdict)
class VerdictAdmin(admin.ModelAdmin):
    list_display = ("candidate", "label", "decided_by", "created_at")
    list_filter = ("label",)
    raw_id_fields = ("candidate", "decided_by")
    show_full_result_count = False
