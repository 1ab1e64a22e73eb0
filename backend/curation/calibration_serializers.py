"""What the API gives about calibrations."""

from __future__ import annotations

from rest_framework import serializers

from backend.curation.difficulty_serializers import HonestyOut
from backend.curation.models import StaleReason
from backend.runs.models import Run
from backend.runs.serializers import RunErrorOut

STATES = ("current", "stale", "shipped", "missing")


class CalibrationFiguresOut(serializers.Serializer):
    """A threshold and what it reaches. `prevalence` is the share of right pairs; `kept_share` of those above it."""

    threshold = serializers.FloatField()
    f1 = serializers.FloatField()
    precision = serializers.FloatField()
    recall = serializers.FloatField()
    batch_size = serializers.IntegerField()
    n_pairs = serializers.IntegerField()
    prevalence = serializers.FloatField()
    kept_share = serializers.FloatField()
    pairs = serializers.CharField(help_text="What it was made from, in words.")


class CalibrationVersionOut(serializers.Serializer):
    """One record of a model. A record of the site was made by a command, for all projects."""

    id = serializers.IntegerField()
    version = serializers.IntegerField()
    is_of_site = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    stale_reasons = serializers.ListField(child=serializers.ChoiceField(choices=StaleReason.choices))
    threshold = serializers.FloatField()
    f1 = serializers.FloatField()


class CalibratedModelOut(serializers.Serializer):
    """A model with the figures of its newest record, else of the calibration that came with it."""

    key = serializers.CharField()
    model = serializers.CharField()
    name = serializers.CharField(allow_blank=True, help_text="As the stage takes it; empty for a path of the server.")
    is_in_panel = serializers.BooleanField(help_text="Whether it is one of this site's models.")
    is_carried = serializers.BooleanField(help_text="Whether it came with Connote, trained on drawings.")
    digest = serializers.CharField(help_text="Checksum of the weights at the calibration; empty without one.")
    licence = serializers.CharField(help_text="Of a model that comes with Connote; empty for others.")
    n_parameters = serializers.IntegerField(allow_null=True, help_text="Of a model that comes with Connote.")
    state = serializers.ChoiceField(choices=STATES, help_text="Of the newest record; `shipped` came with the model.")
    stale_reasons = serializers.ListField(child=serializers.ChoiceField(choices=StaleReason.choices))
    used = serializers.IntegerField(allow_null=True, help_text="The record that Rate difficulty uses.")
    is_shipped_used = serializers.BooleanField()
    figures = CalibrationFiguresOut(allow_null=True)
    versions = CalibrationVersionOut(many=True)


class CalibrationRunOut(serializers.ModelSerializer):
    """The newest run of the stage that calibrates."""

    error = RunErrorOut(allow_null=True)

    class Meta:
        model = Run
        fields = ("id", "status", "done", "total", "error")
        read_only_fields = fields


class HelperModelOut(serializers.Serializer):
    """A model of this site that does other work than to vote on difficulty."""

    use = serializers.ChoiceField(choices=("images", "sentences", "words"), help_text="What it reads.")
    model = serializers.CharField()
    licence = serializers.CharField(help_text="Of a model that comes with Connote; empty for others.")
    n_parameters = serializers.IntegerField(allow_null=True, help_text="Of a model that comes with Connote.")


class CalibrationsOut(serializers.Serializer):
    """The models of this site's panel, and others with a record, each with its calibration."""

    models = CalibratedModelOut(many=True)
    helpers = HelperModelOut(many=True, help_text="Models of this site for other work.")
    n_own_pairs = serializers.IntegerField(help_text="Images of the project with a good caption.")
    honesty = HonestyOut()
    run = CalibrationRunOut(allow_null=True)


class CurvePointOut(serializers.Serializer):
    threshold = serializers.FloatField()
    precision = serializers.FloatField()
    recall = serializers.FloatField()
    f1 = serializers.FloatField()


class CalibrationFilesOut(serializers.Serializer):
    json = serializers.CharField()
    csv = serializers.CharField()


class CalibrationOut(CalibrationVersionOut):
    """One record with its precision-recall curve, the strictest threshold first."""

    model = serializers.CharField()
    digest = serializers.CharField()
    preprocessing = serializers.CharField()
    run = serializers.UUIDField(allow_null=True)
    n_lost = serializers.IntegerField(help_text="Pairs whose image could not be read.")
    seed = serializers.IntegerField()
    n_positives = serializers.IntegerField()
    n_negatives = serializers.IntegerField()
    n_equal_texts = serializers.IntegerField(help_text="Wrong pairs left out, since their caption is the right one.")
    figures = CalibrationFiguresOut()
    curve = CurvePointOut(many=True)
    files = CalibrationFilesOut()
