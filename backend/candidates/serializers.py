"""What the API gives about candidates."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.candidates.models import Candidate, CandidateStatus, GenericReason, GenericScore, Verdict, text_digest
from backend.candidates.selectors import SORTS
from backend.candidates.services import LONGEST_REASON
from backend.catalogue.serializers import ThumbnailsField
from backend.methods.edits import KINDS

MOST_IMAGES = 500
SUGGESTED = tuple(kind for kind in KINDS if kind != "other")  # what no rule looks for


class DecisionOut(serializers.Serializer):
    """The newest decision of a person about a candidate."""

    verdict = serializers.ChoiceField(choices=Verdict.choices)
    decided_by = serializers.CharField(source="decided_by.shown_name")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()


class RepeatedOut(serializers.Serializer):
    """The kept caption that a removed caption repeats."""

    id = serializers.IntegerField()
    text = serializers.CharField()


class SuggestedEditOut(serializers.Serializer):
    """A part of `text` that may need an edit. No edit is applied automatically."""

    kind = serializers.ChoiceField(choices=SUGGESTED)
    start = serializers.IntegerField(help_text="In code points of `text`, which annotators see.")
    end = serializers.IntegerField(help_text="Where it ends, exclusive.")
    before = serializers.CharField(help_text="The text of this part.")
    options = serializers.ListField(
        child=serializers.CharField(), help_text="New texts, the best first. Empty if only a person can decide."
    )


class GenericOut(serializers.ModelSerializer):
    """The number of other images that the text fits, by the votes of models. It only flags the text."""

    reason_code = serializers.ChoiceField(
        choices=GenericReason.choices,
        source="reason",
        allow_null=True,
        help_text="Why it is flagged, or null.",
    )

    class Meta:
        model = GenericScore
        fields = ("score", "n_matched", "n_judged", "n_undecided", "hubness", "reason_code")
        read_only_fields = fields

    def to_representation(self, score: GenericScore) -> dict[str, Any]:
        return super().to_representation(score) | {"reason_code": score.reason or None}


class CandidateOut(serializers.ModelSerializer):
    status = serializers.ChoiceField(choices=CandidateStatus.choices)
    flags = serializers.ListField(
        child=serializers.CharField(), help_text="What a person should look at: non_english, adult, personal_data ..."
    )
    repeats = serializers.SerializerMethodField()
    decision = serializers.SerializerMethodField()
    suggestions = SuggestedEditOut(many=True, help_text="In the order of their places; two may share words.")
    generic = serializers.SerializerMethodField()

    class Meta:
        model = Candidate
        fields = (
            "id", "raw_text", "text", "source", "source_ref", "rank", "similarity", "status",
            "drop_rule", "drop_detail", "flags", "repeats", "decision", "suggestions", "generic", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(RepeatedOut(allow_null=True))
    def get_repeats(self, candidate: Candidate) -> dict[str, Any] | None:
        found: int | None = candidate.repeats_id  # type: ignore[attr-defined]  # annotated by the selector
        return found and {"id": found, "text": candidate.repeats_text}  # type: ignore[attr-defined,return-value]

    @extend_schema_field(GenericOut(allow_null=True))
    def get_generic(self, candidate: Candidate) -> dict[str, Any] | None:
        """None also where the text has changed since it was scored."""
        found: GenericScore | None = getattr(candidate, "generic", None)  # selected by the selector
        return dict(GenericOut(found).data) if found and found.text_digest == text_digest(candidate.text) else None

    @extend_schema_field(DecisionOut(allow_null=True))
    def get_decision(self, candidate: Candidate) -> dict[str, Any] | None:
        decisions = candidate.decisions.all()  # prefetched, oldest first
        return dict(DecisionOut(decisions[len(decisions) - 1]).data) if decisions else None


class CandidateListIn(serializers.Serializer):
    status = serializers.ChoiceField(
        choices=CandidateStatus.choices, required=False, default="", help_text="Only candidates of this status."
    )
    source = serializers.CharField(  # type: ignore[assignment]  # a field of its own, not the attribute of Field
        required=False, default="", max_length=40, help_text="Only of this source."
    )
    rule = serializers.CharField(required=False, default="", max_length=40, help_text="Only what this rule dropped.")
    flag = serializers.CharField(required=False, default="", max_length=40, help_text="Only with this flag.")
    suggests = serializers.ChoiceField(
        choices=SUGGESTED, required=False, default="", help_text="Only where an edit of this kind is suggested."
    )
    generic = serializers.ChoiceField(
        choices=("flagged",), required=False, default="", help_text="Only what fits many other images."
    )
    text = serializers.CharField(
        required=False, default="", max_length=200, help_text="Only with this in either text, in any case."
    )


class CandidateSortIn(serializers.Serializer):
    sort = serializers.ChoiceField(
        choices=list(SORTS),
        required=False,
        default="oldest",
        help_text="Without a similarity, rank or generic score of its text, a row is last.",
    )


class CandidateIn(serializers.Serializer):
    text = serializers.CharField(trim_whitespace=False, help_text="The caption as its writer wants it.")


class DecisionIn(serializers.Serializer):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=LONGEST_REASON)


class SourceCountsOut(serializers.Serializer):
    source = serializers.CharField()  # type: ignore[assignment]  # a field of its own, not the attribute of Field
    n_candidates = serializers.IntegerField()
    n_kept = serializers.IntegerField()
    n_dropped = serializers.IntegerField()
    n_new = serializers.IntegerField(help_text="Not cleaned yet.")
    dropped = serializers.DictField(child=serializers.IntegerField(), help_text="{rule: number of removed captions}")
    flags = serializers.DictField(child=serializers.IntegerField(), help_text="{flag: number of captions}")


class PoolSummaryOut(serializers.Serializer):
    image = serializers.IntegerField()
    previous = serializers.IntegerField(allow_null=True, help_text="The image before, in the order of the gallery.")
    next = serializers.IntegerField(allow_null=True)
    sources = SourceCountsOut(many=True)
    suggests = serializers.DictField(
        child=serializers.IntegerField(), help_text="{kind of edit: captions for which one is suggested}"
    )
    n_generic = serializers.IntegerField(help_text="Kept captions that fit many other images.")


class RuleCountsOut(serializers.Serializer):
    rule = serializers.CharField()
    n_dropped = serializers.IntegerField()
    n_repaired = serializers.IntegerField(
        allow_null=True, help_text="Captions repaired by the newest Clean run, or null."
    )


class PerImageOut(serializers.Serializer):
    n_captions = serializers.IntegerField()
    n_images = serializers.IntegerField(help_text="With so many kept captions.")


class FunnelOut(serializers.Serializer):
    """The candidates of the project from import to kept, with each rule in its order."""

    n_candidates = serializers.IntegerField()
    n_kept = serializers.IntegerField()
    n_dropped = serializers.IntegerField()
    n_new = serializers.IntegerField()
    n_kept_by_hand = serializers.IntegerField()
    rules = RuleCountsOut(many=True)
    sources = SourceCountsOut(many=True)
    per_image = PerImageOut(many=True, help_text="Images by their number of kept captions, fewest first.")
    cleaned_at = serializers.DateTimeField(allow_null=True)


class ExampleListIn(serializers.Serializer):
    source = serializers.CharField(  # type: ignore[assignment]  # a field of its own, not the attribute of Field
        required=False, default="", max_length=40, help_text="Only of this source."
    )


class ExampleImageOut(serializers.Serializer):
    id = serializers.IntegerField()
    title = serializers.CharField()
    thumbnail = ThumbnailsField()


class ExampleOut(serializers.Serializer):
    """A caption with the result of a rule."""

    candidate = CandidateOut()
    image = ExampleImageOut(source="candidate.image")
    seen = serializers.CharField(help_text="The part that the rule found. For a kept caption: its new text.")
    repaired = serializers.ListField(
        child=serializers.CharField(), help_text="The rules that repaired it, in their order."
    )


def named_images(value: str) -> list[int]:
    """The ids that are named, each once. Raises ValidationError for too many."""
    ids = list(dict.fromkeys(map(int, value.split(","))))
    if len(ids) > MOST_IMAGES:
        raise serializers.ValidationError("Ask for at most 500 images at once.", code="ask_fewer_images")
    return ids


class ImageCountsIn(serializers.Serializer):
    images = serializers.RegexField(
        r"^\d{1,18}(,\d{1,18})*$",
        max_length=20 * MOST_IMAGES,
        help_text=f"Ids of images, split at commas; at most {MOST_IMAGES}.",
    )

    def validate_images(self, value: str) -> list[int]:
        return named_images(value)


class ImageCountsOut(serializers.Serializer):
    image = serializers.IntegerField(help_text="The image's id.")
    n_candidates = serializers.IntegerField()
    n_kept = serializers.IntegerField()


class WebTitlesEstimateOut(serializers.Serializer):
    n_images = serializers.IntegerField()
    n_cached = serializers.IntegerField(help_text="Images that were sent before. They cost nothing.")
    n_to_ask = serializers.IntegerField(help_text="Images that a run would send now.")
    units = serializers.IntegerField(help_text="Units that Google counts: one for each image.")
    least_cost = serializers.DecimalField(
        max_digits=14, decimal_places=2, help_text="The price if no free unit of the month is used."
    )
    cost = serializers.DecimalField(
        max_digits=14, decimal_places=2, help_text="The price if all free units of the month are used."
    )
    currency = serializers.CharField()
    has_key = serializers.BooleanField(help_text="Whether CONNOTE_GOOGLE_VISION_KEY is set. The stage needs it.")
