"""Judging over HTTP: every member of a project may, and each sees their own assignments only."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import selectors, services
from backend.annotation.models import Label
from backend.annotation.serializers import (
    AssignmentOut,
    AssignmentSubmitIn,
    AssignmentSubmitOut,
    JudgmentRevisionIn,
    JudgmentRevisionOut,
    NextAssignmentOut,
    ProgressOut,
    present_hit,
    present_next,
)
from backend.common.errors import InvalidInput
from backend.projects.selectors import belonging

KEY_LENGTH = 80
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description=f"Your own name for this submit, up to {KEY_LENGTH} plain characters: again, it gets the same answer.",
)


class AssignmentNextApi(APIView):
    """The page you hold, or else the next one that needs you."""

    @extend_schema(request=None, responses=NextAssignmentOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        found = services.lease_next(project=project, annotator=request.user)
        return Response(NextAssignmentOut(present_next(found)).data)


class AssignmentApi(APIView):
    @extend_schema(responses=AssignmentOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentOut(present_hit(selectors.get_shown(assignment=assignment))).data)


class AssignmentSubmitApi(APIView):
    """Every position judged once. Late is fine as long as nobody has taken the page over."""

    @extend_schema(request=AssignmentSubmitIn, responses=AssignmentSubmitOut, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = AssignmentSubmitIn(data=request.data)
        sent.is_valid(raise_exception=True)
        submitted = services.submit_assignment(
            assignment=assignment, idempotency_key=_idempotency_key(request), **sent.validated_data
        )
        answer = {
            "submitted_at": submitted.submitted_at,
            "next": present_hit(submitted.next.shown),
            "reason": submitted.next.reason,
        }
        return Response(AssignmentSubmitOut(answer).data)


class AssignmentReturnApi(APIView):
    """Give the page back unjudged, for others to take."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        services.return_assignment(assignment=assignment)
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgmentRevisionApi(APIView):
    """A change of mind after the submit: a new judgment that supersedes the one at this position."""

    @extend_schema(request=JudgmentRevisionIn, responses={201: JudgmentRevisionOut})
    def post(self, request: Request, assignment_id: UUID, position: int) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = JudgmentRevisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        label = Label(sent.validated_data["label"])
        judgment = services.revise_judgment(
            assignment=assignment, position=position, label=label, ms=sent.validated_data.get("ms")
        )
        return Response(JudgmentRevisionOut(judgment).data, status=status.HTTP_201_CREATED)


class ProgressApi(APIView):
    """How far you are, and how far the project is."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(ProgressOut(selectors.get_progress(project=project, user=request.user)).data)


def _idempotency_key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if 0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable():
        return key
    raise InvalidInput(
        f"Send an Idempotency-Key header of 1 to {KEY_LENGTH} plain characters: a repeated submit is then stored once.",
        code="idempotency_key_needed",
    )
