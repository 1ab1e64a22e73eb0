"""What a lead gets about what is left."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.checklist import STATES
from backend.common.serializers import SaidOut
from backend.forecast.checklist import CODES


class SpanOut(serializers.Serializer):
    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class CostOut(serializers.Serializer):
    mean = serializers.DecimalField(max_digits=14, decimal_places=2)
    low = serializers.DecimalField(max_digits=14, decimal_places=2)
    high = serializers.DecimalField(max_digits=14, decimal_places=2)


class ForecastOut(serializers.Serializer):
    as_of = serializers.DateTimeField(
        allow_null=True, help_text="When this was worked out, for a large project. Null: now."
    )
    overlap = serializers.ChoiceField(choices=["fixed", "adaptive"])
    level = serializers.FloatField(help_text="The level of all intervals.")
    slots_open = serializers.IntegerField(source="n_open", help_text="Open slots: free, or leased now.")
    hits_unfinished = serializers.IntegerField(source="left.n_hits")
    hits_waiting = serializers.IntegerField(
        source="n_waiting", help_text="HITs that need one more judgment and that all active annotators had."
    )
    judgments = SpanOut(
        source="left.judgments", help_text="Of ordinary pairs; hidden controls come on top and are paid with the HIT."
    )
    assignments = SpanOut(source="left.assignments", help_text="HITs to hand out, each to one person.")
    seconds_per_judgment = SpanOut(source="pace.per_judgment", allow_null=True)
    seconds_per_assignment = serializers.FloatField(
        source="pace.median_assignment", allow_null=True, help_text="The median."
    )
    assignments_timed = serializers.IntegerField(source="n_timed")
    hours = SpanOut(allow_null=True)
    hours_reason = SaidOut(allow_null=True, help_text="Why `hours` is null.")
    cost = CostOut(allow_null=True)
    cost_reason = SaidOut(allow_null=True, help_text="Why `cost` is null.")


class BuildCheckOut(serializers.Serializer):
    """One line of the checklist. `params` has the details of its code."""

    code = serializers.ChoiceField(choices=CODES)
    state = serializers.ChoiceField(choices=STATES)
    n = serializers.IntegerField()
    params = serializers.DictField(child=serializers.JSONField())
    link = serializers.CharField(help_text="The page of the site that shows it.")


class BuildChecklistOut(serializers.Serializer):
    """What to look at before tasks are built. Nothing here blocks the stage."""

    items = BuildCheckOut(many=True)
    is_clear = serializers.BooleanField(help_text="Whether no line is a warning.")
