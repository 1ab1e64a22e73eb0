"""Drafts over HTTP: everybody sees and keeps their own."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import selectors
from backend.annotation.drafts.drafting import get_draft, save_draft
from backend.annotation.drafts.serializers import AssignmentDraftOut, DraftIO


class AssignmentDraftApi(APIView):
    @extend_schema(responses=AssignmentDraftOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """What you have done of this page so far, on any machine."""
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        return Response(AssignmentDraftOut({"draft": get_draft(assignment=assignment)}).data)

    @extend_schema(request=DraftIO, responses={204: None})
    def put(self, request: Request, assignment_id: UUID) -> Response:
        """Keep what you have done so far. What is older than what is kept changes nothing."""
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        sent = DraftIO(data=request.data)
        sent.is_valid(raise_exception=True)
        save_draft(assignment=assignment, **sent.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)
