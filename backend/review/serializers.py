"""What the API takes and gives about verdicts."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.common.labels import Label
from backend.review.models import Verdict


class VerdictOut(serializers.ModelSerializer):
    """One decision. `label` is null if it removes an earlier one. The newest of a pair counts."""

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
    """A decision on a pair. `label` null removes the current one."""

    candidate = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]
    reason = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class VerdictListIn(serializers.Serializer):
    candidate = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, default=None, allow_null=True, help_text="Of one pair only."
    )
