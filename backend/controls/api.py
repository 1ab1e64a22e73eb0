"""Controls over HTTP. Annotators get 403 at every one of these doors: to them there are no controls."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.candidates.models import Candidate
from backend.candidates.query_reads import get_query
from backend.candidates.selectors import get_candidate
from backend.candidates.suggesting_again import suggest_for_new_captions
from backend.catalogue.models import Query
from backend.catalogue.selectors import get_image
from backend.common.serializers import validated
from backend.controls import imports, selectors, services, supply
from backend.controls.serializers import (
    ControlChangeIn,
    ControlImportIn,
    ControlImportOut,
    ControlIn,
    ControlListIn,
    ControlOut,
    SupplyOut,
)
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import curating, reviewing
from backend.qualification.models import Control


class ControlListApi(ListAPIView):
    """The project's controls, newest first."""

    serializer_class = ControlOut
    queryset = Control.objects.none()
    keyset = ("-id",)

    @extend_schema(parameters=[ControlListIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Controls with the answers to them. The query can filter them."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Control]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_controls(project=project, **validated(ControlListIn, self.request.query_params))

    def paginate_queryset(self, queryset: Any) -> Any:
        return selectors.with_quiz_answers(super().paginate_queryset(queryset) or [])

    @extend_schema(request=ControlIn, responses={201: ControlOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make a control. A pair of the project leaves the dataset, so it must not be in a HIT."""
        project = curating(user=request.user, slug=slug)
        made = _make(project, request.user, **validated(ControlIn, request.data))
        suggest_for_new_captions(project=project, started_by=request.user)
        return Response(_out(project, made.pk), status=status.HTTP_201_CREATED)


def _make(
    project: Project, user: User, *, accepted: list[str], explanation: str, is_quiz: bool, **named: Any
) -> Control:
    of: Candidate | Query | str
    if "candidate" in named:
        of = get_candidate(project=project, candidate_id=named["candidate"])
        image = of.image
    else:
        image = get_image(project=project, image_id=named["image"])
        of = get_query(project=project, query_id=named["query"]) if "query" in named else named["text"]
    answer = services.KnownAnswer(tuple(accepted), explanation, is_quiz)
    return services.make_control(image=image, of=of, answer=answer, made_by=user)


def _out(project: Project, control_id: int) -> dict[str, Any]:
    return dict(ControlOut(selectors.get_control(project=project, control_id=control_id)).data)


class ControlApi(APIView):
    @extend_schema(responses=ControlOut)
    def get(self, request: Request, slug: str, control_id: int) -> Response:
        """One control with the answers to it."""
        return Response(_out(reviewing(user=request.user, slug=slug), control_id))

    @extend_schema(request=ControlChangeIn, responses=ControlOut)
    def patch(self, request: Request, slug: str, control_id: int) -> Response:
        """Retire a control, quarantine it, use it again, or change its explanation. Its answer never changes."""
        project = curating(user=request.user, slug=slug)
        sent = validated(ControlChangeIn, request.data)
        control = selectors.get_control(project=project, control_id=control_id)
        services.change_control(control=control, by=request.user, **sent)
        return Response(_out(project, control_id))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, control_id: int) -> Response:
        """Delete a control that no annotator got. A pair of the project becomes an ordinary pair again."""
        project = curating(user=request.user, slug=slug)
        control = selectors.get_control(project=project, control_id=control_id)
        services.delete_control(control=control, by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ControlImportApi(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(request={"multipart/form-data": ControlImportIn}, responses=ControlImportOut)
    def post(self, request: Request, slug: str) -> Response:
        """Import controls: image, text (or query), accepted, explanation, quiz. The answer lists refused rows."""
        project = curating(user=request.user, slug=slug)
        file = validated(ControlImportIn, request.data)["file"]
        found = imports.import_file(project=project, file=file, made_by=request.user)
        suggest_for_new_captions(project=project, started_by=request.user)
        return Response(ControlImportOut(found).data)


class ControlSupplyApi(APIView):
    """How long the hidden controls will last, and a warning before they run out."""

    @extend_schema(responses=SupplyOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(SupplyOut(supply.read_supply(project=project)).data)
