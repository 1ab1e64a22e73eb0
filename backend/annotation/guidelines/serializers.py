"""What curators send and everybody gets about the examples of the guidelines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers

from backend.annotation.guidelines.examples import MOST_EXAMPLES
from backend.annotation.models import GuidelineExample, Label
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails

LONGEST_TEXT = 2000
EDITED_HELP = "The caption as an edit makes it; empty where none is needed."


class GuidelineExampleIn(serializers.Serializer):
    image = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="A photograph of the project.")
    text = serializers.CharField(max_length=LONGEST_TEXT, help_text="The caption, or the words of a query.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edited_text = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_TEXT, help_text=EDITED_HELP
    )
    explanation = serializers.CharField(max_length=500, help_text="Why it is so, in a sentence.")


class GuidelineExamplesIn(serializers.Serializer):
    version = serializers.IntegerField(min_value=1, help_text="The project's version that was read.")
    examples = serializers.ListField(child=GuidelineExampleIn(), max_length=MOST_EXAMPLES)


class WorkedExampleOut(serializers.Serializer):
    """One as it is shown."""

    # Without the picture's number: numbers tell in which order pictures came in.
    thumbnail = ThumbnailsOut()
    text = serializers.CharField(help_text="The caption, or the words of a query.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]
    edited_text = serializers.CharField(allow_blank=True, help_text=EDITED_HELP)
    explanation = serializers.CharField()


class GuidelineExampleOut(WorkedExampleOut):
    """One as its editor has it."""

    image = serializers.IntegerField(allow_null=True, help_text="The photograph; null to those who only annotate.")


class GuidelineExamplesOut(serializers.Serializer):
    version = serializers.IntegerField(help_text="The project's, with which the examples change.")
    examples = GuidelineExampleOut(many=True)


def present_examples(examples: Iterable[GuidelineExample], *, is_numbered: bool) -> list[dict[str, Any]]:
    """The values of GuidelineExampleOut, in the order given, with or without the numbers of their pictures."""
    return [
        {
            "image": example.image_id if is_numbered else None,
            "thumbnail": present_thumbnails(example.image),
            "text": example.text,
            "label": example.label,
            "edited_text": example.edited_text,
            "explanation": example.explanation,
        }
        for example in examples
    ]
