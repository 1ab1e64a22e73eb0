"""Annotate over HTTP. Members of a project see their own assignments only."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import drafts, selectors, shown_hits
from backend.annotation.leases import keep_lease, lease_next, return_assignment, skip_assignment
from backend.annotation.models import Assignment, SkipReason
from backend.annotation.serializers import (
    AssignmentDraftOut,
    AssignmentHeartbeatOut,
    AssignmentNextIn,
    AssignmentOut,
    AssignmentSkipIn,
    AssignmentSubmitIn,
    AssignmentSubmitOut,
    AssignmentSuggestionsOut,
    DraftIO,
    HitPreviewIn,
    HitPreviewOut,
    JudgmentRevisionIn,
    JudgmentRevisionOut,
    MyStateOut,
    NextAssignmentOut,
    PastHitOut,
    ProgressOut,
    judged_of,
    present_hit,
    present_next,
    present_past,
    present_preview,
    present_submitted,
)
from backend.annotation.submissions import revise_judgment, submit_assignment
from backend.common.errors import InvalidInput
from backend.common.pagination import KeysetPagination
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
    """The assignment that you have, or the next one; with `holding`, one more."""

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
        """One of your open assignments."""
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentOut(present_hit(shown_hits.show_assignment(assignment))).data)


class AssignmentSubmitApi(APIView):
    """Answer every position once. A late answer counts if the slot is still free."""

    @extend_schema(request=AssignmentSubmitIn, responses=AssignmentSubmitOut, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = AssignmentSubmitIn(data=request.data)
        sent.is_valid(raise_exception=True)
        key = _idempotency_key(request)
        submitted = submit_assignment(assignment=assignment, idempotency_key=key, **sent.validated_data)
        return Response(AssignmentSubmitOut(present_submitted(submitted)).data)


class AssignmentHeartbeatApi(APIView):
    """Start the lease time again."""

    @extend_schema(request=None, responses=AssignmentHeartbeatOut)
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentHeartbeatOut({"expires_at": keep_lease(assignment=assignment)}).data)


class AssignmentReturnApi(APIView):
    """Return the assignment without answers."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return_assignment(assignment=assignment)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AssignmentSkipApi(APIView):
    """Skip the assignment and say why."""

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
    """Change a submitted answer: a new judgment supersedes the one at this position."""

    @extend_schema(request=JudgmentRevisionIn, responses={201: JudgmentRevisionOut})
    def post(self, request: Request, assignment_id: UUID, position: int) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = JudgmentRevisionIn(data=request.data)
        sent.is_valid(raise_exception=True)
        judgment = revise_judgment(assignment=assignment, judged=judged_of(position, sent.validated_data))
        return Response(JudgmentRevisionOut(judgment).data, status=status.HTTP_201_CREATED)


class MyStateApi(APIView):
    """Your status in the project, and why."""

    @extend_schema(responses=MyStateOut)
    def get(self, request: Request, slug: str) -> Response:
        project = selectors.get_workplace(user=request.user, slug=slug)
        annotator_state = selectors.annotator_state_of(project=project, user=request.user)
        return Response(MyStateOut(annotator_state).data)


class HitPreviewApi(APIView):
    """A HIT as annotators see it, for curators and head annotators. It cannot be answered."""

    @extend_schema(parameters=[HitPreviewIn], responses=HitPreviewOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        sent = HitPreviewIn(data=request.query_params)
        sent.is_valid(raise_exception=True)
        found = shown_hits.preview_hit(project=project, **sent.validated_data)
        return Response(HitPreviewOut(present_preview(found, project=project)).data)


class ProgressApi(APIView):
    """What you and all annotators have done in the project."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(ProgressOut(selectors.get_progress(project=project, user=request.user)).data)


class PastWorkPagination(KeysetPagination):
    page_size = 20
    max_page_size = 100


class PastWorkApi(ListAPIView):
    """The HITs you submitted, newest first, as you saw them, with your newest answers."""

    serializer_class = PastHitOut
    pagination_class = PastWorkPagination
    keyset = ("-submitted_at", "-id")
    queryset = Assignment.objects.none()

    def get_queryset(self) -> QuerySet[Assignment]:
        project = selectors.get_workplace(user=self.request.user, slug=self.kwargs["slug"])
        return shown_hits.list_past(project=project, user=self.request.user)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        found = [present_past(past) for past in shown_hits.show_past(assignments=page)]
        return self.get_paginated_response(PastHitOut(found, many=True).data)


class PastHitApi(APIView):
    """One of them. You can change the answers that are not closed."""

    @extend_schema(responses=PastHitOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        past = shown_hits.get_past(user=request.user, assignment_id=assignment_id)
        return Response(PastHitOut(present_past(past)).data)


class AssignmentSuggestionsApi(APIView):
    """Suggested edits for the captions of your assignment. None is applied automatically."""

    @extend_schema(responses=AssignmentSuggestionsOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        found = shown_hits.suggestions_of(assignment=assignment)
        items = [{"position": at, "suggestions": suggestions} for at, suggestions in enumerate(found, start=1)]
        return Response(AssignmentSuggestionsOut({"items": items}).data)


class AssignmentDraftApi(APIView):
    @extend_schema(responses=AssignmentDraftOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Your unfinished answers, from any computer."""
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentDraftOut({"draft": drafts.get_draft(assignment=assignment)}).data)

    @extend_schema(request=DraftIO, responses={204: None})
    def put(self, request: Request, assignment_id: UUID) -> Response:
        """Store your unfinished answers. An older draft does not replace a newer one."""
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = DraftIO(data=request.data)
        sent.is_valid(raise_exception=True)
        drafts.save_draft(assignment=assignment, **sent.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _idempotency_key(request: Request) -> str:
    key = request.headers.get("Idempotency-Key", "").strip()
    if 0 < len(key) <= KEY_LENGTH and key.isascii() and key.isprintable():
        return key
    raise InvalidInput(
        "Send an Idempotency-Key header with 1 to {most} ASCII characters. The server then stores a repeat only once.",
        code="idempotency_key_needed",
        params={"most": KEY_LENGTH},
    )
