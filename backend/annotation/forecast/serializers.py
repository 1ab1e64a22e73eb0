"""What a lead gets about what is left."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.annotation.forecast.forecasting import ProjectForecast
from backend.common.serializers import SaidOut
from backend.methods.said import Said
from backend.projects.models import Project

LEVEL = 0.95
TOO_FEW_TIMED = Said("forecast_too_few_timed", "Too few assignments have a time. Hours appear after 20 of them.")
NO_PAY = Said("forecast_no_pay", "Enter the pay per task in the settings to see the cost.")
SKILL_FROM = {
    "controls": "from hidden test questions",
    "agreement": "from agreement, because there are too few answers to test questions",
    "assumed": "assumed, because there are too few answers",
}


class SpanOut(serializers.Serializer):
    mean = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class CostOut(serializers.Serializer):
    mean = serializers.DecimalField(max_digits=14, decimal_places=2)
    low = serializers.DecimalField(max_digits=14, decimal_places=2)
    high = serializers.DecimalField(max_digits=14, decimal_places=2)


class PoolSkillOut(serializers.Serializer):
    value = serializers.FloatField(help_text="How often annotators are right.")
    low = serializers.FloatField()
    high = serializers.FloatField()
    source = serializers.ChoiceField(choices=list(SKILL_FROM))  # type: ignore[assignment]
    n = serializers.IntegerField(help_text="Controls graded, or twos of votes compared.")
    detail = serializers.CharField(help_text="Where the figure is from, to follow the number.")


class ForecastOut(serializers.Serializer):
    overlap = serializers.ChoiceField(choices=["fixed", "adaptive"])
    level = serializers.FloatField(help_text="Of all intervals.")
    places_open = serializers.IntegerField(help_text="Turns that are certain to come: free, or held by somebody now.")
    hits_unfinished = serializers.FloatField(help_text="Estimated where `is_drawn`.")
    is_drawn = serializers.BooleanField(help_text="Worked out from a draw of the unfinished HITs; the interval knows.")
    hits_drawn = serializers.IntegerField()
    hits_waiting = serializers.IntegerField(
        help_text="Of those drawn: they want a judgment more, and everybody who works on the project has had them."
    )
    judgments = SpanOut(help_text="Of ordinary pairs; hidden controls come on top and are paid with the HIT.")
    assignments = SpanOut(help_text="HITs to hand out, each to one person.")
    skill = PoolSkillOut(allow_null=True, help_text="Null under fixed overlap, where it makes no difference.")
    seconds_per_judgment = SpanOut(allow_null=True)
    seconds_per_assignment = serializers.FloatField(allow_null=True, help_text="The median.")
    assignments_timed = serializers.IntegerField()
    hours = SpanOut(allow_null=True)
    hours_reason = SaidOut(allow_null=True, help_text="Why `hours` is null.")
    cost = CostOut(allow_null=True)
    cost_reason = SaidOut(allow_null=True, help_text="Why `cost` is null.")


def present_forecast(found: ProjectForecast, project: Project) -> dict[str, Any]:
    """The values of ForecastOut."""
    pace, skill = found.pace, found.skill
    return {
        "overlap": "fixed" if project.confidence is None else "adaptive",
        "level": LEVEL,
        "places_open": found.n_places,
        "hits_unfinished": found.left.n_hits,
        "is_drawn": found.n_drawn < round(found.left.n_hits),
        "hits_drawn": found.n_drawn,
        "hits_waiting": found.n_waiting,
        "judgments": found.left.judgments,
        "assignments": found.left.assignments,
        "skill": {**vars(skill), "detail": SKILL_FROM[skill.source]} if skill else None,
        "seconds_per_judgment": pace.per_judgment if pace else None,
        "seconds_per_assignment": pace.median_assignment if pace else None,
        "assignments_timed": pace.n if pace else 0,
        "hours": found.hours,
        "hours_reason": None if found.hours else TOO_FEW_TIMED.as_json(),
        "cost": found.cost,
        "cost_reason": None if found.cost else NO_PAY.as_json(),
    }
