"""The selection of captions over HTTP, for curators and head annotators."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.pagination import TiedKeysetPagination
from backend.curation import choosing, selection_reads
from backend.curation.models import Selection
from backend.curation.selection_serializers import (
    CaptionChoiceIn,
    CaptionChoiceOut,
    CaptionSpaceOut,
    SelectionListIn,
    SelectionRowOut,
    SelectionSummaryOut,
)
from backend.curation.selectors import get_image
from backend.projects.selectors import curating, reviewing
from backend.runs.selectors import with_refusals
from backend.runs.serializers import RunOut


class SelectionSummaryApi(APIView):
    @extend_schema(responses=SelectionSummaryOut)
    def get(self, request: Request, slug: str) -> Response:
        """How many images are selected, how many have too few good captions, and which run chose."""
        project = reviewing(user=request.user, slug=slug)
        return Response(SelectionSummaryOut(selection_reads.get_selection_summary(project=project)).data)


@extend_schema(parameters=[SelectionListIn])
class SelectionListApi(ListAPIView):
    """The images that Select looked at, with the captions that it chose."""

    serializer_class = SelectionRowOut
    queryset = Selection.objects.none()
    pagination_class = TiedKeysetPagination

    @property
    def keyset(self) -> tuple[str, ...]:
        return selection_reads.ORDERS[self._asked()["order"]]

    def get_queryset(self) -> QuerySet[Selection]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return selection_reads.list_selections(project=project, **self._asked())

    def _asked(self) -> dict[str, str]:
        asked = SelectionListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)


class ShortPoolsMoreApi(APIView):
    @extend_schema(request=None, responses={201: RunOut})
    def post(self, request: Request, slug: str) -> Response:
        """Start Find captions for the images with too few good captions; it searches further than the last time."""
        project = curating(user=request.user, slug=slug)
        run = choosing.ask_for_more(project=project, started_by=request.user)
        return Response(RunOut(with_refusals(run=run)).data, status=status.HTTP_201_CREATED)


class CaptionSpaceApi(APIView):
    @extend_schema(responses=CaptionSpaceOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        """The good captions of an image on a plane, with their clusters and the chosen ones."""
        project = reviewing(user=request.user, slug=slug)
        image = get_image(project=project, image_id=image_id)
        return Response(CaptionSpaceOut(selection_reads.get_caption_space(image=image)).data)


class CaptionChoiceApi(APIView):
    @extend_schema(responses=CaptionChoiceOut(many=True))
    def get(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Every pin and ban of a caption, newest first."""
        project = reviewing(user=request.user, slug=slug)
        candidate = selection_reads.get_candidate(project=project, candidate_id=candidate_id)
        return Response(CaptionChoiceOut(selection_reads.list_choices(candidate=candidate), many=True).data)

    @extend_schema(request=CaptionChoiceIn, responses=CaptionChoiceOut)
    def put(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Pin a caption, so that Select always chooses it, or ban it. The next Select reads this."""
        project = reviewing(user=request.user, slug=slug)
        sent = CaptionChoiceIn(data=request.data)
        sent.is_valid(raise_exception=True)
        candidate = selection_reads.get_candidate(project=project, candidate_id=candidate_id)
        made = choosing.choose_caption(candidate=candidate, made_by=request.user, **sent.validated_data)
        return Response(CaptionChoiceOut(made).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, candidate_id: int) -> Response:
        """Take back the pin or ban of a caption."""
        project = reviewing(user=request.user, slug=slug)
        candidate = selection_reads.get_candidate(project=project, candidate_id=candidate_id)
        choosing.take_back_choice(candidate=candidate, made_by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
