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

from backend.annotation import drafts, past_work, selectors, shown_hits
from backend.annotation.answers import Judged
from backend.annotation.leases import keep_lease, lease_next, return_assignment, skip_assignment
from backend.annotation.models import DONE, Assignment
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
    OwnDaysOut,
    PastHitOut,
    PastWorkIn,
    ProgressOut,
)
from backend.annotation.submissions import revise_judgment, submit_assignment
from backend.common.errors import InvalidInput, NotFound
from backend.common.pagination import KeysetPagination
from backend.common.serializers import presented, validated
from backend.projects.selectors import belonging, reviewing

KEY_LENGTH = 80
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description=f"Your own name for this submit, up to {KEY_LENGTH} plain characters: again, it gets the same answer.",
)


class OwnAssignmentApi(APIView):
    def get_assignment(self) -> Assignment:
        return selectors.get_assignment(user=self.request.user, assignment_id=self.kwargs["assignment_id"])


class AssignmentNextApi(APIView):
    """The assignment that you have, or the next one; with `holding`, one more."""

    @extend_schema(request=AssignmentNextIn, responses=NextAssignmentOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = validated(AssignmentNextIn, request.data)
        found = lease_next(project=project, annotator=request.user, **sent)
        return Response(presented(NextAssignmentOut, found))


class AssignmentApi(OwnAssignmentApi):
    @extend_schema(responses=AssignmentOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """One of your open assignments."""
        [shown] = shown_hits.show_assignments([self.get_assignment()])
        return Response(AssignmentOut(shown).data)


class AssignmentSubmitApi(OwnAssignmentApi):
    """Answer every position once. A late answer counts if the slot is still free."""

    @extend_schema(request=AssignmentSubmitIn, responses=AssignmentSubmitOut, parameters=[IDEMPOTENCY_KEY])
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = self.get_assignment()
        sent = validated(AssignmentSubmitIn, request.data)
        key = _idempotency_key(request)
        submitted = submit_assignment(assignment=assignment, idempotency_key=key, **sent)
        return Response(presented(AssignmentSubmitOut, submitted))


class AssignmentHeartbeatApi(OwnAssignmentApi):
    """Start the lease time again."""

    @extend_schema(request=None, responses=AssignmentHeartbeatOut)
    def post(self, request: Request, assignment_id: UUID) -> Response:
        until = keep_lease(assignment=self.get_assignment())
        return Response(AssignmentHeartbeatOut({"expires_at": until}).data)


class AssignmentReturnApi(OwnAssignmentApi):
    """Return the assignment without answers."""

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        return_assignment(assignment=self.get_assignment())
        return Response(status=status.HTTP_204_NO_CONTENT)


class AssignmentSkipApi(OwnAssignmentApi):
    """Skip the assignment and say why."""

    @extend_schema(request=AssignmentSkipIn, responses={204: None})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        assignment = self.get_assignment()
        sent = validated(AssignmentSkipIn, request.data)
        skip_assignment(assignment=assignment, comes_back=sent.pop("to") == "me", **sent)
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgmentRevisionApi(OwnAssignmentApi):
    """Change a submitted answer: a new judgment supersedes the one at this position."""

    @extend_schema(request=JudgmentRevisionIn, responses={201: JudgmentRevisionOut})
    def post(self, request: Request, assignment_id: UUID, position: int) -> Response:
        assignment = self.get_assignment()
        judged = Judged(position=position, **validated(JudgmentRevisionIn, request.data))
        judgment = revise_judgment(assignment=assignment, judged=judged)
        return Response(JudgmentRevisionOut(judgment).data, status=status.HTTP_201_CREATED)


class MyStateApi(APIView):
    """Your status in the project, and why."""

    @extend_schema(responses=MyStateOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(MyStateOut(selectors.annotator_state_of(project=project, user=request.user)).data)


class HitPreviewApi(APIView):
    """A HIT as annotators see it, for curators and head annotators. It cannot be answered."""

    @extend_schema(parameters=[HitPreviewIn], responses=HitPreviewOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        hit = shown_hits.preview_hit(project=project, **validated(HitPreviewIn, request.query_params))
        return Response(HitPreviewOut({"hit": hit}).data)


class ProgressApi(APIView):
    """What you and all annotators have done in the project."""

    @extend_schema(responses=ProgressOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        progress = selectors.get_progress(project=project, user=request.user)
        return Response(presented(ProgressOut, progress))


class PastWorkPagination(KeysetPagination):
    page_size = 20
    max_page_size = 100


class PastWorkApi(ListAPIView):
    """The HITs you submitted, newest first, as you saw them, with your newest answers.

    With a filter you get the HITs with such answers, and of their items these alone.
    """

    serializer_class = PastHitOut
    pagination_class = PastWorkPagination
    keyset = ("-submitted_at", "-id")
    queryset = Assignment.objects.none()

    @extend_schema(parameters=[PastWorkIn])
    def get(self, request: Request, slug: str) -> Response:
        return self.list(request, slug)

    def get_queryset(self) -> QuerySet[Assignment]:
        project = belonging(user=self.request.user, slug=self.kwargs["slug"])
        return past_work.list_past(project=project, user=self.request.user, wanted=self._wanted())

    def paginate_queryset(self, queryset: Any) -> Any:
        return past_work.show_past(super().paginate_queryset(queryset) or [], self._wanted())

    def _wanted(self) -> past_work.PastFilter:
        return past_work.PastFilter(**validated(PastWorkIn, self.request.query_params))


class OwnDaysApi(APIView):
    """Your own answers of the last two weeks, by day and label."""

    @extend_schema(responses=OwnDaysOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(OwnDaysOut({"days": past_work.list_own_days(project=project, user=request.user)}).data)


class PastHitApi(OwnAssignmentApi):
    """One of them. You can change the answers that are not closed."""

    @extend_schema(responses=PastHitOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        assignment = self.get_assignment()
        if assignment.status not in DONE:
            raise NotFound(
                "You did not submit this task yet, so it is not in your past work.", code="not_submitted_yet"
            )
        [shown] = past_work.show_past([assignment])
        return Response(PastHitOut(shown).data)


class AssignmentSuggestionsApi(OwnAssignmentApi):
    """Suggested edits for the captions of your assignment. None is applied automatically."""

    @extend_schema(responses=AssignmentSuggestionsOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        found = shown_hits.suggestions_of(assignment=self.get_assignment())
        items = [{"position": at, "suggestions": suggestions} for at, suggestions in enumerate(found, start=1)]
        return Response(AssignmentSuggestionsOut({"items": items}).data)


class AssignmentDraftApi(OwnAssignmentApi):
    @extend_schema(responses=AssignmentDraftOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Your unfinished answers, from any computer."""
        return Response(AssignmentDraftOut({"draft": drafts.get_draft(assignment=self.get_assignment())}).data)

    @extend_schema(request=DraftIO, responses={204: None})
    def put(self, request: Request, assignment_id: UUID) -> Response:
        """Store your unfinished answers. An older draft does not replace a newer one."""
        assignment = self.get_assignment()
        drafts.save_draft(assignment=assignment, **validated(DraftIO, request.data))
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
