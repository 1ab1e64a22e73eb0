"""What a lead gets about what is left."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.checklist import STATES
from backend.common.serializers import SaidOut
from backend.forecast.checklist import CODES
from backend.forecast.selectors import ProjectForecast
from backend.methods.said import Said
from backend.projects.models import Project

LEVEL = 0.95
TOO_FEW_TIMED = Said("forecast_too_few_timed", "Too few assignments have a time. Hours appear after 20 of them.")
NO_PAY = Said("forecast_no_pay", "Enter the pay per task in the settings to see the cost.")


class SpanOut(serializers.Serializer):
    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class CostOut(serializers.Serializer):
    mean = serializers.DecimalField(max_digits=14, decimal_places=2)
    low = serializers.DecimalField(max_digits=14, decimal_places=2)
    high = serializers.DecimalField(max_digits=14, decimal_places=2)


class ForecastOut(serializers.Serializer):
    overlap = serializers.ChoiceField(choices=["fixed", "adaptive"])
    level = serializers.FloatField(help_text="The level of all intervals.")
    slots_open = serializers.IntegerField(help_text="Open slots: free, or leased now.")
    hits_unfinished = serializers.IntegerField()
    hits_waiting = serializers.IntegerField(
        help_text="HITs that need one more judgment and that all active annotators had."
    )
    judgments = SpanOut(help_text="Of ordinary pairs; hidden controls come on top and are paid with the HIT.")
    assignments = SpanOut(help_text="HITs to hand out, each to one person.")
    seconds_per_judgment = SpanOut(allow_null=True)
    seconds_per_assignment = serializers.FloatField(allow_null=True, help_text="The median.")
    assignments_timed = serializers.IntegerField()
    hours = SpanOut(allow_null=True)
    hours_reason = SaidOut(allow_null=True, help_text="Why `hours` is null.")
    cost = CostOut(allow_null=True)
    cost_reason = SaidOut(allow_null=True, help_text="Why `cost` is null.")


def present_forecast(found: ProjectForecast, project: Project) -> dict[str, Any]:
    """The values of ForecastOut."""
    pace = found.pace
    return {
        "overlap": "fixed" if project.confidence is None else "adaptive",
        "level": LEVEL,
        "slots_open": found.n_open,
        "hits_unfinished": found.left.n_hits,
        "hits_waiting": found.n_waiting,
        "judgments": found.left.judgments,
        "assignments": found.left.assignments,
        "seconds_per_judgment": pace.per_judgment if pace else None,
        "seconds_per_assignment": pace.median_assignment if pace else None,
        "assignments_timed": pace.n if pace else 0,
        "hours": found.hours,
        "hours_reason": None if found.hours else TOO_FEW_TIMED.as_json(),
        "cost": found.cost,
        "cost_reason": None if found.cost else NO_PAY.as_json(),
    }


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
