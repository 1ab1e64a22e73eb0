"""Candidates over HTTP, for the curator and the head annotator: annotators see captions in their HITs alone."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates import selectors
from backend.candidates.models import Candidate
from backend.candidates.serializers import (
    CandidateListIn,
    CandidateOut,
    ImageCountsIn,
    ImageCountsOut,
    WebTitlesEstimateOut,
)
from backend.candidates.web_titles import estimate_web_titles
from backend.projects.selectors import reviewing


@extend_schema(parameters=[CandidateListIn])
class CandidateListApi(ListAPIView):
    """One image's candidates with where each came from and, where it was dropped, by which rule."""

    serializer_class = CandidateOut
    queryset = Candidate.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Candidate]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = CandidateListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_candidates(project=project, image_id=self.kwargs["image_id"], **asked.validated_data)


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
