"""What the API takes and gives about exports, answers and annotators by pseudonym."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from backend.annotation.models import Lens
from backend.common.errors import InvalidInput
from backend.common.labels import Label
from backend.common.serializers import SaidOut
from backend.exports.filters import EVERY_FORMAT, FILTERS
from backend.exports.models import Export, ExportedKind, ExportState
from backend.methods.exports.choices import LEAVABLE, LEAVE_OUT

USUALLY_LEFT_OUT = [name.strip() for name in LEAVE_OUT.split(",")]


class ExportIn(serializers.Serializer):
    """An export to make. `leave_out` is for answers; without it, times are left out."""

    what = serializers.ChoiceField(choices=ExportedKind.choices)
    format = serializers.ChoiceField(choices=EVERY_FORMAT)
    release = serializers.UUIDField(
        required=False, allow_null=True, default=None, help_text="For what = release: the ID of the release."
    )
    filter = serializers.DictField(
        child=serializers.JSONField(), required=False, help_text="Which rows, by the same names as in the list."
    )
    leave_out = serializers.ListField(
        child=serializers.ChoiceField(choices=tuple(LEAVABLE)), required=False, help_text="What the rows do not show."
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        """The filter has only names that this kind of export knows, each with a fit value."""
        asked = sent.setdefault("filter", {})
        known = FILTERS[sent["what"]]
        checked = known(data=asked)
        if unknown := sorted(asked.keys() - checked.fields.keys()):
            raise InvalidInput(
                "This export has no filter {name}.",
                code="unknown_filter",
                params={"name": unknown[0][:40]},
                field="filter",
            )
        checked.is_valid(raise_exception=True)
        if "leave_out" not in sent:
            sent["leave_out"] = USUALLY_LEFT_OUT if sent["what"] == ExportedKind.JUDGMENTS else []
        return sent


class ExportOut(serializers.ModelSerializer):
    project = serializers.SlugField(source="project.slug")
    what = serializers.ChoiceField(choices=ExportedKind.choices)
    format = serializers.ChoiceField(choices=EVERY_FORMAT)
    release = serializers.UUIDField(source="release_id", allow_null=True)
    release_version = serializers.CharField(source="release.label", default=None, allow_null=True)
    filter = serializers.DictField(child=serializers.JSONField())
    leave_out = serializers.ListField(child=serializers.ChoiceField(choices=tuple(LEAVABLE)))
    state = serializers.ChoiceField(choices=ExportState.choices)
    sha256 = serializers.CharField(allow_blank=True)
    file_name = serializers.CharField(allow_blank=True)
    url = serializers.SerializerMethodField(help_text="The address of the file; null until it is ready.")
    error = SaidOut(allow_null=True)
    cancel_requested = serializers.SerializerMethodField()
    created_by = serializers.CharField(source="created_by.shown_name", default=None, allow_null=True)

    class Meta:
        model = Export
        fields = (
            "id", "project", "what", "format", "release", "release_version", "filter", "leave_out", "state", "done",
            "total", "n_rows", "n_bytes", "sha256", "file_name", "url", "error", "cancel_requested", "created_by",
            "created_at", "started_at", "finished_at", "expires_at",
        )  # fmt: skip
        read_only_fields = fields

    def get_url(self, export: Export) -> str | None:
        if export.state != ExportState.READY:
            return None
        return reverse("export-file", kwargs={"export_id": export.pk})

    def get_cancel_requested(self, export: Export) -> bool:
        return export.cancel_requested_at is not None


class JudgmentEditOut(serializers.Serializer):
    """A suggested edit, in code points of the text of the caption."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    kind = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class JudgmentRowOut(serializers.Serializer):
    """One answer to one pair. A changed answer is a new row."""

    id = serializers.IntegerField()
    image = serializers.CharField(help_text="The digest of the image.")
    caption = serializers.CharField(help_text="The key of the caption.")
    annotator = serializers.CharField(allow_null=True, help_text="A pseudonym. Null for imported votes without names.")
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]  # Field has a `label` of its own
    lens = serializers.ChoiceField(choices=Lens.choices, allow_null=True)
    is_generic = serializers.BooleanField()
    edits = JudgmentEditOut(many=True)
    comment = serializers.CharField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    position = serializers.IntegerField(help_text="The place of the pair on the page.")
    options = serializers.ListField(child=serializers.CharField(), help_text="The buttons in the order shown.")
    submitted_at = serializers.DateTimeField(allow_null=True)
    is_latest = serializers.BooleanField(help_text="Whether the annotator did not change it.")
    is_counted = serializers.BooleanField(help_text="Whether it counts today.")
    is_surplus = serializers.BooleanField(help_text="Whether it came after the time of its assignment.")
    supersedes = serializers.IntegerField(allow_null=True, help_text="The answer before it, if it is a change.")


class AnnotatorRowOut(serializers.Serializer):
    """What one annotator did, by pseudonym. Shares come with 95% intervals."""

    annotator = serializers.CharField(help_text="A pseudonym.")
    judgments = serializers.IntegerField(help_text="Pairs answered.")
    counted = serializers.IntegerField(help_text="Answers that count today.")
    changed = serializers.IntegerField(help_text="Answers changed.")
    is_excluded = serializers.BooleanField()
    controls = serializers.IntegerField(help_text="Test questions graded.")
    controls_passed = serializers.IntegerField()
    controls_share = serializers.FloatField(allow_null=True)
    controls_low = serializers.FloatField(allow_null=True)
    controls_high = serializers.FloatField(allow_null=True)
    decided = serializers.IntegerField(help_text="Counted answers to captions with a final label.")
    agreed = serializers.IntegerField(help_text="Of these: answers equal to the final label.")
    agreement = serializers.FloatField(allow_null=True)
    agreement_low = serializers.FloatField(allow_null=True)
    agreement_high = serializers.FloatField(allow_null=True)
    median_seconds = serializers.FloatField(allow_null=True)


def present_edit(edit: Mapping[str, Any]) -> dict[str, Any]:
    """A stored edit with all members."""
    return {name: edit.get(name) for name in ("start", "end", "kind", "before", "after")}
