"""What retrieval found, over HTTP: for the curator and the head annotator alone."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates import retrieval_reads
from backend.candidates.models import Neighbour, Pool, Suspect
from backend.candidates.neighbour_pictures import read_small
from backend.candidates.retrieval import decide_suspect, keep_all_out
from backend.candidates.retrieval_serializers import (
    KeepAllOutIn,
    KeepAllOutOut,
    PoolListIn,
    PoolOut,
    SuspectCountsOut,
    SuspectDecisionIn,
    SuspectListIn,
    SuspectOut,
)
from backend.common.files import CSV, csv_file
from backend.projects.selectors import reviewing

JPEG = {(200, "image/jpeg"): OpenApiTypes.BINARY}
A_DAY = 24 * 3600


@extend_schema(parameters=[PoolListIn])
class PoolListApi(ListAPIView):
    """What a run found for each image: the number of similar images, their mean similarity, or why there is none."""

    serializer_class = PoolOut
    queryset = Pool.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Pool]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = PoolListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return retrieval_reads.list_pools(project=project, run_id=asked.validated_data["run"])


class PoolApi(APIView):
    @extend_schema(responses=PoolOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        """What the newest run found for one image."""
        project = reviewing(user=request.user, slug=slug)
        return Response(PoolOut(retrieval_reads.get_pool(project=project, image_id=image_id)).data)


class NeighbourPictureApi(APIView):
    @extend_schema(responses=JPEG)
    def get(self, request: Request, slug: str, candidate_id: int) -> HttpResponse:
        """The corpus image that a candidate comes from, as a JPEG of at most 320 x 320 pixels."""
        project = reviewing(user=request.user, slug=slug)
        return _as_jpeg(retrieval_reads.get_lender(project=project, candidate_id=candidate_id))


@extend_schema(parameters=[SuspectListIn])
class SuspectListApi(ListAPIView):
    """Corpus images that may show an image of the project. They are not used until a person allows them."""

    serializer_class = SuspectOut
    queryset = Suspect.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Suspect]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = SuspectListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return retrieval_reads.list_suspects(project=project, **asked.validated_data)


class SuspectCountsApi(APIView):
    @extend_schema(responses=SuspectCountsOut)
    def get(self, request: Request, slug: str) -> Response:
        """The suspects by state: open, excluded or allowed."""
        project = reviewing(user=request.user, slug=slug)
        counts = retrieval_reads.count_suspects(project=project)
        by_cosine = retrieval_reads.count_open_by_cosine(project=project)
        return Response(SuspectCountsOut({**counts, "open_by_cosine": by_cosine}).data)


class SuspectsKeepOutApi(APIView):
    @extend_schema(request=KeepAllOutIn, responses=KeepAllOutOut)
    def post(self, request: Request, slug: str) -> Response:
        """Keep out all open suspects that look at least so much alike."""
        project = reviewing(user=request.user, slug=slug)
        sent = KeepAllOutIn(data=request.data)
        sent.is_valid(raise_exception=True)
        n = keep_all_out(project=project, decided_by=request.user, **sent.validated_data)
        return Response(KeepAllOutOut({"n_kept_out": n}).data)


class SuspectCsvApi(APIView):
    @extend_schema(parameters=[SuspectListIn], responses=CSV)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """The suspects as CSV, oldest first."""
        project = reviewing(user=request.user, slug=slug)
        asked = SuspectListIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        suspects = retrieval_reads.list_suspects(project=project, **asked.validated_data)
        rows = retrieval_reads.iter_suspect_rows(suspects)
        return csv_file(f"{slug}-suspects.csv", retrieval_reads.SUSPECT_COLUMNS, rows)


class SuspectDecisionApi(APIView):
    @extend_schema(request=SuspectDecisionIn, responses=SuspectOut)
    def post(self, request: Request, suspect_id: int) -> Response:
        """Exclude a suspect, allow its captions from the next run on, or undo the decision."""
        suspect = retrieval_reads.get_suspect(user=request.user, suspect_id=suspect_id)
        sent = SuspectDecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        decide_suspect(suspect=suspect, decided_by=request.user, **sent.validated_data)
        return Response(SuspectOut(retrieval_reads.get_suspect(user=request.user, suspect_id=suspect_id)).data)


class SuspectPictureApi(APIView):
    @extend_schema(responses=JPEG)
    def get(self, request: Request, suspect_id: int) -> HttpResponse:
        """The image of a suspect, as a JPEG of at most 320 x 320 pixels."""
        return _as_jpeg(retrieval_reads.get_suspect(user=request.user, suspect_id=suspect_id).neighbour)


def _as_jpeg(neighbour: Neighbour) -> HttpResponse:
    """A picture drawn here, which a browser may keep and nobody else may."""
    headers = {"Cache-Control": f"private, max-age={A_DAY}", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(read_small(neighbour), content_type="image/jpeg", headers=headers)
