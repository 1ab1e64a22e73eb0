"""What an annotator's client sends and gets: items by position, nothing else to tell one from another."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.annotation.models import AssignmentStatus, Judgment, Label
from backend.annotation.selectors import ShownHit
from backend.annotation.services import Judged, NextHit
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails

DAY_MS = 86_400_000
ALT = "The photograph to judge the captions by."


class AssignmentImageOut(serializers.Serializer):
    alt = serializers.CharField(help_text="Says nothing of what is in the picture: that would be one more caption.")
    thumbnail = ThumbnailsOut()


class AssignmentItemOut(serializers.Serializer):
    position = serializers.IntegerField(help_text="From 1, in the order drawn for this assignment.")
    text = serializers.CharField()
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True, help_text="Null until submitted.")  # type: ignore[assignment]


class AssignmentOut(serializers.Serializer):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(choices=AssignmentStatus.choices)
    expires_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(allow_null=True)
    image = AssignmentImageOut()
    items = AssignmentItemOut(many=True)
    guidelines_version = serializers.IntegerField()


class NextAssignmentOut(serializers.Serializer):
    assignment = AssignmentOut(allow_null=True)
    reason = serializers.ChoiceField(choices=["none_left", "all_yours_done"], allow_null=True)


class JudgmentIn(serializers.Serializer):
    position = serializers.IntegerField(min_value=1, max_value=1000)
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    ms = serializers.IntegerField(min_value=0, max_value=DAY_MS, required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Judged:
        sent = super().to_internal_value(data)
        return Judged(position=sent["position"], label=Label(sent["label"]), ms=sent.get("ms"))


class AssignmentSubmitIn(serializers.Serializer):
    judgments = JudgmentIn(many=True, max_length=1000)  # type: ignore[call-arg]  # many=True takes it
    fetch_next = serializers.BooleanField(required=False, default=False)


class AssignmentSubmitOut(serializers.Serializer):
    submitted_at = serializers.DateTimeField()
    next = AssignmentOut(allow_null=True)
    reason = serializers.ChoiceField(
        choices=["none_left", "all_yours_done"], allow_null=True, help_text="Why `next` is null, if it was asked for."
    )


class JudgmentRevisionIn(serializers.Serializer):
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    ms = serializers.IntegerField(min_value=0, max_value=DAY_MS, required=False, allow_null=True)


class JudgmentRevisionOut(serializers.ModelSerializer):
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    judged_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Judgment
        fields = ("position", "label", "judged_at")
        read_only_fields = fields


class MyProgressOut(serializers.Serializer):
    submitted_today = serializers.IntegerField(help_text="HITs, since midnight UTC.")
    submitted_total = serializers.IntegerField(help_text="HITs.")
    judgments_total = serializers.IntegerField(help_text="Pairs.")


class WholeProgressOut(serializers.Serializer):
    hits = serializers.IntegerField()
    assignments_needed = serializers.IntegerField(help_text="HITs times the judgments asked for each.")
    assignments_submitted = serializers.IntegerField()


class ProgressOut(serializers.Serializer):
    mine = MyProgressOut(source="*")
    project = WholeProgressOut(source="*")


def present_hit(shown: ShownHit | None) -> dict[str, Any] | None:
    """The values of AssignmentOut."""
    if shown is None:
        return None
    assignment = shown.assignment
    return {
        "id": assignment.pk,
        "status": assignment.status,
        "expires_at": assignment.expires_at,
        "submitted_at": assignment.submitted_at,
        "image": {"alt": ALT, "thumbnail": present_thumbnails(assignment.hit.image)},
        "items": [
            {"position": position, "text": text, "label": shown.labels.get(position)}
            for position, text in enumerate(shown.texts, start=1)
        ],
        "guidelines_version": assignment.hit.project.version,
    }


def present_next(found: NextHit) -> dict[str, Any]:
    """The values of NextAssignmentOut."""
    return {"assignment": present_hit(found.shown), "reason": found.reason}
