"""The gallery over HTTP, for curators and head annotators."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates.serializers import ImageCountsIn
from backend.catalogue.models import Image
from backend.catalogue.serializers import ImageOut
from backend.common.pagination import TiedKeysetPagination
from backend.curation.gallery import KEYSETS, list_gallery, read_marks
from backend.curation.gallery_serializers import GalleryIn, ImageMarksOut
from backend.projects.selectors import reviewing


class GalleryPages(TiedKeysetPagination):
    page_size = 60
    max_page_size = 200


class GalleryApi(ListAPIView):
    """The images of the project that have these words and this state, in an order."""

    serializer_class = ImageOut
    pagination_class = GalleryPages
    queryset = Image.objects.none()

    @extend_schema(parameters=[GalleryIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @property
    def keyset(self) -> tuple[str, ...]:
        return KEYSETS[self._asked()["sort"]]

    def get_queryset(self) -> QuerySet[Image]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return list_gallery(project=project, **self._asked())

    def _asked(self) -> dict[str, Any]:
        asked = GalleryIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return dict(asked.validated_data)


class ImageMarksApi(APIView):
    """The chosen and disputed captions and the submitted assignments of some images."""

    @extend_schema(parameters=[ImageCountsIn], responses=ImageMarksOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        asked = ImageCountsIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = read_marks(project=project, image_ids=asked.validated_data["images"])
        return Response(ImageMarksOut(found, many=True).data)
