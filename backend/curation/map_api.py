"""The map of a project's images and captions over HTTP, for its reviewers."""

from __future__ import annotations

import json

from django.http import HttpResponse, HttpResponseNotModified
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates.serializers import ImageCountsIn
from backend.curation import maps
from backend.curation.map_serializers import MapColumnsOut, MapOut, MapThumbnailOut
from backend.projects.selectors import reviewing

SAME_POINTS = OpenApiResponse(description="`If-None-Match` names these points: nothing is sent again.")
IF_NONE_MATCH = OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER, description="The ETag of points held.")
BINARY = "application/octet-stream"


class MapApi(APIView):
    @extend_schema(responses=MapOut)
    def get(self, request: Request, slug: str) -> Response:
        """The map that the stage `map_captions` made last, if any, and the newest run of this stage."""
        project = reviewing(user=request.user, slug=slug)
        found = {"map": maps.find_map(project=project), "run": maps.find_map_run(project=project)}
        return Response(MapOut(found).data)


class MapPointsApi(APIView):
    @extend_schema(
        operation_id="map_points",
        parameters=[IF_NONE_MATCH],
        responses={(200, BINARY): OpenApiTypes.BINARY, 304: SAME_POINTS},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Where every image and caption lies, in bytes as methods/map_points.py packs them."""
        project = reviewing(user=request.user, slug=slug)
        found = maps.find_map(project=project)
        headers = {"Cache-Control": "private, no-cache"}
        if found is not None:
            headers["ETag"] = f'"{found.digest}"'
            if headers["ETag"] in request.headers.get("If-None-Match", ""):
                return HttpResponseNotModified(headers=headers)
        packed = bytes(maps.get_map(project=project).points)
        return HttpResponse(packed, content_type=BINARY, headers=headers)


class MapColumnsApi(APIView):
    @extend_schema(operation_id="map_columns", responses=MapColumnsOut)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What is known now of every point. It is one answer of some megabytes, so no serializer goes through it."""
        found = maps.get_map(project=reviewing(user=request.user, slug=slug))
        columns = vars(maps.read_columns(caption_map=found)) | {"digest": found.digest}
        for kind in ("image_columns", "caption_columns"):
            columns[kind] = [vars(column) for column in columns[kind]]
        return HttpResponse(json.dumps(columns, ensure_ascii=False), content_type="application/json")


class MapThumbnailsApi(APIView):
    @extend_schema(operation_id="map_thumbnails", parameters=[ImageCountsIn], responses=MapThumbnailOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Small thumbnails of the images that a part of the map shows."""
        project = reviewing(user=request.user, slug=slug)
        asked = ImageCountsIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = maps.list_map_images(project=project, image_ids=asked.validated_data["images"])
        return Response(MapThumbnailOut(found, many=True).data)
