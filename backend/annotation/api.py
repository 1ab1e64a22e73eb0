"""Judging over HTTP: every member of a project may, and each sees their own assignments only."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import selectors
from backend.annotation.leases import keep_lease, lease_next
from backend.annotation.models import SkipReason
from backend.annotation.pages import preview_hit, show_assignment
from backend.annotation.progress import get_progress
from backend.annotation.returns import return_assignment, skip_assignment
from backend.annotation.revisions import revise_judgment
from backend.annotation.serializers import (
    AssignmentHeartbeatOut,
    AssignmentNextIn,
    AssignmentOut,
    AssignmentSkipIn,
    AssignmentSubmitIn,
    AssignmentSubmitOut,
    HitPreviewIn,
    HitPreviewOut,
    JudgmentRevisionIn,
    JudgmentRevisionOut,
    MyStateOut,
    NextAssignmentOut,
    ProgressOut,
    judged_of,
    present_hit,
    present_next,
    present_preview,
    present_submitted,
)
from backend.annotation.submissions import submit_assignment
from backend.common.errors import InvalidInput
from backend.projects.selectors import belonging, reviewing

KEY_LENGTH = 80
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description=f"Your own name for this submit, up to {KEY_LENGTH} plain characters: again, it gets the same answer.",
)


class AssignmentNextApi(APIView):
    """The page you hold, or else the next one that needs you; with `holding`, one more to look forward to."""

    @extend_schema(request=AssignmentNextIn, responses=NextAssignmentOut)
    def post(self, request: Request, slug: str) -> Response:
        project = selectors.get_workplace(user=request.user, slug=slug)
        sent = AssignmentNextIn(data=request.data)
        sent.is_valid(raise_exception=True)
        found = lease_next(project=project, annotator=request.user, **sent.validated_data)
        return Response(NextAssignmentOut(present_next(found)).data)


class AssignmentApi(APIView):
    @extend_schema(responses=AssignmentOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentOut(present_hit(show_assignment(assignment))).data)


class AssignmentSubmitApi(APIView):
    """Every position judged once. Late is fine: it counts unless somebody has taken the page over."""

    @extend_schema(request=AssignmentSubmitIn, responses=AssignmentSubmitOut, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = AssignmentSubmitIn(data=request.data)
        sent.is_valid(raise_exception=True)
        key = _idempotency_key(request)
        submitted = submit_assignment(assignment=assignment, idempotency_key=key, **sent.validated_data)
        return Response(AssignmentSubmitOut(present_submitted(submitted)).data)


class AssignmentHeartbeatApi(APIView):
    """You are still at it: the lease time begins anew."""

    @extend_schema(request=None, responses=AssignmentHeartbeatOut)
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentHeartbeatOut({"expires_at": keep_lease(assignment=assignment)}).data)


class AssignmentReturnApi(APIView):
    """Give the page back unjudged, for others to take."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return_assignment(assignment=assignment)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AssignmentSkipApi(APIView):
    """Leave the page unjudged and say why."""

    @extend_schema(request=AssignmentSkipIn, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = AssignmentSkipIn(data=request.data)
        sent.is_valid(raise_exception=True)
        said = sent.validated_data
        skip_assignment(
            assignment=assignment,
            reason=SkipReason(said["reason"]),
            comment=said["comment"],
            comes_back=said["to"] == "me",
        )
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgmentRevisionApi(APIView):
    """A change of mind after the submit: a new judgment that supersedes the one at this position."""

    @extend_schema(request=JudgmentRevisionIn, responses={201: JudgmentRevisionOut})
    def post(self, request: Request, assignment_id: UUID, position: int) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = JudgmentRevisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        judgment = revise_judgment(assignment=assignment, judged=judged_of(position, sent.validated_data))
        return Response(JudgmentRevisionOut(judgment).data, status=status.HTTP_201_CREATED)


class MyStateApi(APIView):
    """Where you stand on the project, and why."""

    @extend_schema(responses=MyStateOut)
    def get(self, request: Request, slug: str) -> Response:
        project = selectors.get_workplace(user=request.user, slug=slug)
        annotator_state = selectors.annotator_state_of(project=project, user=request.user)
        return Response(MyStateOut(annotator_state).data)


class HitPreviewApi(APIView):
    """A HIT as annotators see it, for curators and head annotators: nobody holds it, and no answer can be sent."""

    @extend_schema(parameters=[HitPreviewIn], responses=HitPreviewOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = HitPreviewIn(data=request.query_params)
        sent.is_valid(raise_exception=True)
        found = preview_hit(project=project, **sent.validated_data)
        return Response(HitPreviewOut(present_preview(found, project=project)).data)


class ProgressApi(APIView):
    """How far you are, and how far the project is."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(ProgressOut(get_progress(project=project, user=request.user)).data)


def _idempotency_key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if 0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable():
        return key
    raise InvalidInput(
        "Send an Idempotency-Key header with 1 to {most} ASCII characters. The server then stores a repeat only once.",
        code="idempotency_key_needed",
        params={"most": KEY_LENGTH},
    )
