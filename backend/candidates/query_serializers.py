"""What the API takes and gives about queries."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.candidates.models import Candidate, CandidateStatus
from backend.candidates.queries import LONGEST_QUERY, MOST_IMAGES
from backend.catalogue.models import Query, QueryKind
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails

KIND_HELP = "conceptual, descriptive, or empty if unknown."


class QueryNameOut(serializers.ModelSerializer):
    kind = serializers.ChoiceField(choices=QueryKind.choices, allow_blank=True, help_text=KIND_HELP)

    class Meta:
        model = Query
        fields = ("id", "text", "kind")
        read_only_fields = fields


class QueryOut(QueryNameOut):
    n_images = serializers.IntegerField(help_text="Images to judge against it; hidden controls are not counted.")
    n_in_hits = serializers.IntegerField(help_text="Of these: images in a HIT.")

    class Meta:
        model = Query
        fields = (*QueryNameOut.Meta.fields, "n_images", "n_in_hits", "created_at")
        read_only_fields = fields


class QueryListIn(serializers.Serializer):
    kind = serializers.ChoiceField(
        choices=QueryKind.choices, required=False, default="", help_text="Only of this kind."
    )
    text = serializers.CharField(required=False, default="", max_length=200, help_text="With this in the text.")


class QueryIn(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST_QUERY)
    kind = serializers.ChoiceField(
        choices=QueryKind.choices, required=False, default="", allow_blank=True, help_text=KIND_HELP
    )
    images = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        default=list,
        max_length=MOST_IMAGES,
        help_text="Keys of images of the project to judge against it.",
    )


class QueryAddedOut(QueryOut):
    n_new = serializers.IntegerField(help_text="New images of the query.")
    n_known = serializers.IntegerField()

    class Meta:
        model = Query
        fields = (*QueryOut.Meta.fields, "n_new", "n_known")
        read_only_fields = fields


class QueryImageOut(serializers.Serializer):
    id = serializers.IntegerField()
    key = serializers.CharField()
    thumbnail = ThumbnailsOut()


class QueryPairOut(serializers.ModelSerializer):
    """An image to judge against a query. `id` is the id of the pair."""

    image = serializers.SerializerMethodField()
    status = serializers.ChoiceField(choices=CandidateStatus.choices)
    in_hit = serializers.SerializerMethodField()

    class Meta:
        model = Candidate
        fields = ("id", "image", "status", "in_hit", "created_at")
        read_only_fields = fields

    @extend_schema_field(QueryImageOut)
    def get_image(self, pair: Candidate) -> dict[str, Any]:
        return {"id": pair.image.pk, "key": pair.image.key, "thumbnail": present_thumbnails(pair.image)}

    def get_in_hit(self, pair: Candidate) -> bool:
        return bool(pair.hit_items.all())
