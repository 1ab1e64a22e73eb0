"""What the API gives of polysemy reports."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.catalogue.polysemy import present_report
from backend.runs.models import Run, RunStatus


class PolysemyPointOut(serializers.Serializer):
    """The means at one radius (null if undefined), with 95% intervals and the number of queries.

    A report that an earlier version made has no intervals.
    """

    radius = serializers.IntegerField()
    image_similarity = serializers.FloatField(allow_null=True, help_text="Mean cosine of a query and its neighbours.")
    in_cluster_similarity = serializers.FloatField(allow_null=True, help_text="Mean cosine of any two of them.")
    geodesic_distance = serializers.FloatField(
        allow_null=True, help_text="Mean angle in radians between a query and its neighbours' captions."
    )
    n_queries = serializers.IntegerField()
    n_queries_with_captions = serializers.IntegerField()
    n_captions = serializers.IntegerField()
    n_short = serializers.IntegerField(help_text="Queries with fewer neighbours than the radius.")
    image_similarity_low = serializers.FloatField(allow_null=True, help_text="Bootstrap over the query images, 95%.")
    image_similarity_high = serializers.FloatField(allow_null=True)
    in_cluster_similarity_low = serializers.FloatField(allow_null=True)
    in_cluster_similarity_high = serializers.FloatField(allow_null=True)
    geodesic_distance_low = serializers.FloatField(allow_null=True)
    geodesic_distance_high = serializers.FloatField(allow_null=True)


class CorpusCurvesOut(serializers.Serializer):
    """The curves of one corpus by ascending radius, with the settings behind them."""

    corpus = serializers.CharField()
    corpus_digest = serializers.CharField()
    n_pictures = serializers.IntegerField()
    n_queries = serializers.IntegerField()
    n_unreadable = serializers.IntegerField()
    index = serializers.CharField(help_text="exact, hnsw or ivf-pq.")
    vectors_digest = serializers.CharField()
    model = serializers.CharField()
    model_digest = serializers.CharField()
    clip = serializers.CharField()
    clip_digest = serializers.CharField()
    points = PolysemyPointOut(many=True)


class PolysemyReportOut(serializers.ModelSerializer):
    """A report. During its run it has the corpora that are ready."""

    status = serializers.ChoiceField(choices=RunStatus.choices)
    queries = serializers.SerializerMethodField(help_text="Pictures drawn from each corpus.")
    corpora = serializers.SerializerMethodField()
    json = serializers.SerializerMethodField(help_text="The address of the report as JSON.")
    csv = serializers.SerializerMethodField(help_text="The address of the report as CSV.")

    class Meta:
        model = Run
        fields = ("id", "status", "seed", "queries", "corpora", "json", "csv", "created_at")
        read_only_fields = fields

    def get_queries(self, report: Run) -> int:
        return int(report.parameters["queries"])

    @extend_schema_field(CorpusCurvesOut(many=True))
    def get_corpora(self, report: Run) -> list[dict[str, Any]]:
        corpora: list[dict[str, Any]] = present_report(report)["corpora"]
        return corpora

    def get_json(self, report: Run) -> str:
        return _address(report, "json")

    def get_csv(self, report: Run) -> str:
        return _address(report, "csv")


def _address(report: Run, kind: str) -> str:
    return reverse(f"polysemy-{kind}", kwargs={"slug": report.project.slug, "run_id": report.pk})
