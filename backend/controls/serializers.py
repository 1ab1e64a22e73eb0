"""What the API takes and gives about controls, for curators and head annotators alone."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.candidates.query_serializers import QueryNameOut
from backend.catalogue.serializers import ThumbnailsOut, present_thumbnails
from backend.common.labels import Label
from backend.common.serializers import SaidOut
from backend.controls.services import LONGEST_EXPLANATION, MOST_ACCEPTED
from backend.qualification.models import Control, ControlOrigin, ControlState
from backend.runs.serializers import RefusalOut

LABELS_HELP = "The labels that are right: good or bad, alone or with one more."
LONGEST_TEXT = 100_000


class ControlImageOut(serializers.Serializer):
    id = serializers.IntegerField()
    key = serializers.CharField()
    thumbnail = ThumbnailsOut()


class ControlOut(serializers.ModelSerializer):
    """A pair with a known answer, and the answers of annotators."""

    image = serializers.SerializerMethodField()
    query = QueryNameOut(source="candidate.query", allow_null=True)
    candidate = serializers.IntegerField(source="candidate_id")
    text = serializers.CharField(source="candidate.text")
    accepted = serializers.ListField(child=serializers.ChoiceField(choices=Label.choices), help_text=LABELS_HELP)
    origin = serializers.ChoiceField(choices=ControlOrigin.choices)
    state = serializers.ChoiceField(choices=ControlState.choices)
    why = SaidOut(allow_null=True, read_only=True, help_text="Why it has this state. Null: it was always in use.")
    created_by = serializers.CharField(source="created_by.shown_name", default=None, allow_null=True, read_only=True)
    n_met = serializers.IntegerField(help_text="Annotators who got it in a HIT or answered it in the quiz.")
    n_passed = serializers.IntegerField()
    n_failed = serializers.IntegerField()
    n_unsure = serializers.IntegerField(help_text="Unsure where that is not right: in a HIT neither passed nor failed.")

    class Meta:
        model = Control
        fields = (
            "id", "candidate", "image", "query", "text", "accepted", "is_quiz", "explanation", "origin", "state",
            "why", "n_met", "n_passed", "n_failed", "n_unsure", "created_by", "created_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(ControlImageOut)
    def get_image(self, control: Control) -> dict[str, Any]:
        image = control.candidate.image
        return {"id": image.pk, "key": image.key, "thumbnail": present_thumbnails(image)}


class ControlListIn(serializers.Serializer):
    state = serializers.ChoiceField(choices=ControlState.choices, required=False, default="", help_text="Only these.")
    is_quiz = serializers.BooleanField(required=False, allow_null=True, default=None, help_text="Of the quiz, or not.")
    text = serializers.CharField(required=False, default="", max_length=200, help_text="With this in the text.")


class ControlIn(serializers.Serializer):
    """A kept pair by its `candidate`, or an `image` with a `text` or a `query` that has a known answer."""

    candidate = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    image = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    text = serializers.CharField(required=False, max_length=LONGEST_TEXT)
    query = serializers.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    accepted = serializers.ListField(
        child=serializers.ChoiceField(choices=Label.choices),
        min_length=1,
        max_length=MOST_ACCEPTED,
        help_text=LABELS_HELP,
    )
    explanation = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_EXPLANATION, help_text="Shown after the quiz."
    )
    is_quiz = serializers.BooleanField(required=False, default=False, help_text="Asked in the quiz, and never hidden.")

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        named = {"candidate", "image", "text", "query"} & set(sent)
        if named not in ({"candidate"}, {"image", "text"}, {"image", "query"}):
            raise serializers.ValidationError("Give a pair, or an image with a text or a query.", code="which_pair")
        return sent


class ControlChangeIn(serializers.Serializer):
    state = serializers.ChoiceField(
        choices=ControlState.choices,
        required=False,
        help_text="active: use it again; retired: new HITs do not get it; quarantined: its answers do not count.",
    )
    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=300)
    explanation = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_EXPLANATION)


class ControlImportIn(serializers.Serializer):
    file = serializers.FileField(
        allow_empty_file=True, use_url=False, max_length=255, help_text="CSV, TSV, JSONL or a JSON array, in UTF-8."
    )


class ControlImportOut(serializers.Serializer):
    n_new = serializers.IntegerField()
    n_known = serializers.IntegerField(help_text="Rows that were controls already, with the same answer.")
    refused = RefusalOut(many=True)


class SightOut(serializers.Serializer):
    n_people = serializers.IntegerField(help_text="Annotators with at least five hidden controls.")
    n_good = serializers.IntegerField(help_text="Of these: annotators who passed 8 of 10.")
    is_blind = serializers.BooleanField(help_text="There are too few good annotators to find wrong controls.")


class SupplyOut(serializers.Serializer):
    rate = serializers.FloatField(help_text="The share of controls that the project asks for.")
    n_active = serializers.IntegerField(help_text="Hidden controls in use.")
    n_quiz = serializers.IntegerField()
    n_quarantined = serializers.IntegerField()
    n_retired = serializers.IntegerField()
    n_undealt = serializers.IntegerField(help_text="Controls in use but in no HIT. The stage Build tasks adds them.")
    hits_left = serializers.IntegerField(help_text="HITs that no annotator started.")
    looked_at = serializers.IntegerField(help_text="The next HITs that were checked.")
    wanted = serializers.FloatField(help_text="Controls that these HITs need.")
    available = serializers.IntegerField(help_text="Controls in them.")
    is_short = serializers.BooleanField()
    hits_per_control = serializers.FloatField(
        help_text="The mean number of HITs of a control. The first answer of each annotator is graded."
    )
    is_ungraded = serializers.BooleanField(
        help_text="The adaptive overlap trusts annotators by controls, and the next HITs have none."
    )
    sight = SightOut(help_text="The reach of the audit that quarantines wrong controls.")
