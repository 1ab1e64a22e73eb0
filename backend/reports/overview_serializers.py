"""What the overview of a project gives."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.agreement.serializers import AlphaByDayOut
from backend.annotation.models import AnnotatorStatus
from backend.annotation.serializers import LabelCountsOut
from backend.forecast.serializers import CostOut, SpanOut
from backend.methods.consensus import LABELS
from backend.quality.serializers import PersonOut, ShareOut
from backend.releases.models import Release
from backend.reports.overview import Overview, left_by_day

NO_LABELS = {str(label): 0 for label in LABELS}


class OverviewDayOut(serializers.Serializer):
    day = serializers.DateField(help_text="UTC.")
    assignments = serializers.IntegerField(help_text="HITs submitted in time.")
    left = serializers.IntegerField(help_text="Open slots at the end of the day, of the slots that exist today.")
    labels = LabelCountsOut(help_text="Judgments of pairs, without controls.")


class OverviewSourceOut(serializers.Serializer):
    source = serializers.CharField()  # type: ignore[assignment]  # a field of this name
    labels = LabelCountsOut(help_text="Judgments that count.")


class FinishOut(serializers.Serializer):
    """When nothing is left, at the pace of the last days. The dates have 95% intervals."""

    expected = serializers.DateField()
    earliest = serializers.DateField()
    latest = serializers.DateField()
    per_day = SpanOut(help_text="Assignments.")
    n_days = serializers.IntegerField(help_text="The whole days before today that tell the pace.")


class OverviewPersonOut(serializers.Serializer):
    user = PersonOut()
    state = serializers.ChoiceField(choices=AnnotatorStatus.choices)
    hits = serializers.IntegerField(help_text="Submitted HITs, with late ones.")
    hits_today = serializers.IntegerField()
    judgments = serializers.IntegerField()
    passed = ShareOut(allow_null=True, help_text="Of the graded controls; null without one.")
    agreement = ShareOut(allow_null=True, help_text="Agreement with the majority of the others, in the newest HITs.")


class OverviewWaitingOut(serializers.Serializer):
    """What waits for a head annotator."""

    open = serializers.IntegerField(help_text="Cases in the review queue, counted to 10,000.")
    disputes = serializers.IntegerField()
    replies = serializers.IntegerField()
    waiting_at_gate = serializers.IntegerField(help_text="Annotators whose first work nobody has accepted yet.")


class OverviewBudgetOut(serializers.Serializer):
    """Money, with the fee of the platform; null where no pay is set."""

    spent = serializers.DecimalField(max_digits=14, decimal_places=2, allow_null=True)
    left = CostOut(allow_null=True)


class OverviewReleaseOut(serializers.ModelSerializer):
    class Meta:
        model = Release
        fields = ("id", "label", "created_at", "n_images", "n_captions", "n_judgments")
        read_only_fields = fields


class OverviewOut(serializers.Serializer):
    today = serializers.DateField(help_text="UTC.")
    as_of = serializers.DateTimeField(
        allow_null=True, help_text="When days, labels and agreement were worked out. Null: not yet."
    )
    is_stale = serializers.BooleanField(help_text="Whether judgments came or changed since `as_of`.")
    hits = serializers.IntegerField()
    slots = serializers.IntegerField(help_text="Assignments that the HITs need.")
    slots_open = serializers.IntegerField()
    judgments = serializers.IntegerField(help_text="First answers of all submitted HITs.")
    days = OverviewDayOut(many=True, help_text="Days with work, oldest first.")
    assignments_left = SpanOut()
    judgments_left = SpanOut()
    hours_left = SpanOut(allow_null=True)
    finish = FinishOut(allow_null=True)
    budget = OverviewBudgetOut()
    labels = LabelCountsOut(help_text="Judgments that count.")
    sources = OverviewSourceOut(many=True)
    n_people = serializers.IntegerField(help_text="Annotators who began.")
    people = OverviewPersonOut(many=True, help_text="The 30 with the most judgments.")
    agreement = AlphaByDayOut(help_text="`unsure` is an answer of its own.")
    waiting = OverviewWaitingOut()
    release = OverviewReleaseOut(allow_null=True, help_text="The newest.")


def present_overview(found: Overview) -> dict[str, Any]:
    """The values of OverviewOut."""
    progress, forecast = found.progress, found.forecast
    left = left_by_day(progress["days"], slots=found.slots)
    return {
        "today": found.today,
        "as_of": found.view.as_of,
        "is_stale": found.view.is_stale,
        "hits": found.hits,
        "slots": found.slots,
        "slots_open": found.slots_open,
        "judgments": found.n_judgments,
        "days": [day | {"left": n} for day, n in zip(progress["days"], left, strict=True)],
        "assignments_left": forecast.left.assignments,
        "judgments_left": forecast.left.judgments,
        "hours_left": forecast.hours,
        "finish": _present_finish(found),
        "budget": {"spent": found.spent, "left": forecast.cost},
        "labels": NO_LABELS | progress["labels"],
        "sources": progress["sources"],
        "n_people": found.n_people,
        "people": [
            {
                "user": person.state.user,
                "state": person.state.state,
                "hits": person.state.n_submitted,
                "hits_today": person.n_today,
                "judgments": person.state.n_judgments,
                "passed": person.passed,
                "agreement": person.habits.agreement if person.habits else None,
            }
            for person in found.people
        ],
        "agreement": found.agreement,
        "waiting": found.waiting,
        "release": found.release,
    }


def _present_finish(found: Overview) -> dict[str, Any] | None:
    dates = found.finish_dates
    if found.finish is None or dates is None:
        return None
    expected, earliest, latest = dates
    return {
        "expected": expected,
        "earliest": earliest,
        "latest": latest,
        "per_day": found.finish.per_day,
        "n_days": found.finish.n_days,
    }
