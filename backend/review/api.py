"""Verdicts over HTTP: for curators and head annotators."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.labels import Label
from backend.projects.selectors import reviewing
from backend.review import selectors, services
from backend.review.models import Verdict
from backend.review.serializers import VerdictIn, VerdictListIn, VerdictOut


@extend_schema(parameters=[VerdictListIn])
class VerdictListApi(ListAPIView):
    """Decisions of head annotators, newest first. The newest of a pair counts."""

    serializer_class = VerdictOut
    queryset = Verdict.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Verdict]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = VerdictListIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return selectors.list_verdicts(project=project, candidate_id=asked.validated_data["candidate"])

    @extend_schema(request=VerdictIn, responses={201: VerdictOut}, parameters=[])
    def post(self, request: Request, slug: str) -> Response:
        """Decide a pair, above the votes, from the next consensus on. `label` null removes the decision."""
        project = reviewing(user=request.user, slug=slug)
        sent = VerdictIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        verdict = services.record_verdict(
            project=project,
            candidate_id=said["candidate"],
            label=Label(said["label"]) if said["label"] else None,
            reason=said["reason"],
            decided_by=request.user,
        )
        return Response(VerdictOut(verdict).data, status=status.HTTP_201_CREATED)
