"""Candidates over HTTP, for the curator and the head annotator: annotators see captions in their HITs alone."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates import funnel, selectors, services
from backend.candidates.models import Candidate
from backend.candidates.serializers import (
    CandidateIn,
    CandidateListIn,
    CandidateOut,
    CandidateSortIn,
    DecisionIn,
    ExampleListIn,
    ExampleOut,
    FunnelOut,
    ImageCountsIn,
    ImageCountsOut,
    PoolSummaryOut,
    WebTitlesEstimateOut,
)
from backend.candidates.web_titles import estimate_web_titles
from backend.catalogue.selectors import get_image
from backend.common.pagination import TiedKeysetPagination
from backend.projects.models import Project
from backend.projects.selectors import reviewing


class CandidateListApi(ListAPIView):
    """One image's candidates with where each came from and, where it was dropped, by which rule."""

    serializer_class = CandidateOut
    pagination_class = TiedKeysetPagination
    queryset = Candidate.objects.none()

    @extend_schema(parameters=[CandidateListIn, CandidateSortIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The candidates of an image. The query can filter and sort them."""
        return super().get(request, *args, **kwargs)

    @property
    def keyset(self) -> tuple[str, ...]:
        asked = CandidateSortIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.SORTS[asked.validated_data["sort"]]

    def get_queryset(self) -> QuerySet[Candidate]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = CandidateListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_candidates(project=project, image_id=self.kwargs["image_id"], **asked.validated_data)

    @extend_schema(request=CandidateIn, responses={201: CandidateOut})
    def post(self, request: Request, slug: str, image_id: int) -> Response:
        """Add a caption by hand. Cleaning keeps it, also if it is short."""
        project = reviewing(user=request.user, slug=slug)
        sent = CandidateIn(data=request.data)
        sent.is_valid(raise_exception=True)
        image = get_image(project=project, image_id=image_id)
        added = services.add_candidate(image=image, text=sent.validated_data["text"], added_by=request.user)
        return Response(_out(project, added.pk), status=status.HTTP_201_CREATED)


def _out(project: Project, candidate_id: int) -> dict[str, Any]:
    return dict(CandidateOut(selectors.get_candidate(project=project, candidate_id=candidate_id)).data)


class PoolSummaryApi(APIView):
    """The candidates of an image by source, rule and flag, and the image before and after it."""

    @extend_schema(responses=PoolSummaryOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(PoolSummaryOut(funnel.summarise_pool(project=project, image_id=image_id)).data)


class CandidateRestoreApi(APIView):
    @extend_schema(request=DecisionIn, responses=CandidateOut)
    def post(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Keep a candidate that a rule or a person removed. Cleaning does not change it after that."""
        project = reviewing(user=request.user, slug=slug)
        sent = DecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        candidate = selectors.get_candidate(project=project, candidate_id=candidate_id)
        services.restore_candidate(candidate=candidate, decided_by=request.user, **sent.validated_data)
        return Response(_out(project, candidate_id))


class CandidateDropApi(APIView):
    @extend_schema(request=DecisionIn, responses=CandidateOut)
    def post(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Remove a candidate by hand, with or without a reason. Cleaning does not change it after that."""
        project = reviewing(user=request.user, slug=slug)
        sent = DecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        candidate = selectors.get_candidate(project=project, candidate_id=candidate_id)
        services.drop_candidate(candidate=candidate, decided_by=request.user, **sent.validated_data)
        return Response(_out(project, candidate_id))


class FunnelApi(APIView):
    """Candidates that each cleaning rule removed, repaired or flagged, by source."""

    @extend_schema(responses=FunnelOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(FunnelOut(funnel.read_funnel(project=project)).data)


class FunnelExamplesApi(ListAPIView):
    """Captions that a rule removed, repaired or flagged (or `kept_by_hand`), oldest first, with what it found.

    A page of a rule that repairs may have fewer rows than `limit`, or none, and still have a next page.
    """

    serializer_class = ExampleOut
    queryset = Candidate.objects.none()
    keyset = ("id",)

    @extend_schema(parameters=[ExampleListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Candidate]:
        self.project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = ExampleListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return funnel.list_affected(project=self.project, rule=self.kwargs["rule"], **asked.validated_data)

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        return page and funnel.explain(project=self.project, rule=self.kwargs["rule"], candidates=list(page))


class ImageCountsApi(APIView):
    """The number of candidates and of kept candidates of each image of a gallery page."""

    @extend_schema(parameters=[ImageCountsIn], responses=ImageCountsOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        asked = ImageCountsIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        counts = selectors.count_by_image(project=project, image_ids=asked.validated_data["images"])
        return Response(ImageCountsOut(counts, many=True).data)


class WebTitlesEstimateApi(APIView):
    """The number of images that the stage Web titles would send, and the price. Nothing is sent."""

    @extend_schema(responses=WebTitlesEstimateOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(WebTitlesEstimateOut(estimate_web_titles(project=project)).data)
