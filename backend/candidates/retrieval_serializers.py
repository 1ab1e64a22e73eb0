"""What the API gives about pools, suspects and the pictures behind captions."""

from __future__ import annotations

from rest_framework import serializers

from backend.candidates.models import Pool, Suspect, Suspicion
from backend.methods.retrieval import SENTENCES


class PoolOut(serializers.ModelSerializer):
    run = serializers.UUIDField(source="run_id")
    image = serializers.IntegerField(source="image_id", help_text="The image's id.")
    image_key = serializers.CharField(source="image.key")
    reason = serializers.SerializerMethodField(help_text="Why the pool is empty, for people; empty where it is not.")
    reason_code = serializers.CharField(source="reason")
    is_noise = serializers.BooleanField(help_text="The image lies in no cluster, so neighbours were taken from all.")

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


class SuspectOut(serializers.ModelSerializer):
    image = serializers.IntegerField(source="image_id", help_text="The image's id.")
    image_key = serializers.CharField(source="image.key")
    corpus = serializers.CharField(source="neighbour.corpus.name")
    key = serializers.CharField(source="neighbour.key", help_text="The picture's id in the corpus.")
    rules = serializers.ListField(child=serializers.CharField(), help_text="perceptual_hash, cosine, or both.")
    decision = serializers.ChoiceField(choices=Suspicion.choices)

    class Meta:
        model = Suspect
        fields = ("id", "image", "image_key", "corpus", "key", "bits", "cosine", "rules", "decision", "created_at")
        read_only_fields = fields


class SuspectListIn(serializers.Serializer):
    decision = serializers.ChoiceField(
        choices=Suspicion.choices, required=False, default="", help_text="Only suspects of this decision."
    )


class SuspectDecisionIn(serializers.Serializer):
    decision = serializers.ChoiceField(
        choices=[choice for choice in Suspicion.choices if choice[0] != Suspicion.OPEN],
        help_text="`kept_out` for good, or `allowed` to lend its captions from the next run on.",
    )
