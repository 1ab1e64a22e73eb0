"""Exports, answers and annotators by pseudonym over HTTP: for curators and head annotators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation.models import AnnotatorState, Judgment
from backend.common.errors import InvalidInput
from backend.exports import rows, selectors, services
from backend.exports.filters import JudgmentListIn
from backend.exports.models import Export
from backend.exports.pseudonyms import read_names
from backend.exports.serializers import AnnotatorRowOut, ExportIn, ExportOut, JudgmentRowOut
from backend.projects.models import Project
from backend.projects.selectors import reviewing
from backend.releases.download import KINDS, RANGE, send_file
from backend.releases.models import Release

FILE_KINDS = sorted({KINDS[name].partition(";")[0] for name in ("jsonl", "csv", "parquet", "zip")})
FILES: dict[Any, Any] = {(code, kind): OpenApiTypes.BINARY for kind in FILE_KINDS for code in (200, 206)}


class ExportListApi(ListAPIView):
    """The exports of a project, newest first."""

    serializer_class = ExportOut
    queryset = Export.objects.none()
    keyset = ("-created_at", "-id")

    def get_queryset(self) -> QuerySet[Export]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_exports(project=project)

    @extend_schema(request=ExportIn, responses={202: ExportOut})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for an export. A worker makes the file. `Location` is the address of its state."""
        project = reviewing(user=request.user, slug=slug)
        sent = ExportIn(data=request.data)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data | {"release": _release_of(project, sent.validated_data["release"])}
        export = services.create_export(project=project, created_by=request.user, **asked)
        export = selectors.get_export(user=request.user, export_id=export.pk)
        location = {"Location": f"/api/v1/exports/{export.pk}"}
        return Response(ExportOut(export).data, status=status.HTTP_202_ACCEPTED, headers=location)


def _release_of(project: Project, release_id: UUID | None) -> Release | None:
    if release_id is None:
        return None
    found: Release | None = Release.objects.filter(project=project, pk=release_id).first()
    if found is None:
        raise InvalidInput("This project has no release with this ID.", code="no_release_with_id", field="release")
    return found


class ExportApi(APIView):
    @extend_schema(responses=ExportOut)
    def get(self, request: Request, export_id: UUID) -> Response:
        """One export: its state, its progress, and the address of its file once it is ready."""
        return Response(ExportOut(selectors.get_export(user=request.user, export_id=export_id)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, export_id: UUID) -> Response:
        """Delete an export with its file. A worker that writes it stops."""
        services.delete_export(export=selectors.get_export(user=request.user, export_id=export_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExportCancelApi(APIView):
    @extend_schema(request=None, responses=ExportOut)
    def post(self, request: Request, export_id: UUID) -> Response:
        """Cancel an export that is not ready yet."""
        export = selectors.get_export(user=request.user, export_id=export_id)
        return Response(ExportOut(services.cancel_export(export=export)).data)


@dataclass(frozen=True)
class ExportedFile:
    """A finished export as the sender of files takes it."""

    name: str
    stored_as: str
    n_bytes: int
    sha256: str


class ExportFileApi(APIView):
    """The file of an export. Its ETag is its SHA-256. A broken download can continue with Range."""

    @extend_schema(operation_id="export_file_download", parameters=[RANGE], responses=FILES)
    def get(self, request: Request, export_id: UUID) -> HttpResponseBase:
        export = selectors.get_ready_export(user=request.user, export_id=export_id)
        file = ExportedFile(export.file_name, export.stored_as, export.n_bytes or 0, export.sha256)
        return send_file(request, file)


@extend_schema(parameters=[JudgmentListIn])
class JudgmentListApi(ListAPIView):
    """All answers of a project by pseudonym, oldest first, without test questions."""

    serializer_class = JudgmentRowOut
    queryset = Judgment.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Judgment]:
        self.project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        sent = JudgmentListIn(data=self.request.query_params)
        sent.is_valid(raise_exception=True)
        self.names = read_names(project=self.project)
        asked = rows.JudgmentFilter(**sent.validated_data)
        return rows.list_judgments(project=self.project, asked=asked, names=self.names)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        page = super().paginate_queryset(rows.judgment_values(queryset)) or ()
        told: list[Any] = rows.judgment_batch(rows.batch_of(page), names=self.names).to_pylist()
        return told


class AnnotatorRowListApi(ListAPIView):
    """The annotators of a project by pseudonym: their answers, test questions and agreement."""

    serializer_class = AnnotatorRowOut
    queryset = AnnotatorState.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[AnnotatorState]:
        self.project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return rows.list_annotators(project=self.project)

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        page = list(super().paginate_queryset(queryset) or ())
        return rows.describe_annotators(project=self.project, states=page, names=read_names(project=self.project))
