"""What the API gives about votes and chosen captions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.annotation.models import Label
from backend.curation.models import (
    Consensus,
    Difficulty,
    DifficultyCategory,
    ModelScore,
    Selection,
    SelectionItem,
    SelectionStatus,
)


class VotesOut(serializers.ModelSerializer):
    """The votes on one pair; `label` is null on a tie and where too few voted."""

    candidate = serializers.IntegerField(source="candidate_id")
    key = serializers.CharField(source="candidate.key")
    text = serializers.CharField(source="candidate.text")
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # Field has a `label` of its own

    class Meta:
        model = Consensus
        fields = ("candidate", "key", "text", "label", "n_good", "n_bad", "n_unsure")
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=Label.choices, allow_null=True))
    def get_label(self, row: Consensus) -> Label | None:
        return Label(row.label) if row.label else None


class ModelVoteOut(serializers.ModelSerializer):
    """What one model said: `vote` is whether its score reached its threshold, both null where it could not be asked."""

    model = serializers.CharField(source="rater.name")
    digest = serializers.CharField(source="rater.digest")
    threshold = serializers.FloatField(source="rater.threshold")

    class Meta:
        model = ModelScore
        fields = ("model", "digest", "threshold", "score", "vote")
        read_only_fields = fields


class DifficultyOut(serializers.ModelSerializer):
    """How hard a caption is for a panel of models; `n_votes` of them say yes, null where a score is missing."""

    category = serializers.ChoiceField(choices=DifficultyCategory.choices)
    votes = ModelVoteOut(many=True, source="scores")

    class Meta:
        model = Difficulty
        fields = ("category", "n_votes", "policy", "votes")
        read_only_fields = fields


class SelectedCaptionOut(serializers.ModelSerializer):
    candidate = serializers.IntegerField(source="candidate_id")
    key = serializers.CharField(source="candidate.key")
    text = serializers.CharField(source="candidate.text")
    difficulty = DifficultyOut(source="rating", allow_null=True)

    class Meta:
        model = SelectionItem
        fields = ("position", "candidate", "key", "text", "difficulty")
        read_only_fields = fields


class SelectionOut(serializers.ModelSerializer):
    """`status` is null before Select ran; a short pool has no captions and says how many were good."""

    status = serializers.ChoiceField(choices=SelectionStatus.choices, allow_null=True)
    method = serializers.ChoiceField(choices=["all", "exact", "heuristic", ""])
    captions = SelectedCaptionOut(many=True, source="items")

    class Meta:
        model = Selection
        fields = ("status", "method", "mean_similarity", "n_good", "captions")
        read_only_fields = fields


NOT_SELECTED: dict[str, Any] = {"status": None, "method": "", "mean_similarity": None, "n_good": 0, "captions": []}
