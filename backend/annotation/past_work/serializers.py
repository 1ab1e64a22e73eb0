"""What a person gets of their own past work: pages as they were handed out, and what is closed on them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.annotation.closings import Closing
from backend.annotation.past_work.reading import PastHit
from backend.annotation.serializers import AssignmentItemOut, AssignmentOut, present_hit


class ClosingOut(serializers.Serializer):
    """Whose word ended the edits, and on which day."""

    by = serializers.CharField()
    on = serializers.DateField()
    sentence = serializers.CharField(help_text="The same as a sentence for you.")


class PastItemOut(AssignmentItemOut):
    closed = ClosingOut(allow_null=True, help_text="Null while you may change what you said.")


class PastHitOut(AssignmentOut):
    items = PastItemOut(many=True)


def present_past(past: PastHit) -> dict[str, Any]:
    """The values of PastHitOut."""
    page = present_hit(past.shown) or {}
    return page | {
        "items": [item | {"closed": present_closing(past.closed.get(item["position"]))} for item in page["items"]]
    }


def present_closing(closing: Closing | None) -> dict[str, Any] | None:
    """The values of ClosingOut."""
    return None if closing is None else {"by": closing.by, "on": closing.on, "sentence": closing.sentence}
