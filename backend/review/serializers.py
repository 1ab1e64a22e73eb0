"""What the API takes and gives about verdicts and agreement."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.annotation.models import Label
from backend.methods.agreement import MEASURES, METHODS, NO_INTERVAL, REASONS
from backend.review.annotators import READS
from backend.review.models import Scope, Verdict

READINGS = ("value", "missing", "middle", "as given")
NO_VALUE = tuple(REASONS)


class VerdictOut(serializers.ModelSerializer):
    """One verdict; `label` is null where an earlier one was taken back. The newest of a pair stands."""

    candidate = serializers.IntegerField(source="candidate_id")
    key = serializers.CharField(source="candidate.key")
    text = serializers.CharField(source="candidate.text")
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # Field has a `label` of its own
    decided_by = serializers.CharField(source="decided_by.username")

    class Meta:
        model = Verdict
        fields = ("id", "candidate", "key", "text", "label", "reason", "decided_by", "created_at")
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=Label.choices, allow_null=True))
    def get_label(self, row: Verdict) -> Label | None:
        return Label(row.label) if row.label else None


class VerdictIn(serializers.Serializer):
    """`label` null takes the standing verdict back."""

    candidate = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class VerdictListIn(serializers.Serializer):
    candidate = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, default=None, allow_null=True, help_text="Of one pair only."
    )


class AgreementIntervalOut(serializers.Serializer):
    """Over items in clusters: a percentile bootstrap, or for means of Cohen's kappas each group `left_out` once, which
    tells their bias; `low` and `high` are null for `reason_code`."""

    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    level = serializers.FloatField()
    n_replicates = serializers.IntegerField()
    undefined_share = serializers.FloatField(help_text="Of the replicates, which had no figure and were dropped.")
    n_groups = serializers.IntegerField(help_text="Groups of images (or queries) that were drawn from, or left out.")
    seed = serializers.IntegerField()
    how = serializers.ChoiceField(choices=METHODS, source="method", default="bootstrap")  # some were kept without it
    reason_code = serializers.ChoiceField(choices=tuple(NO_INTERVAL), source="reason", allow_null=True)


class AgreementFigureOut(serializers.Serializer):
    """One measure under one reading of `unsure`; `value` is null for `reason_code`."""

    measure = serializers.ChoiceField(choices=MEASURES)
    reading = serializers.ChoiceField(choices=READINGS)
    value = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    reason = serializers.SerializerMethodField(help_text="The same as a sentence.")
    interval = AgreementIntervalOut(allow_null=True)
    n_items = serializers.IntegerField(
        help_text="Pairs with two judgments or more; at most so many for Cohen, where votes without names are."
    )
    n_judgments = serializers.IntegerField(help_text="Theirs; for Cohen once for each two annotators.")
    prevalence = serializers.DictField(child=serializers.FloatField(), help_text="Share of each label among them.")

    def get_reason(self, figure: dict[str, Any]) -> str:
        return REASONS[figure["reason"]] if figure["reason"] else ""


class AgreementDrawsOut(serializers.Serializer):
    """What Cohen's intervals were drawn from: they are drawn anew now and then, everything else is of this moment."""

    n_judgments = serializers.IntegerField()
    drawn_at = serializers.DateTimeField()


class AgreementSliceOut(serializers.Serializer):
    """`value` is a source, a kind of edit, an ISO week as 2026-W47, or empty for all pairs. The figures of a kind of
    edit say of all pairs how far people agree on whether to edit them so; `n_pairs` are those that somebody would."""

    value = serializers.CharField(allow_blank=True)
    n_judgments = serializers.IntegerField()
    n_pairs = serializers.IntegerField()
    figures = AgreementFigureOut(many=True)
    draws = AgreementDrawsOut(allow_null=True)


class AgreementOut(serializers.Serializer):
    """Agreement as of `as_of`, null before anything was counted; `n_waiting` judgments are still to be counted."""

    scope = serializers.ChoiceField(choices=Scope.choices)
    as_of = serializers.DateTimeField(allow_null=True)
    n_waiting = serializers.IntegerField(help_text="10,000 where there are more.")
    slices = AgreementSliceOut(many=True)


class AgreementListIn(serializers.Serializer):
    scope = serializers.ChoiceField(choices=Scope.choices, required=False, default=Scope.OVERALL)


class AnnotatorMeanOut(serializers.Serializer):
    """One annotator with all others: the mean kappa, weighed by how many pairs both judged, null for `reason_code`; its
    interval as that of two, and the same where there is but one other."""

    id = serializers.IntegerField()
    username = serializers.CharField()
    display_name = serializers.CharField(allow_blank=True)
    mean = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_others = serializers.IntegerField(help_text="With whom there is a kappa.")
    n_items = serializers.IntegerField(help_text="Pairs in common, once for each other annotator.")
    prevalence = serializers.DictField(child=serializers.FloatField(), help_text="Share of each label, of all of them.")
    interval = AgreementIntervalOut(allow_null=True)


class AnnotatorKappaOut(serializers.Serializer):
    """Cohen's kappa of two annotators; `value` is null for `reason_code`. `interval` draws the pairs that both judged,
    images in clusters; it is null without a value, and in large projects until the next drawing. One that cannot be
    drawn has no bounds and a `reason_code`."""

    first = serializers.IntegerField()
    second = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    reason_code = serializers.ChoiceField(choices=NO_VALUE, source="reason", allow_null=True)
    n_items = serializers.IntegerField()
    prevalence = serializers.DictField(child=serializers.FloatField(), help_text="Share of each label, of both.")
    interval = AgreementIntervalOut(allow_null=True)


class AnnotatorAgreementOut(serializers.Serializer):
    as_of = serializers.DateTimeField(allow_null=True)
    n_waiting = serializers.IntegerField()
    annotators = AnnotatorMeanOut(many=True)
    pairs = AnnotatorKappaOut(many=True)
    draws = AgreementDrawsOut(allow_null=True)


class AnnotatorAgreementIn(serializers.Serializer):
    reading = serializers.ChoiceField(
        choices=READS, required=False, default="value", help_text="How `unsure` is read, and between which weights."
    )
    annotator = serializers.IntegerField(
        min_value=1,
        max_value=2**63 - 1,
        required=False,
        default=None,
        allow_null=True,
        help_text="One with each other.",
    )
