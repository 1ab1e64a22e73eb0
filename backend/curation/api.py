"""What people agreed on, image by image; for curators and head annotators."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.curation import selectors
from backend.curation.models import Consensus
from backend.curation.serializers import NOT_SELECTED, ConsensusSummaryOut, SelectionOut, VotesOut
from backend.projects.selectors import reviewing


class SelectionApi(APIView):
    """The diverse captions chosen for an image."""

    @extend_schema(responses=SelectionOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        image = selectors.get_image(project=project, image_id=image_id)
        selection = selectors.get_selection(image=image)
        return Response(SelectionOut(selection).data if selection else NOT_SELECTED)


class ConsensusSummaryApi(APIView):
    """Pairs by their label in the last Consensus, under all three readings of `unsure`."""

    @extend_schema(responses=ConsensusSummaryOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(ConsensusSummaryOut(selectors.get_summary(project=project)).data)


class VotesListApi(ListAPIView):
    """The consensus on every judged caption of an image."""

    serializer_class = VotesOut
    keyset = ("candidate_id",)

    def get_queryset(self) -> QuerySet[Consensus]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        image = selectors.get_image(project=project, image_id=self.kwargs["image_id"])
        return selectors.list_votes(image=image)
