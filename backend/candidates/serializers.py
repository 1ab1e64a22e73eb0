"""What the API gives about candidates."""

from __future__ import annotations

from rest_framework import serializers

from backend.candidates.models import Candidate, CandidateStatus

MOST_IMAGES = 500


class CandidateOut(serializers.ModelSerializer):
    status = serializers.ChoiceField(choices=CandidateStatus.choices)

    class Meta:
        model = Candidate
        fields = (
            "id", "raw_text", "text", "source", "source_ref", "rank", "similarity", "status",
            "drop_rule", "drop_detail",
        )  # fmt: skip
        read_only_fields = fields


class CandidateListIn(serializers.Serializer):
    status = serializers.ChoiceField(
        choices=CandidateStatus.choices, required=False, default="", help_text="Only candidates of this status."
    )


class ImageCountsIn(serializers.Serializer):
    images = serializers.RegexField(
        r"^\d{1,18}(,\d{1,18})*$",
        max_length=20 * MOST_IMAGES,
        help_text=f"Ids of images, split at commas; at most {MOST_IMAGES}.",
    )

    def validate_images(self, value: str) -> list[int]:
        ids = list(dict.fromkeys(map(int, value.split(","))))
        if len(ids) > MOST_IMAGES:
            raise serializers.ValidationError(f"Ask for at most {MOST_IMAGES} images at once.")
        return ids


class ImageCountsOut(serializers.Serializer):
    image = serializers.IntegerField(help_text="The image's id.")
    n_candidates = serializers.IntegerField()
    n_kept = serializers.IntegerField()


class WebTitlesEstimateOut(serializers.Serializer):
    n_images = serializers.IntegerField()
    n_cached = serializers.IntegerField(help_text="Images looked up before: they cost nothing any more.")
    n_to_ask = serializers.IntegerField(help_text="Images that a run would look up now.")
    units = serializers.IntegerField(help_text="What Google counts: one for each image that is looked up.")
    least_cost = serializers.DecimalField(
        max_digits=14, decimal_places=2, help_text="If none of the month's free units is used up yet."
    )
    cost = serializers.DecimalField(
        max_digits=14, decimal_places=2, help_text="At most: if the month's free units are used up."
    )
    currency = serializers.CharField()
    has_key = serializers.BooleanField(help_text="Without CONNOTE_GOOGLE_VISION_KEY the stage looks nothing up.")
