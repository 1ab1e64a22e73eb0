"""What the API gives about the map of images and captions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.models import Image
from backend.catalogue.serializers import ThumbnailOut, present_thumbnails
from backend.curation.models import CaptionMap
from backend.runs.models import Run

COLUMN_NAMES = (
    "difficulty", "entropy", "status", "licence", "captions", "label", "source", "votes", "selection", "good",
)  # fmt: skip


class CaptionMapOut(serializers.ModelSerializer):
    """A map: how many points it has, and what they were laid out with."""

    class Meta:
        model = CaptionMap
        fields = (
            "n_images", "n_captions", "n_left_out", "settings", "versions", "image_model", "text_model",
            "digest", "made_at",
        )  # fmt: skip
        read_only_fields = fields


class MapRunOut(serializers.ModelSerializer):
    """The newest run of the stage that makes the map."""

    class Meta:
        model = Run
        fields = ("id", "status", "done", "total")
        read_only_fields = fields


class MapOut(serializers.Serializer):
    """`map` is null before the stage has made one, `run` before it was started."""

    map = CaptionMapOut(allow_null=True)
    run = MapRunOut(allow_null=True)


class MapColumnOut(serializers.Serializer):
    """One value for each point: a code into `values`, -1 where undefined; or a number, null where undefined.

    `difficulty` of an image is that of the hardest of its chosen captions, `entropy` the mean over its captions, and
    `good` how many of them are good by consensus.
    """

    name = serializers.ChoiceField(choices=COLUMN_NAMES)
    values = serializers.ListField(child=serializers.CharField(), allow_null=True)
    codes = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    numbers = serializers.ListField(child=serializers.FloatField(allow_null=True), allow_null=True)


class MapThumbnailOut(serializers.Serializer):
    """The small thumbnail of an image."""

    image = serializers.IntegerField(source="pk", help_text="The image's id.")
    thumbnail = serializers.SerializerMethodField()

    @extend_schema_field(ThumbnailOut)
    def get_thumbnail(self, image: Image) -> dict[str, Any]:
        return dict(present_thumbnails(image)["small"])


class MapColumnsOut(serializers.Serializer):
    """What is known of every point, in the order of the points.

    A `keys` or `texts` entry is empty where the image or caption is no longer in the project. `images` has the place
    of each caption's image among the images, -1 where it has none.
    """

    digest = serializers.CharField(help_text="That of the points these columns belong to.")
    keys = serializers.ListField(child=serializers.CharField(allow_blank=True))
    image_columns = MapColumnOut(many=True)
    texts = serializers.ListField(child=serializers.CharField(allow_blank=True))
    images = serializers.ListField(child=serializers.IntegerField())
    caption_columns = MapColumnOut(many=True)
    n_images_missing = serializers.IntegerField(help_text="Images of the project that are not on the map.")
    n_captions_missing = serializers.IntegerField(help_text="Kept captions that are not on the map.")
    n_captions_changed = serializers.IntegerField(help_text="Captions whose text has changed since the map was made.")
