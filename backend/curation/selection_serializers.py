"""What the API takes and gives about the selection of captions."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.catalogue.serializers import ThumbnailsField
from backend.curation.models import CaptionChoice, ChoiceKind, Selection, SelectionItem, SelectionStatus, Variant
from backend.curation.selection_reads import ORDERS
from backend.runs.models import Run

LONGEST_REASON = 300
SELECTION_METHODS = ("all", "exact", "heuristic", "umap_kmeans", "kmeans", "")


class SelectRunOut(serializers.ModelSerializer):
    """The last run of Select that ended well, with its settings."""

    variant = serializers.SerializerMethodField()
    k = serializers.IntegerField(source="parameters.k", default=5)
    models = serializers.DictField(child=serializers.CharField(), source="models_used")

    class Meta:
        model = Run
        fields = ("id", "finished_at", "variant", "k", "models", "seed")
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=Variant.choices))
    def get_variant(self, run: Run) -> str:
        return str(run.parameters.get("variant", Variant.LEAST_ALIKE))


class SelectionSummaryOut(serializers.Serializer):
    """Counts over the images of the project. Images that Select has not seen are in none of `n_selected` and `n_short`.

    `n_missing` is how many good captions the short pools lack together; `n_with_negative` how many selected images have
    a caption that people rejected; `n_waiting` how many images have pins or bans that the next Select reads.
    """

    n_images = serializers.IntegerField()
    n_selected = serializers.IntegerField()
    n_short = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    n_with_negative = serializers.IntegerField()
    n_pinned = serializers.IntegerField()
    n_banned = serializers.IntegerField()
    n_waiting = serializers.IntegerField()
    mean_stability = serializers.FloatField(allow_null=True)
    run = SelectRunOut(allow_null=True)


class SelectionListIn(serializers.Serializer):
    status = serializers.ChoiceField(
        choices=SelectionStatus.choices, required=False, default="", help_text="Images of this status only."
    )
    order = serializers.ChoiceField(
        choices=list(ORDERS),
        required=False,
        default="image",
        help_text="The least stable first, the most similar captions first, or the fewest good captions first.",
    )


class SelectedImageOut(serializers.ModelSerializer):
    thumbnail = ThumbnailsField()

    class Meta:
        model = Image
        fields = ("id", "key", "title", "thumbnail")
        read_only_fields = fields


class CaptionChoiceOut(serializers.ModelSerializer):
    """A pin or a ban; `kind` is empty where it was taken back."""

    kind = serializers.ChoiceField(choices=ChoiceKind.choices, allow_blank=True)
    made_by = serializers.CharField(source="made_by.shown_name")

    class Meta:
        model = CaptionChoice
        fields = ("kind", "reason", "made_by", "created_at")
        read_only_fields = fields


def present_choice(candidate: Candidate) -> dict[str, Any] | None:
    """The pin or ban that stands on a caption whose choices were loaded, oldest first."""
    newest = next(reversed(candidate.choices.all()), None)
    return dict(CaptionChoiceOut(newest).data) if newest and newest.kind else None


class ChosenCaptionOut(serializers.ModelSerializer):
    """`is_pinned` is how it was when Select ran, `choice` is a person's pin or ban of now."""

    candidate = serializers.IntegerField(source="candidate_id")
    text = serializers.CharField(source="candidate.text")
    choice = serializers.SerializerMethodField()

    class Meta:
        model = SelectionItem
        fields = ("position", "candidate", "text", "cluster", "is_pinned", "choice")
        read_only_fields = fields

    @extend_schema_field(CaptionChoiceOut(allow_null=True))
    def get_choice(self, item: SelectionItem) -> dict[str, Any] | None:
        return present_choice(item.candidate)


class SelectionRowOut(serializers.ModelSerializer):
    """One image: its chosen captions, or how many good captions it lacks."""

    image = SelectedImageOut()
    method = serializers.ChoiceField(choices=SELECTION_METHODS)
    n_missing = serializers.IntegerField()
    captions = ChosenCaptionOut(many=True, source="items")

    class Meta:
        model = Selection
        fields = (
            "image", "status", "variant", "method", "n_good", "n_wanted", "n_missing", "n_clusters", "stability",
            "mean_similarity", "captions",
        )  # fmt: skip
        read_only_fields = fields


class CaptionPointOut(serializers.Serializer):
    """A good caption on the plane. `is_truncated`: the text model reads only its beginning."""

    candidate = serializers.IntegerField()
    text = serializers.CharField()
    x = serializers.FloatField()
    y = serializers.FloatField()
    cluster = serializers.IntegerField(allow_null=True)
    is_chosen = serializers.BooleanField()
    is_pinned = serializers.BooleanField()
    is_banned = serializers.BooleanField()
    is_truncated = serializers.BooleanField()


class CaptionSpaceOut(serializers.Serializer):
    """The good captions of an image on a plane: UMAP's where `method` is umap_kmeans, else the two principal axes.

    There are no points before Select ran, and none for a short pool.
    """

    status = serializers.ChoiceField(choices=SelectionStatus.choices, allow_null=True)
    variant = serializers.ChoiceField(choices=Variant.choices, allow_null=True)
    method = serializers.ChoiceField(choices=SELECTION_METHODS)
    points = CaptionPointOut(many=True)


class CaptionChoiceIn(serializers.Serializer):
    kind = serializers.ChoiceField(choices=ChoiceKind.choices)
    reason = serializers.CharField(max_length=LONGEST_REASON)
