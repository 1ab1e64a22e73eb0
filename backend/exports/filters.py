"""What an export can be of, in which formats, and which filters it takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from backend.annotation.models import Lens
from backend.candidates.models import CandidateStatus
from backend.common.labels import Label
from backend.exports.models import ExportedKind
from backend.methods.exports.flat import WRITERS
from backend.releases.entry_serializers import EntryListIn
from backend.releases.exporting import FORMATS as RELEASE_FORMATS
from backend.releases.exporting import WITH_FILTER

TABLES = tuple(WRITERS)
VOTES = ("label-studio", "crowd-kit", "conqa")  # made from all answers that count
FORMATS: dict[str, tuple[str, ...]] = {
    ExportedKind.JUDGMENTS: (*TABLES, *VOTES),
    ExportedKind.CAPTIONS: TABLES,
    ExportedKind.ANNOTATORS: TABLES,
    ExportedKind.AGREEMENT: TABLES,
    ExportedKind.RELEASE: tuple(dict.fromkeys(("files", "jsonl", "csv", *RELEASE_FORMATS))),
}
EVERY_FORMAT = tuple(dict.fromkeys(name for names in FORMATS.values() for name in names))


class JudgmentListIn(serializers.Serializer[Any]):
    """A filter of answers."""

    annotator = serializers.CharField(required=False, default="", max_length=40, help_text="The pseudonym.")
    label = serializers.ChoiceField(choices=Label.choices, required=False, default="")  # type: ignore[assignment]
    lens = serializers.ChoiceField(choices=Lens.choices, required=False, default="")
    image = serializers.RegexField("^[0-9a-f]{64}$", required=False, default="", help_text="The digest of an image.")
    since = serializers.DateTimeField(required=False, default=None, help_text="Submitted at this time or later.")
    until = serializers.DateTimeField(required=False, default=None, help_text="Submitted before this time.")
    counted = serializers.BooleanField(
        required=False, default=None, allow_null=True, help_text="Answers that count, or those that do not."
    )


class CaptionListIn(serializers.Serializer[Any]):
    """A filter of captions."""

    status = serializers.ChoiceField(choices=CandidateStatus.choices, required=False, default="")
    label = serializers.ChoiceField(choices=Label.choices, required=False, default="")  # type: ignore[assignment]
    source = serializers.CharField(required=False, default="", max_length=40)  # type: ignore[assignment]
    image = serializers.RegexField("^[0-9a-f]{64}$", required=False, default="", help_text="The digest of an image.")


class NoFilterIn(serializers.Serializer[Any]):
    """This export has no filter."""


FILTERS: dict[str, type[serializers.Serializer[Any]]] = {
    ExportedKind.JUDGMENTS: JudgmentListIn,
    ExportedKind.CAPTIONS: CaptionListIn,
    ExportedKind.ANNOTATORS: NoFilterIn,
    ExportedKind.AGREEMENT: NoFilterIn,
    ExportedKind.RELEASE: EntryListIn,
}


def takes_filter(what: str, format: str) -> bool:
    """Whether the export has rows of its own to choose from."""
    if what == ExportedKind.RELEASE:
        return format in (*TABLES, *WITH_FILTER)
    return what in (ExportedKind.JUDGMENTS, ExportedKind.CAPTIONS) and format in TABLES


def read_filter(what: str, sent: Mapping[str, Any]) -> dict[str, Any]:
    """The filter checked, as values for its class. Raises ValidationError."""
    asked = FILTERS[what](data=dict(sent))
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
