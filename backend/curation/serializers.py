"""What the API gives about votes and chosen captions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.labels import Label
from backend.curation.models import (
    Consensus,
    Difficulty,
    DifficultyCategory,
    Method,
    ModelScore,
    Selection,
    SelectionItem,
    SelectionStatus,
    Variant,
)
from backend.curation.selection_serializers import SELECTION_METHODS, CaptionChoiceOut, present_choice
from backend.methods.aggregation import READINGS, Category, readings_of
from backend.methods.consensus import Votes

DECIDERS = (*Method.values, "verdict")
CATEGORIES = get_args(Category)


class PosteriorOut(serializers.Serializer):
    """How likely each label is."""

    good = serializers.FloatField()
    bad = serializers.FloatField()
    unsure = serializers.FloatField()


class PairReadingOut(serializers.Serializer):
    """The result of the votes on one pair under one reading of `unsure`.

    `value`: a third answer, and the label is what most say; `missing`: no answer; `middle`: an answer between bad and
    good, and the label is what the one in the middle says. `label` is null on a tie, or where the two in the middle
    differ; it and `category` are null where the reading leaves no vote.
    """

    reading = serializers.ChoiceField(choices=READINGS)
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]  # as in VotesOut
    category = serializers.ChoiceField(choices=CATEGORIES, allow_null=True)


class VotesOut(serializers.ModelSerializer):
    """The votes on one pair. `label` is null on a tie and with too few votes.

    `decided_by` a verdict, it is the head annotator's word, for its `reason`. `posterior` is that of Dawid-Skene or
    MACE, null under the majority; `entropy` is of the votes, in bits; the categories are ConQA's, from the votes, with
    `unsure` as a value. `readings` has all three readings of it, from the votes alone, however many they are and
    whatever decided; the summary of the project counts their categories. `choice` is a person's pin or ban.
    """

    candidate = serializers.IntegerField(source="candidate_id")
    key = serializers.CharField(source="candidate.key")
    text = serializers.CharField(source="candidate.text")
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # Field has a `label` of its own
    decided_by = serializers.ChoiceField(choices=DECIDERS)
    verdict_reason = serializers.CharField(source="verdict.reason", default="", allow_blank=True)
    posterior = PosteriorOut(allow_null=True)
    category = serializers.ChoiceField(choices=CATEGORIES, allow_blank=True)
    category_by_majority = serializers.ChoiceField(choices=CATEGORIES, allow_blank=True)
    readings = serializers.SerializerMethodField()
    choice = serializers.SerializerMethodField()

    class Meta:
        model = Consensus
        fields = (
            "candidate", "key", "text", "label", "n_good", "n_bad", "n_unsure",
            "decided_by", "verdict_reason", "posterior", "entropy", "category", "category_by_majority",
            "readings", "choice",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=Label.choices, allow_null=True))
    def get_label(self, row: Consensus) -> Label | None:
        return Label(row.label) if row.label else None

    @extend_schema_field(CaptionChoiceOut(allow_null=True))
    def get_choice(self, row: Consensus) -> dict[str, Any] | None:
        return present_choice(row.candidate)

    @extend_schema_field(PairReadingOut(many=True))
    def get_readings(self, row: Consensus) -> list[dict[str, Any]]:
        return [asdict(each) for each in readings_of(Votes(row.n_good, row.n_bad, row.n_unsure))]


class CategoryCountsOut(serializers.Serializer):
    """Pairs by ConQA's category under one reading of `unsure`. `no_votes`: the reading leaves no vote."""

    reading = serializers.ChoiceField(choices=READINGS)
    categories = serializers.DictField(child=serializers.IntegerField())


class ConsensusSummaryOut(serializers.Serializer):
    """What the last Consensus came to: pairs by label (`open` where there is none), by what decided, by category."""

    n_pairs = serializers.IntegerField()
    labels = serializers.DictField(child=serializers.IntegerField())
    decided_by = serializers.DictField(child=serializers.IntegerField())
    readings = CategoryCountsOut(many=True)


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
        fields = ("position", "candidate", "key", "text", "cluster", "is_pinned", "difficulty")
        read_only_fields = fields


class SelectionOut(serializers.ModelSerializer):
    """`status` is null before Select ran. A short pool has no captions."""

    status = serializers.ChoiceField(choices=SelectionStatus.choices, allow_null=True)
    variant = serializers.ChoiceField(choices=Variant.choices, allow_null=True)
    method = serializers.ChoiceField(choices=SELECTION_METHODS)
    captions = SelectedCaptionOut(many=True, source="items")

    class Meta:
        model = Selection
        fields = (
            "status", "variant", "method", "mean_similarity", "n_good", "n_wanted", "n_clusters", "stability",
            "captions",
        )  # fmt: skip
        read_only_fields = fields


NOT_SELECTED: dict[str, Any] = {
    "status": None, "variant": None, "method": "", "mean_similarity": None, "n_good": 0, "n_wanted": 0,
    "n_clusters": None, "stability": None, "captions": [],
}  # fmt: skip
