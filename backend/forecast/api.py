"""What is left to do, for the head annotator and the curator."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.forecast.checklist import get_checklist
from backend.forecast.serializers import BuildChecklistOut, ForecastOut
from backend.forecast.services import look
from backend.projects.selectors import reviewing


class ForecastApi(APIView):
    """The judgments, HITs, hours and money that the project still needs, each with an interval."""

    @extend_schema(responses=ForecastOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(ForecastOut(look(project=project)).data)


class BuildChecklistApi(APIView):
    @extend_schema(operation_id="build_checklist", responses=BuildChecklistOut)
    def get(self, request: Request, slug: str) -> Response:
        """What to look at before tasks are built, each line with its page."""
        items = get_checklist(project=reviewing(user=request.user, slug=slug))
        is_clear = all(item.state != "warning" for item in items)
        return Response(BuildChecklistOut({"items": items, "is_clear": is_clear}).data)
