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
        """An image's pool, narrowed and sorted as asked."""
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
        """Add a caption by hand; it is kept however short it is."""
        project = reviewing(user=request.user, slug=slug)
        sent = CandidateIn(data=request.data)
        sent.is_valid(raise_exception=True)
        image = get_image(project=project, image_id=image_id)
        added = services.add_candidate(image=image, text=sent.validated_data["text"], added_by=request.user)
        return Response(_out(project, added.pk), status=status.HTTP_201_CREATED)


def _out(project: Project, candidate_id: int) -> dict[str, Any]:
    return dict(CandidateOut(selectors.get_candidate(project=project, candidate_id=candidate_id)).data)


class PoolSummaryApi(APIView):
    """What an image's pool holds by source, rule and flag, and which images come before and after it."""

    @extend_schema(responses=PoolSummaryOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(PoolSummaryOut(funnel.summarise_pool(project=project, image_id=image_id)).data)


class CandidateRestoreApi(APIView):
    @extend_schema(request=DecisionIn, responses=CandidateOut)
    def post(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Keep a candidate that a rule or a person dropped; cleaning leaves it alone from then on."""
        project = reviewing(user=request.user, slug=slug)
        sent = DecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        candidate = selectors.get_candidate(project=project, candidate_id=candidate_id)
        services.restore_candidate(candidate=candidate, decided_by=request.user, **sent.validated_data)
        return Response(_out(project, candidate_id))


class CandidateDropApi(APIView):
    @extend_schema(request=DecisionIn, responses=CandidateOut)
    def post(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Drop a candidate by hand, with a reason or without; cleaning leaves it alone from then on."""
        project = reviewing(user=request.user, slug=slug)
        sent = DecisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        candidate = selectors.get_candidate(project=project, candidate_id=candidate_id)
        services.drop_candidate(candidate=candidate, decided_by=request.user, **sent.validated_data)
        return Response(_out(project, candidate_id))


class FunnelApi(APIView):
    """How many candidates each rule of cleaning dropped, mended or flagged, by source."""

    @extend_schema(responses=FunnelOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(FunnelOut(funnel.read_funnel(project=project)).data)


class FunnelExamplesApi(ListAPIView):
    """Captions that a rule dropped, mended or flagged (or `kept_by_hand`), oldest first, with what the rule saw.

    A page of a mending rule may hold fewer than asked for, or none, and still have a next one.
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
    """How many candidates each image of a page has, and how many are kept: one request beside a page of the gallery."""

    @extend_schema(parameters=[ImageCountsIn], responses=ImageCountsOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        asked = ImageCountsIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        counts = selectors.count_by_image(project=project, image_ids=asked.validated_data["images"])
        return Response(ImageCountsOut(counts, many=True).data)


class WebTitlesEstimateApi(APIView):
    """How many images the web titles stage would look up, and what that costs, before anything is sent."""

    @extend_schema(responses=WebTitlesEstimateOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(WebTitlesEstimateOut(estimate_web_titles(project=project)).data)
