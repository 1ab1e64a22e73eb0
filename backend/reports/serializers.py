"""What the API gives of diversity reports."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.methods.diversity import MEASURES
from backend.runs.models import Run, RunStatus
from backend.runs.serializers import RunErrorOut

KINDS = ("selection", "release", "file", "upload")


class ComparableOut(serializers.Serializer):
    """A dataset that a report can be about. `name` is what the stage takes as `first` or `second`."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    project = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)
    n = serializers.IntegerField(help_text="Images.")


class ComparedDatasetOut(serializers.Serializer):
    """A dataset as it was measured. `n_single` images have one caption, so their captions have no similarity."""

    kind = serializers.ChoiceField(choices=KINDS)
    name = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the images and captions that were measured.")
    n_images = serializers.IntegerField(help_text="Images with captions, before the draw.")
    n_measured = serializers.IntegerField()
    n_captions = serializers.IntegerField()
    n_single = serializers.IntegerField()
    n_refused = serializers.IntegerField(help_text="Rows of a file that could not be read.")


class DiversitySummaryOut(serializers.Serializer):
    """The mean over images, with its interval; null where it is not defined."""

    n = serializers.IntegerField()
    n_missing = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    deviation = serializers.FloatField(allow_null=True)


class DiversityDifferenceOut(serializers.Serializer):
    """The first mean minus the second. `is_paired`: both have the same images, which were compared one by one."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    is_paired = serializers.BooleanField()
    n = serializers.IntegerField(allow_null=True)


class DiversityDensityOut(serializers.Serializer):
    """Counts of equal bins from `low` to `high` for each dataset, and a curve over `x` where there is one."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    counts = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    x = serializers.ListField(child=serializers.FloatField())
    curves = serializers.ListField(child=serializers.ListField(child=serializers.FloatField(), allow_null=True))


class DiversityMeasureOut(serializers.Serializer):
    measure = serializers.ChoiceField(choices=MEASURES)
    model = serializers.CharField()
    digest = serializers.CharField()
    layer = serializers.IntegerField(allow_null=True, help_text="Of the encoder of a BERTScore.")
    is_trained_on_drawings = serializers.BooleanField(
        help_text="Whether this model of Connote has seen drawings only: its scores of photographs say little."
    )
    datasets = DiversitySummaryOut(many=True)
    difference = DiversityDifferenceOut(allow_null=True)
    density = DiversityDensityOut(allow_null=True)


class DiversityBodyOut(serializers.Serializer):
    seed = serializers.IntegerField()
    level = serializers.FloatField()
    replicates = serializers.IntegerField()
    is_paired = serializers.BooleanField()
    datasets = ComparedDatasetOut(many=True)
    measures = DiversityMeasureOut(many=True)


class DiversityFilesOut(serializers.Serializer):
    """Where a finished report is as files."""

    json = serializers.CharField()
    csv = serializers.CharField()
    images = serializers.CharField(help_text="A CSV with a row for each image.")
    svg = serializers.CharField()


class DiversityRunOut(serializers.ModelSerializer):
    """A report in the list; `datasets` are what was asked for, `compared` is null until the run has ended."""

    status = serializers.ChoiceField(choices=RunStatus.choices)
    started_by = serializers.CharField(source="started_by.shown_name", default=None, allow_null=True)
    error = RunErrorOut(allow_null=True)
    asked = serializers.SerializerMethodField(help_text="The names of the datasets.")
    compared = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = ("id", "status", "started_by", "created_at", "done", "total", "error", "asked", "compared")
        read_only_fields = fields

    def get_asked(self, run: Run) -> list[str]:
        return [_shown(name) for name in (run.parameters.get("first"), run.parameters.get("second")) if name]

    @extend_schema_field(ComparedDatasetOut(many=True, allow_null=True))
    def get_compared(self, run: Run) -> list[dict[str, Any]] | None:
        body = body_of(run)
        return body["datasets"] if body else None


class DiversityReportOut(DiversityRunOut):
    """One report. `report` and `files` are null until the run has ended."""

    report = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = (*DiversityRunOut.Meta.fields, "report", "files")
        read_only_fields = fields

    @extend_schema_field(DiversityBodyOut(allow_null=True))
    def get_report(self, run: Run) -> dict[str, Any] | None:
        return body_of(run)

    @extend_schema_field(DiversityFilesOut(allow_null=True))
    def get_files(self, run: Run) -> dict[str, str] | None:
        if body_of(run) is None:
            return None
        place = {"slug": run.project.slug, "run_id": run.pk}
        return {kind: reverse(f"diversity-{kind}", kwargs=place) for kind in ("json", "csv", "images", "svg")}


def body_of(run: Run) -> dict[str, Any] | None:
    """What the run's report says, None where it has none yet."""
    report = getattr(run, "diversity", None)
    return report.body if report else None


def _shown(name: str) -> str:
    """The name of a dataset without the folders of this server."""
    kind, _, place = name.partition(":")
    return f"{kind}:{place.rpartition('/')[2]}" if place else kind
