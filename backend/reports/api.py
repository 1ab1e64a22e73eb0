"""Diversity reports over HTTP, for reviewers of their project. The stage `diversity` makes them."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.files import CSV, csv_file, file_headers
from backend.methods.density_svg import draw_report
from backend.methods.export_rows import json_line
from backend.projects.selectors import reviewing
from backend.reports import selectors
from backend.reports.serializers import ComparableOut, DiversityReportOut, DiversityRunOut


class DiversityListApi(APIView):
    @extend_schema(responses=DiversityRunOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """A project's diversity reports, newest first, with those that are not finished. There are few."""
        runs = selectors.list_reports(project=reviewing(user=request.user, slug=slug))
        return Response(DiversityRunOut(runs, many=True).data)


class ComparableListApi(APIView):
    @extend_schema(responses=ComparableOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The datasets that you can compare: the selection of this project and the releases of your projects."""
        project = reviewing(user=request.user, slug=slug)
        return Response(ComparableOut(selectors.list_datasets(user=request.user, project=project), many=True).data)


class DiversityApi(APIView):
    @extend_schema(responses=DiversityReportOut)
    def get(self, request: Request, slug: str, run_id: UUID) -> Response:
        """One diversity report, by its run."""
        project = reviewing(user=request.user, slug=slug)
        return Response(DiversityReportOut(selectors.get_run(project=project, run_id=run_id)).data)


class DiversityJsonApi(APIView):
    @extend_schema(operation_id="diversity_report_json", responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponse:
        """A report as a file. Two runs that measured the same give the same bytes."""
        body = selectors.get_body(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        headers = file_headers(f"{slug}-diversity.json")
        return HttpResponse(json_line(body), content_type="application/json", headers=headers)


class DiversityCsvApi(APIView):
    @extend_schema(operation_id="diversity_report_csv", responses=CSV)
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponseBase:
        """A report as a table: a row for each measure and dataset, and one for each difference."""
        body = selectors.get_body(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        return csv_file(f"{slug}-diversity.csv", selectors.COLUMNS, selectors.report_rows(body))


class DiversityImagesApi(APIView):
    @extend_schema(operation_id="diversity_report_images", responses=CSV)
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponseBase:
        """The values of each image as a table."""
        rows = selectors.image_rows(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        return csv_file(f"{slug}-diversity-images.csv", selectors.IMAGE_COLUMNS, rows)


class DiversitySvgApi(APIView):
    @extend_schema(operation_id="diversity_report_svg", responses={(200, "image/svg+xml"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, run_id: UUID) -> HttpResponse:
        """The densities of a report as one drawing."""
        body = selectors.get_body(project=reviewing(user=request.user, slug=slug), run_id=run_id)
        headers = file_headers(f"{slug}-diversity.svg")
        return HttpResponse(draw_report(body), content_type="image/svg+xml", headers=headers)
