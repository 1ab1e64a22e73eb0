"""The overview of a project over HTTP, for its curators and head annotators."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.projects.selectors import reviewing
from backend.reports.overview import get_overview
from backend.reports.overview_serializers import OverviewOut, present_overview


class OverviewApi(APIView):
    """How far the project is, how good its answers are, and what waits. All figures come from stored counters."""

    @extend_schema(responses=OverviewOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(OverviewOut(present_overview(get_overview(project=project, reader=request.user))).data)
