"""What the API gives about pools, suspects and the pictures behind captions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.candidates.models import Pool, Suspect, Suspicion
from backend.candidates.retrieval_reads import word_on
from backend.catalogue.serializers import ThumbnailsField
from backend.methods.retrieval import SENTENCES


class PoolOut(serializers.ModelSerializer):
    run = serializers.UUIDField(source="run_id")
    image = serializers.IntegerField(source="image_id", help_text="The image's id.")
    image_key = serializers.CharField(source="image.key")
    reason = serializers.SerializerMethodField(
        help_text="Why the pool is empty, as a sentence. Empty if the pool is not."
    )
    reason_code = serializers.CharField(source="reason")
    is_noise = serializers.BooleanField(help_text="The image is in no cluster, so neighbours come from all images.")

    class Meta:
        model = Pool
        fields = (
            "id", "run", "image", "image_key", "n_pictures", "n_captions", "n_kept_out", "mean_similarity", "label",
            "is_noise", "could_widen", "radius", "ended_by", "reason", "reason_code",
        )  # fmt: skip
        read_only_fields = fields

    def get_reason(self, pool: Pool) -> str:
        return dict[str, str](SENTENCES).get(pool.reason, "")


class PoolListIn(serializers.Serializer):
    run = serializers.UUIDField(required=False, default=None, help_text="A run; by default the newest that found any.")


class SuspectWordOut(serializers.Serializer):
    """The newest decision of a person about a suspect."""

    decided_by = serializers.CharField(source="decided_by.shown_name")
    created_at = serializers.DateTimeField()


class SuspectOut(serializers.ModelSerializer):
    image = serializers.IntegerField(source="image_id", help_text="The image's id.")
    image_key = serializers.CharField(source="image.key")
    image_title = serializers.CharField(source="image.title")
    thumbnail = ThumbnailsField(source="image", help_text="Of the image.")
    corpus = serializers.CharField(source="neighbour.corpus.name")
    key = serializers.CharField(source="neighbour.key", help_text="The id of the image in the corpus.")
    rules = serializers.ListField(child=serializers.CharField(), help_text="perceptual_hash, cosine, or both.")
    decision = serializers.ChoiceField(choices=Suspicion.choices)
    decided = serializers.SerializerMethodField()

    class Meta:
        model = Suspect
        fields = (
            "id", "image", "image_key", "image_title", "thumbnail", "corpus", "key", "bits", "cosine", "rules",
            "decision", "decided", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(SuspectWordOut(allow_null=True))
    def get_decided(self, suspect: Suspect) -> dict[str, Any] | None:
        """None also where it was taken back."""
        newest = word_on(suspect)
        return dict(SuspectWordOut(newest).data) if newest else None


class SuspectsOfCosineOut(serializers.Serializer):
    cosine = serializers.FloatField(
        allow_null=True, help_text="Rounded down to thousandths. Null: only the perceptual hash found them."
    )
    n = serializers.IntegerField()


class SuspectCountsOut(serializers.Serializer):
    """Suspects by decision, and the open ones by how much alike they look."""

    open = serializers.IntegerField()
    kept_out = serializers.IntegerField()
    allowed = serializers.IntegerField()
    open_by_cosine = SuspectsOfCosineOut(many=True)


class SuspectListIn(serializers.Serializer):
    decision = serializers.ChoiceField(
        choices=Suspicion.choices, required=False, default="", help_text="Only suspects of this decision."
    )
    min_cosine = serializers.FloatField(
        required=False, default=None, allow_null=True, min_value=-1, max_value=1,
        help_text="Only suspects that look at least so much alike, and those that only the perceptual hash found.",
    )  # fmt: skip


class KeepAllOutIn(serializers.Serializer):
    min_cosine = serializers.FloatField(min_value=-1, max_value=1, help_text="As in the list of suspects.")
    expected = serializers.IntegerField(
        min_value=1, help_text="How many open suspects there are. Nothing is decided where there are more or fewer."
    )


class KeepAllOutOut(serializers.Serializer):
    n_kept_out = serializers.IntegerField()


class SuspectDecisionIn(serializers.Serializer):
    decision = serializers.ChoiceField(
        choices=Suspicion.choices,
        help_text="`kept_out` for good, `allowed` to lend its captions from the next run on, `open` to take it back.",
    )
