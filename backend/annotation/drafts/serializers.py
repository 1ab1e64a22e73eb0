"""The shape of a draft: what is said of the items so far, and what is being written."""

from __future__ import annotations

from rest_framework import serializers

from backend.annotation.answers import LONGEST_CAPTION, LONGEST_COMMENT, MOST_EDITS
from backend.annotation.models import Lens
from backend.annotation.serializers import DAY_MS, EditSerializer
from backend.common.labels import Label
from backend.methods.edits import KINDS

MOST_ITEMS = 1000


class DraftAnswerIO(serializers.Serializer):
    """What is said of one item so far."""

    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]
    edits = serializers.ListField(child=EditSerializer(), max_length=MOST_EDITS)
    lens = serializers.ChoiceField(choices=Lens.choices, allow_blank=True)
    comment = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_COMMENT)
    is_generic = serializers.BooleanField()
    ms = serializers.IntegerField(min_value=0, max_value=DAY_MS, allow_null=True)
    at = serializers.CharField(max_length=40, allow_null=True, help_text="When the label was given, by their clock.")


class DraftWritingIO(serializers.Serializer):
    """An edit in work."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=LONGEST_CAPTION)
    kinds = serializers.DictField(child=serializers.ChoiceField(choices=KINDS), help_text="Chosen so far, by change.")


class DraftUnfinishedIO(serializers.Serializer):
    """What is being written of one item and is neither kept nor left."""

    edit = DraftWritingIO(allow_null=True)
    comment = serializers.CharField(
        allow_blank=True, allow_null=True, trim_whitespace=False, max_length=LONGEST_COMMENT
    )


class DraftItemIO(serializers.Serializer):
    position = serializers.IntegerField(min_value=1, max_value=MOST_ITEMS)
    answer = DraftAnswerIO(allow_null=True)
    unfinished = DraftUnfinishedIO(allow_null=True)


class DraftWorkIO(serializers.Serializer):
    items = DraftItemIO(many=True, max_length=MOST_ITEMS)  # type: ignore[call-arg]  # many=True takes it
    current = serializers.IntegerField(min_value=0, max_value=MOST_ITEMS, help_text="Index of the open item.")


class DraftIO(serializers.Serializer):
    work = DraftWorkIO()
    saved_at = serializers.DateTimeField(help_text="By the clock of the person's machine.")


class AssignmentDraftOut(serializers.Serializer):
    draft = DraftIO(allow_null=True)
