"""Calibrations over HTTP, for reviewers of their project. The stage `calibrate` and a command make them."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.files import CSV, csv_file, file_headers
from backend.curation import calibration_reads
from backend.curation.calibration_serializers import CalibrationOut, CalibrationsOut
from backend.methods.export_rows import json_line
from backend.projects.selectors import reviewing


class CalibrationsApi(APIView):
    @extend_schema(operation_id="calibrations_read", responses=CalibrationsOut)
    def get(self, request: Request, slug: str) -> Response:
        """Each model with its newest calibration, and whether it still holds."""
        project = reviewing(user=request.user, slug=slug)
        return Response(CalibrationsOut(calibration_reads.get_models(project=project)).data)


class CalibrationApi(APIView):
    @extend_schema(operation_id="calibration_read", responses=CalibrationOut)
    def get(self, request: Request, slug: str, record_id: int) -> Response:
        """One calibration with its precision-recall curve."""
        project = reviewing(user=request.user, slug=slug)
        record = calibration_reads.get_record(project=project, record_id=record_id)
        told = calibration_reads.present_record(project=project, record=record)
        files = {kind: reverse(f"calibration-{kind}", args=(slug, record_id)) for kind in ("json", "csv")}
        return Response(CalibrationOut(told | {"files": files}).data)


class CalibrationJsonApi(APIView):
    @extend_schema(operation_id="calibration_json", responses={(200, "application/json"): OpenApiTypes.OBJECT})
    def get(self, request: Request, slug: str, record_id: int) -> HttpResponse:
        """A calibration with its curve as a file."""
        project = reviewing(user=request.user, slug=slug)
        record = calibration_reads.get_record(project=project, record_id=record_id)
        told = calibration_reads.present_record(project=project, record=record)
        body = told | {"created_at": record.created_at.isoformat()}
        headers = file_headers(f"{slug}-calibration-{record_id}.json")
        return HttpResponse(json_line(body), content_type="application/json", headers=headers)


class CalibrationCsvApi(APIView):
    @extend_schema(operation_id="calibration_csv", responses=CSV)
    def get(self, request: Request, slug: str, record_id: int) -> HttpResponseBase:
        """The curve of a calibration as a table."""
        project = reviewing(user=request.user, slug=slug)
        record = calibration_reads.get_record(project=project, record_id=record_id)
        name = f"{slug}-calibration-{record_id}.csv"
        return csv_file(name, calibration_reads.CURVE_COLUMNS, calibration_reads.curve_rows(record))
