from __future__ import annotations

from django.contrib import admin

from backend.catalogue.models import Corpus, Image, ShardWork, Upload


@admin.register(Image)
class ImageAdmin(admin.ModelAdmin):
    list_display = ("key", "project", "width", "height", "format", "licence", "created_at")
    list_filter = ("project", "licence", "format")
    search_fields = ("key", "digest", "title", "author")
    raw_id_fields = ("project",)
    readonly_fields = ("digest", "perceptual_hash", "original", "small", "large")


@admin.register(Upload)
class UploadAdmin(admin.ModelAdmin):
    list_display = ("id", "project", "uploaded_by", "created_at")
    list_filter = ("project",)
    raw_id_fields = ("project", "uploaded_by")


@admin.register(Corpus)
class CorpusAdmin(admin.ModelAdmin):
    list_display = ("name", "project", "layout", "n_shards", "n_pairs", "licence", "created_at")
    list_filter = ("project", "layout")
    search_fields = ("name", "folder", "digest")
    raw_id_fields = ("project",)
    readonly_fields = ("digest", "n_shards", "n_pairs", "layout")


@admin.register(ShardWork)
class ShardWorkAdmin(admin.ModelAdmin):
    list_display = ("shard", "run", "state", "attempt", "n_done", "n_skipped", "heartbeat_at")
    list_filter = ("state",)
    raw_id_fields = ("run", "shard")
