"""Images and uploads over HTTP. Members look at images; curators send files and get at originals."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.catalogue import selectors, uploads
from backend.catalogue.models import Image, Upload
from backend.catalogue.serializers import ImageDetailOut, ImageOut, UploadIn, UploadOut
from backend.common.pagination import KeysetPagination
from backend.projects.models import Role
from backend.projects.selectors import belonging, curating, membership_of


class ImagePages(KeysetPagination):
    page_size = 60
    max_page_size = 200


class ImageListApi(ListAPIView):
    """A project's images in the order they came."""

    serializer_class = ImageOut
    pagination_class = ImagePages
    queryset = Image.objects.none()
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Image]:
        return selectors.list_images(project=belonging(user=self.request.user, slug=self.kwargs["slug"]))


class ImageApi(APIView):
    @extend_schema(responses=ImageDetailOut)
    def get(self, request: Request, slug: str, image_id: int) -> Response:
        membership = membership_of(user=request.user, slug=slug)
        image = selectors.get_image(project=membership.project, image_id=image_id)
        context = {"may_curate": Role(membership.role).may_curate}
        return Response(ImageDetailOut(image, context=context).data)


class UploadListApi(APIView):
    """Files for an import: send them, then start a run with `parameters: {upload: id}`."""

    parser_classes = [MultiPartParser]

    @extend_schema(responses=UploadOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """The uploads this project holds, newest first; there are few."""
        found = Upload.objects.filter(project=curating(user=request.user, slug=slug))
        return Response([_out(upload) for upload in found])

    @extend_schema(request={"multipart/form-data": UploadIn}, responses={201: UploadOut})
    def post(self, request: Request, slug: str) -> Response:
        project = curating(user=request.user, slug=slug)
        sent = UploadIn(data={"files": request.FILES.getlist("files")})
        sent.is_valid(raise_exception=True)
        upload = uploads.keep_upload(project=project, uploaded_by=request.user, files=sent.validated_data["files"])
        return Response(_out(upload), status=status.HTTP_201_CREATED)


class UploadApi(APIView):
    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, upload_id: UUID) -> Response:
        """Forget an upload and its files; what was imported from it stays."""
        project = curating(user=request.user, slug=slug)
        uploads.delete_upload(upload=selectors.get_upload(project=project, upload_id=upload_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _out(upload: Upload) -> dict[str, Any]:
    context = {"detected_layout": uploads.detect_layout(upload=upload)}
    return dict(UploadOut(upload, context=context).data)
