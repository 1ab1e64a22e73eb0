"""What the gallery takes and gives."""

from __future__ import annotations

from rest_framework import serializers

from backend.candidates.serializers import MOST_IMAGES, named_images
from backend.curation.gallery import KEYSETS, STATES


class GalleryIn(serializers.Serializer):
    q = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=100,
        help_text="In the key, title or author of an image, or in a kept caption.",
    )  # fmt: skip
    state = serializers.ChoiceField(choices=STATES, required=False, default=None, allow_null=True)
    sort = serializers.ChoiceField(choices=tuple(KEYSETS), required=False, default="oldest")
    images = serializers.RegexField(
        r"^\d{1,18}(,\d{1,18})*$", required=False, max_length=20 * MOST_IMAGES,
        help_text=f"Ids of images, split at commas; at most {MOST_IMAGES}. Only these are listed.",
    )  # fmt: skip

    def validate_images(self, value: str) -> list[int]:
        return named_images(value)


class ImageMarksOut(serializers.Serializer):
    image = serializers.IntegerField(help_text="The image's id.")
    n_selected = serializers.IntegerField(help_text="Chosen captions.")
    n_disputed = serializers.IntegerField(help_text="Captions in dispute.")
    n_assignments = serializers.IntegerField(help_text="Submitted.")
    n_hits = serializers.IntegerField()
