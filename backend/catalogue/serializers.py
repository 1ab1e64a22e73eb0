"""What the API takes and gives about images and uploads."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.media import media_url
from backend.catalogue.models import Image, Upload
from backend.methods.licences import parse_licence
from backend.methods.thumbnails import LARGE, SMALL, fit_within


class ThumbnailOut(serializers.Serializer):
    url = serializers.CharField(help_text="Signed, good for 12 to 24 hours, the same for 12.")
    width = serializers.IntegerField()
    height = serializers.IntegerField()


class ThumbnailsOut(serializers.Serializer):
    small = ThumbnailOut()
    large = ThumbnailOut()


class LicenceOut(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    url = serializers.CharField(allow_blank=True)


def present_thumbnails(image: Image) -> dict[str, Any]:
    """The values of ThumbnailsOut: where both thumbnails are and how large they will be."""
    return {"small": _thumbnail(image, image.small, SMALL), "large": _thumbnail(image, image.large, LARGE)}


def _thumbnail(image: Image, name: str, longest: int) -> dict[str, Any]:
    width, height = fit_within(image.width, image.height, longest)
    return {"url": media_url(name), "width": width, "height": height}


class ImageOut(serializers.ModelSerializer):
    licence = serializers.SerializerMethodField()
    thumbnail = serializers.SerializerMethodField()

    class Meta:
        model = Image
        fields = (
            "id", "key", "digest", "width", "height", "format", "licence", "author", "title", "source_url",
            "attribution", "thumbnail", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(LicenceOut)
    def get_licence(self, image: Image) -> dict[str, str]:
        found = parse_licence(image.licence)
        name, url = (found.name, found.url) if found else (image.licence, "")
        return {"code": image.licence, "name": name, "url": url}

    @extend_schema_field(ThumbnailsOut)
    def get_thumbnail(self, image: Image) -> dict[str, Any]:
        return present_thumbnails(image)


class ImageDetailOut(ImageOut):
    """`original_url` is for curators alone: an original may still hold where it was taken."""

    phash = serializers.CharField(source="perceptual_hash")
    notes = serializers.ListField(child=serializers.CharField())
    original_url = serializers.SerializerMethodField()

    class Meta:
        model = Image
        fields = (*ImageOut.Meta.fields, "phash", "notes", "n_bytes", "original_url")
        read_only_fields = fields

    def get_original_url(self, image: Image) -> str | None:
        if not self.context["may_curate"]:
            return None
        ending = image.original.rpartition(".")[2]
        return media_url(image.original, download_as=f"{image.digest[:16]}.{ending}")


class UploadIn(serializers.Serializer):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True, use_url=False, max_length=255),
        allow_empty=False,
        max_length=2000,
        help_text="Pictures, or one .zip or .tar, with a CSV, JSONL or JSON that describes them.",
    )


class UploadFileOut(serializers.Serializer):
    name = serializers.CharField()
    n_bytes = serializers.IntegerField()


class UploadOut(serializers.ModelSerializer):
    files = UploadFileOut(many=True)
    detected_layout = serializers.SerializerMethodField(
        help_text="table, coco, imagefolder, webdataset or files; empty where an import must be told."
    )

    class Meta:
        model = Upload
        fields = ("id", "files", "detected_layout", "created_at")
        read_only_fields = fields

    def get_detected_layout(self, upload: Upload) -> str:
        return str(self.context["detected_layout"])
