"""Suggested edits over HTTP, for the editor of the one who holds the page."""

from __future__ import annotations

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation import selectors
from backend.annotation.suggested.reading import suggestions_of_page
from backend.candidates.serializers import SuggestedEditOut


class ItemSuggestionsOut(serializers.Serializer):
    position = serializers.IntegerField()
    suggestions = SuggestedEditOut(many=True, help_text="In the order of their places; two may share words.")


class AssignmentSuggestionsOut(serializers.Serializer):
    items = ItemSuggestionsOut(many=True, help_text="One for each position of the page, from 1.")


class AssignmentSuggestionsApi(APIView):
    """What may need an edit in the captions of your page. Nothing is applied by itself."""

    @extend_schema(responses=AssignmentSuggestionsOut)
    def get(self, request: Request, assignment_id: UUID) -> Response:
        assignment = selectors.get_assignment(user=request.user, assignment_id=assignment_id)
        found = suggestions_of_page(assignment=assignment)
        items = [{"position": at, "suggestions": suggestions} for at, suggestions in enumerate(found, start=1)]
        return Response(AssignmentSuggestionsOut({"items": items}).data)
