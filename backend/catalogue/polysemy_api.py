"""Polysemy reports over HTTP, for reviewers of their project."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.catalogue import polysemy
from backend.catalogue.polysemy_serializers import PolysemyReportOut
from backend.common.files import CSV, CSV_TYPE, file_headers
from backend.projects.selectors import reviewing


class PolysemyListApi(APIView):
    @extend_schema(responses=PolysemyReportOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The polysemy reports of the project, newest first."""
        found = polysemy.list_reports(project=reviewing(user=request.user, slug=slug))
        return Response(PolysemyReportOut(found.select_related("project"), many=True).data)


class PolysemyApi(APIView):
    @extend_schema(responses=PolysemyReportOut)
    def get(self, request: Request, slug: str, run_id: UUID) -> Response:
        """The polysemy report of one run."""
        project = reviewing(user=request.user, slug=slug)
        return Response(PolysemyReportOut(polysemy.get_report(project=project, run_id=run_id)).data)


class PolysemyJsonApi(APIView):
    @extend_schema(operation_id="polysemy_report_json", responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponse:
        """A polysemy report as JSON. The same results give the same bytes."""
        report = polysemy.get_report(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        return _file(polysemy.report_json(report), f"{slug}-polysemy.json", "application/json")


class PolysemyCsvApi(APIView):
    @extend_schema(operation_id="polysemy_report_csv", responses=CSV)
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponse:
        """A polysemy report as CSV, with one row for each corpus and radius."""
        report = polysemy.get_report(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        return _file(polysemy.report_csv(report), f"{slug}-polysemy.csv", CSV_TYPE)


def _file(text: str, name: str, kind: str) -> HttpResponse:
    return HttpResponse(text, content_type=kind, headers=file_headers(name))
