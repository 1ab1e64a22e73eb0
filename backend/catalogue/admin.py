from __future__ import annotations

from django.contrib import admin

from backend.catalogue.models import Image, Upload


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
