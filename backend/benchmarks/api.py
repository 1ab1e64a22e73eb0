"""Results of models on a release over HTTP: every member who may see the release reads, curators add and delete."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param
from rest_framework.views import APIView

from backend.benchmarks import leaderboard, queries, selectors, services
from backend.benchmarks.metrics import list_metrics
from backend.benchmarks.models import Evaluation
from backend.benchmarks.serializers import (
    BoardFileIn,
    BoardIn,
    ComparisonIn,
    ComparisonOut,
    EvaluationOut,
    EvaluationRowOut,
    LeaderboardOut,
    PublishedIn,
    PublishedListIn,
    PublishedOut,
    PublishedTableOut,
    QueriesIn,
    QueryPageOut,
    ResultIn,
)
from backend.common.errors import NotFound
from backend.methods.benchmarks.per_query import NAME as PER_QUERY
from backend.methods.benchmarks.results import RESULT
from backend.projects.selectors import curating
from backend.releases.download import RANGE, send_file, send_text

RANKS = "ranks.csv"
BOARD_KINDS = [kind.partition(";")[0] for _, kind in leaderboard.FORMATS.values()]
FILES: dict[Any, Any] = {(status, kind): OpenApiTypes.BINARY for status in (200, 206) for kind in BOARD_KINDS}
RESULT_FILES: dict[Any, Any] = {
    (status, kind): OpenApiTypes.BINARY
    for status in (200, 206)
    for kind in ("application/json", "application/vnd.apache.parquet", "text/csv")
}


class LeaderboardApi(APIView):
    def get_parsers(self) -> list[Any]:
        return [MultiPartParser()]

    @extend_schema(operation_id="benchmarks_leaderboard", parameters=[BoardIn], responses=LeaderboardOut)
    def get(self, request: Request, slug: str, release_id: UUID) -> Response:
        """The results on a release, with real differences to a reference."""
        release = selectors.get_release(user=request.user, slug=slug, release_id=release_id)
        asked = _read(BoardIn, request.query_params)
        return Response(LeaderboardOut(leaderboard.read_leaderboard(release=release, **asked)).data)

    @extend_schema(
        operation_id="benchmarks_import",
        request={"multipart/form-data": ResultIn},
        responses={201: EvaluationRowOut},
    )
    def post(self, request: Request, slug: str, release_id: UUID) -> Response:
        """Import the result of a model. A result of other data than the release is marked."""
        curating(user=request.user, slug=slug)
        release = selectors.get_release(user=request.user, slug=slug, release_id=release_id)
        sent = _read(ResultIn, request.data)
        made = services.import_result(release=release, created_by=request.user, **sent)
        row = EvaluationRowOut(leaderboard.present_row(made)).data
        return Response(row, status=status.HTTP_201_CREATED)


class LeaderboardFileApi(APIView):
    @extend_schema(operation_id="benchmarks_export", parameters=[BoardFileIn, RANGE], responses=FILES)
    def get(self, request: Request, slug: str, release_id: UUID) -> HttpResponseBase:
        """The results on a release as a file: CSV, LaTeX, Markdown, JSON or SVG."""
        release = selectors.get_release(user=request.user, slug=slug, release_id=release_id)
        asked = _read(BoardFileIn, request.query_params)
        name, kind, text = leaderboard.write_leaderboard(release=release, **asked)
        return send_text(request, name, text, kind)


class PublishedListApi(APIView):
    def get_parsers(self) -> list[Any]:
        return [MultiPartParser()]

    @extend_schema(operation_id="benchmarks_published", parameters=[PublishedListIn], responses=PublishedOut)
    def get(self, request: Request, slug: str, release_id: UUID) -> Response:
        """Figures that others published, to show beside the project's own."""
        release = selectors.get_release(user=request.user, slug=slug, release_id=release_id)
        dataset = _read(PublishedListIn, request.query_params).get("dataset")
        tables = list(selectors.list_published(project=release.project))
        every = [{**row, "table": table.pk, "is_published": True} for table in tables for row in table.rows]
        rows = [row for row in every if dataset in (None, row["dataset"])]
        told = {
            "datasets": sorted({row["dataset"] for row in every}),
            "tables": tables,
            "metrics": list_metrics({name for row in rows for name in row["cells"]}, "retrieval"),
            "rows": rows,
        }
        return Response(PublishedOut(told).data)

    @extend_schema(
        operation_id="benchmarks_publish",
        request={"multipart/form-data": PublishedIn},
        responses={201: PublishedTableOut},
    )
    def post(self, request: Request, slug: str, release_id: UUID) -> Response:
        """Add a table of published figures to the project."""
        project = curating(user=request.user, slug=slug)
        selectors.get_release(user=request.user, slug=slug, release_id=release_id)
        sent = _read(PublishedIn, request.data)
        made = services.keep_published(project=project, created_by=request.user, **sent)
        return Response(PublishedTableOut(made).data, status=status.HTTP_201_CREATED)


class PublishedApi(APIView):
    @extend_schema(operation_id="benchmarks_published_delete", responses={204: None})
    def delete(self, request: Request, table_id: UUID) -> Response:
        """Delete a table of published figures."""
        selectors.get_published(user=request.user, table_id=table_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class EvaluationApi(APIView):
    @extend_schema(operation_id="benchmarks_retrieve", responses=EvaluationOut)
    def get(self, request: Request, evaluation_id: UUID) -> Response:
        """One result with its curves, its figures by category, and its files."""
        found = selectors.get_evaluation(user=request.user, evaluation_id=evaluation_id)
        row, release = leaderboard.present_row(found), found.release
        told = {
            **row,
            "release": {"id": release.pk, "label": release.label, "project": release.project.slug},
            "result": found.result,
            "metrics": list_metrics(row["cells"], found.task),
            "files": [{"name": name, "url": _file_url(found, name)} for name in _files_of(found)],
            **queries.read_facts(evaluation=found),
        }
        return Response(EvaluationOut(told).data)

    @extend_schema(operation_id="benchmarks_delete", responses={204: None})
    def delete(self, request: Request, evaluation_id: UUID) -> Response:
        """Delete a result with its files."""
        found = selectors.get_evaluation(user=request.user, evaluation_id=evaluation_id, may_change=True)
        services.delete_evaluation(evaluation=found)
        return Response(status=status.HTTP_204_NO_CONTENT)


@dataclass(frozen=True)
class TableFile:
    """The table of a result as the sender of files takes it."""

    name: str
    stored_as: str
    n_bytes: int
    sha256: str


class EvaluationFileApi(APIView):
    @extend_schema(
        operation_id="benchmarks_file",
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=[RESULT, PER_QUERY, RANKS]), RANGE],
        responses=RESULT_FILES,
    )
    def get(self, request: Request, evaluation_id: UUID, name: str) -> HttpResponseBase:
        """A file of a result: the two that `manage.py compare` reads, or the ranks as CSV."""
        found = selectors.get_evaluation(user=request.user, evaluation_id=evaluation_id)
        if name not in _files_of(found):
            raise NotFound("This result has no file with this name.", code="no_such_result_file")
        if name == PER_QUERY:
            return send_file(request, TableFile(name, found.stored_as, found.n_bytes, found.sha256))
        if name == RANKS:
            text = queries.write_ranks(evaluation=found)
            return send_text(request, name, text, "text/csv; charset=utf-8")
        text = json.dumps(found.result, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
        return send_text(request, name, text, "application/json")


class QueryListApi(APIView):
    @extend_schema(operation_id="benchmarks_queries", parameters=[QueriesIn], responses=QueryPageOut)
    def get(self, request: Request, evaluation_id: UUID) -> Response:
        """The queries of a result with their pictures: the best, the worst, the most surprising."""
        found = selectors.get_evaluation(user=request.user, evaluation_id=evaluation_id)
        asked = _read(QueriesIn, request.query_params)
        queries.check_category(found, asked["category"])
        start, limit = asked.pop("cursor"), asked["limit"]
        page = queries.read_queries(evaluation=found, start=start, **{"direction": "", **asked})
        return Response(QueryPageOut(page | _links(request, start, limit, page["total"])).data)


class ComparisonApi(APIView):
    @extend_schema(operation_id="benchmarks_compare", parameters=[ComparisonIn], responses=ComparisonOut)
    def get(self, request: Request) -> Response:
        """The same queries under two models, the most different first."""
        asked = _read(ComparisonIn, request.query_params)
        a, b = (selectors.get_evaluation(user=request.user, evaluation_id=asked.pop(name)) for name in ("a", "b"))
        queries.check_category(a, asked["category"])
        start, limit = asked.pop("cursor"), asked["limit"]
        page = queries.read_comparison(a=a, b=b, start=start, **{"direction": "", **asked})
        return Response(ComparisonOut(page | _links(request, start, limit, page["total"])).data)


def _read(serializer: Any, given: Any) -> dict[str, Any]:
    sent = serializer(data=given)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)


def _links(request: Request, start: int, limit: int, total: int) -> dict[str, Any]:
    """The addresses of the pages after and before."""
    here = request.build_absolute_uri()
    before = start - limit
    return {
        "next": replace_query_param(here, "cursor", start + limit) if start + limit < total else None,
        "previous": None
        if not start
        else (replace_query_param(here, "cursor", before) if before > 0 else remove_query_param(here, "cursor")),
    }


def _files_of(evaluation: Evaluation) -> list[str]:
    if not evaluation.stored_as:
        return [RESULT]
    return [RESULT, PER_QUERY] if evaluation.task == "auprc" else [RESULT, PER_QUERY, RANKS]


def _file_url(evaluation: Evaluation, name: str) -> str:
    return reverse("benchmark-file", kwargs={"evaluation_id": evaluation.pk, "name": name})
