from __future__ import annotations

from django.contrib import admin

from backend.curation.models import CalibrationRecord, CaptionMap, Consensus, Difficulty, Rater, Selection


@admin.register(Consensus)
class ConsensusAdmin(admin.ModelAdmin):
    list_display = ("candidate", "label", "method", "n_good", "n_bad", "n_unsure", "category")
    list_filter = ("label", "method", "category")
    raw_id_fields = ("candidate", "run", "verdict")
    show_full_result_count = False


@admin.register(Selection)
class SelectionAdmin(admin.ModelAdmin):
    list_display = ("image", "status", "method", "mean_similarity", "n_good")
    list_filter = ("status", "method")
    raw_id_fields = ("image", "run")
    show_full_result_count = False


@admin.register(Difficulty)
class DifficultyAdmin(admin.ModelAdmin):
    list_display = ("item", "category", "n_votes", "policy")
    list_filter = ("category", "policy")
    raw_id_fields = ("item", "run")
    show_full_result_count = False


@admin.register(Rater)
class RaterAdmin(admin.ModelAdmin):
    list_display = ("name", "threshold", "digest")


@admin.register(CaptionMap)
class CaptionMapAdmin(admin.ModelAdmin):
    list_display = ("project", "n_images", "n_captions", "made_at")
    raw_id_fields = ("project", "run")
    exclude = ("points",)
    show_full_result_count = False


@admin.register(CalibrationRecord)
class CalibrationRecordAdmin(admin.ModelAdmin):
    list_display = ("model", "version", "project", "pairs", "created_at")
    raw_id_fields = ("project", "run")
