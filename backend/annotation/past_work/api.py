"""My past work over HTTP: everybody sees their own and nobody else's."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import selectors
from backend.annotation.models import Assignment
from backend.annotation.past_work import reading as past_work
from backend.annotation.past_work.serializers import PastHitOut, present_past
from backend.common.pagination import KeysetPagination


class PastWorkPagination(KeysetPagination):
    page_size = 20
    max_page_size = 100


class PastWorkApi(ListAPIView):
    """The HITs you submitted, newest first, as you saw them, with what you say of each item today."""

    serializer_class = PastHitOut
    pagination_class = PastWorkPagination
    keyset = ("-submitted_at", "-id")
    queryset = Assignment.objects.none()

    def get_queryset(self) -> QuerySet[Assignment]:
        project = selectors.get_workplace(user=self.request.user, slug=self.kwargs["slug"])
        return past_work.list_past(project=project, user=self.request.user)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        found = [present_past(past) for past in past_work.show_past(assignments=page)]
        return self.get_paginated_response(PastHitOut(found, many=True).data)


class PastHitApi(APIView):
    """One of them. What is closed says by whom and when; the rest can be changed by position."""

    @extend_schema(responses=PastHitOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        past = past_work.get_past(user=request.user, assignment_id=assignment_id)
        return Response(PastHitOut(present_past(past)).data)
