"""Surveys for curators and head annotators, and the door for participants, who have no account."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.files import CSV, csv_file, file_headers
from backend.people.authentication import SiteAuthentication
from backend.people.throttles import WindowThrottle
from backend.projects.models import Project, Role
from backend.projects.selectors import curating, membership_of, reviewing
from backend.surveys import participation, selectors, services
from backend.surveys.drawing import draw, list_models
from backend.surveys.models import Participant, Survey
from backend.surveys.serializers import (
    SurveyAgreeIn,
    SurveyAnswerIn,
    SurveyAnswerOut,
    SurveyDoorOut,
    SurveyIn,
    SurveyLinksIn,
    SurveyLinksOut,
    SurveyModelOut,
    SurveyOut,
    SurveyParticipantOut,
    SurveyPreviewOut,
    SurveyResultsOut,
    prepare_survey,
    present_door,
    present_item,
    present_participant,
    present_results,
)

COOKIE_DAYS = 90
DOOR = "/api/v1/s/"  # where the cookies of participants go, and nowhere else
JSON_FILE: dict[Any, Any] = {(200, "application/json"): OpenApiTypes.OBJECT}


class SurveyListApi(ListAPIView):
    """A project's surveys, newest first: for curators and head annotators."""

    serializer_class = SurveyOut
    queryset = Survey.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[Survey]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_surveys(project=project)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response([_present(request, survey) for survey in page])

    @extend_schema(request=SurveyIn, responses={201: SurveyOut})
    def post(self, request: Request, slug: str) -> Response:
        """Make a draft: for curators."""
        project = curating(user=request.user, slug=slug)
        sent = SurveyIn(data=request.data)
        sent.is_valid(raise_exception=True)
        made = services.create_survey(project=project, created_by=request.user, fields=sent.validated_data)
        return Response(_now(request, project, made.pk), status=status.HTTP_201_CREATED)


class SurveyModelListApi(APIView):
    """The models by whose scores a survey can choose its pairs: for curators and head annotators."""

    @extend_schema(responses=SurveyModelOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(SurveyModelOut(list_models(project=project), many=True).data)


class SurveyApi(APIView):
    """One survey. Curators change and delete it."""

    @extend_schema(responses=SurveyOut)
    def get(self, request: Request, slug: str, survey_id: int) -> Response:
        return Response(_now(request, reviewing(user=request.user, slug=slug), survey_id))

    @extend_schema(request=SurveyIn, responses=SurveyOut)
    def patch(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _curated(request, slug, survey_id)
        sent = SurveyIn(data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        services.change_survey(survey=survey, fields=sent.validated_data)
        return Response(_now(request, survey.project, survey_id))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, survey_id: int) -> Response:
        services.delete_survey(survey=_curated(request, slug, survey_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class SurveyPreviewApi(APIView):
    """The pairs and distractors that a draft would ask about now: for curators and head annotators."""

    @extend_schema(responses=SurveyPreviewOut)
    def get(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _reviewed(request, slug, survey_id)
        drawn = draw(survey)
        told = {
            "n_asked": survey.n_pairs,
            "pairs": [present_item(item) for item in drawn.pairs],
            "distractors": [present_item(item) for item in drawn.distractors],
        }
        return Response(SurveyPreviewOut(told).data)


class SurveyOpenApi(APIView):
    """Fix the pairs and let participants in: for curators."""

    @extend_schema(request=None, responses=SurveyOut)
    def post(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _curated(request, slug, survey_id)
        services.open_survey(survey=survey)
        return Response(_now(request, survey.project, survey_id))


class SurveyCloseApi(APIView):
    """Let nobody answer any more: for curators."""

    @extend_schema(request=None, responses=SurveyOut)
    def post(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _curated(request, slug, survey_id)
        services.close_survey(survey=survey)
        return Response(_now(request, survey.project, survey_id))


class SurveyLinkApi(APIView):
    """Make a new link for all; the old one stops working: for curators."""

    @extend_schema(request=None, responses=SurveyOut)
    def post(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _curated(request, slug, survey_id)
        services.renew_link(survey=survey)
        return Response(_now(request, survey.project, survey_id))


@method_decorator(never_cache, name="dispatch")
class SurveyLinkListApi(APIView):
    """Make single-use links: for curators."""

    @extend_schema(request=SurveyLinksIn, responses={201: SurveyLinksOut})
    def post(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _curated(request, slug, survey_id)
        sent = SurveyLinksIn(data=request.data)
        sent.is_valid(raise_exception=True)
        tokens = services.make_links(survey=survey, n=sent.validated_data["n"])
        return Response({"urls": [_url(request, token) for token in tokens]}, status=status.HTTP_201_CREATED)


class SurveyResultsApi(APIView):
    """What participants answered, pair by pair: for curators and head annotators."""

    @extend_schema(responses=SurveyResultsOut)
    def get(self, request: Request, slug: str, survey_id: int) -> Response:
        survey = _reviewed(request, slug, survey_id)
        return Response(SurveyResultsOut(present_results(selectors.get_results(survey=survey))).data)


class SurveyParticipantListApi(ListAPIView):
    """How far each participant came, and whether their answers count: for curators and head annotators."""

    serializer_class = SurveyParticipantOut
    queryset = Participant.objects.none()
    keyset = ("number",)

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        survey = _reviewed(request, self.kwargs["slug"], self.kwargs["survey_id"])
        page = self.paginate_queryset(selectors.list_participants(survey=survey)) or []
        rows = [present_participant(selectors.describe(survey, row)) for row in page]
        return self.get_paginated_response(SurveyParticipantOut(rows, many=True).data)


class SurveyPairFileApi(APIView):
    """The pairs with their figures as a table: for curators and head annotators."""

    @extend_schema(operation_id="survey_pairs_csv", responses=CSV)
    def get(self, request: Request, slug: str, survey_id: int) -> HttpResponseBase:
        survey = _reviewed(request, slug, survey_id)
        rows = selectors.iter_pair_rows(selectors.get_results(survey=survey))
        return csv_file(f"{_stem(survey)}-pairs.csv", selectors.PAIR_COLUMNS, rows)


class SurveyParticipantFileApi(APIView):
    """The participants as a table, by number: for curators and head annotators."""

    @extend_schema(operation_id="survey_participants_csv", responses=CSV)
    def get(self, request: Request, slug: str, survey_id: int) -> HttpResponseBase:
        survey = _reviewed(request, slug, survey_id)
        rows = selectors.iter_participant_rows(survey=survey)
        return csv_file(f"{_stem(survey)}-participants.csv", selectors.PARTICIPANT_COLUMNS, rows)


class SurveyAnswerFileApi(APIView):
    """Every answer as a table: for curators and head annotators."""

    @extend_schema(operation_id="survey_answers_csv", responses=CSV)
    def get(self, request: Request, slug: str, survey_id: int) -> HttpResponseBase:
        survey = _reviewed(request, slug, survey_id)
        rows = selectors.iter_answer_rows(survey=survey)
        return csv_file(f"{_stem(survey)}-answers.csv", selectors.ANSWER_COLUMNS, rows)


class SurveyJsonApi(APIView):
    """All figures of a survey with its settings, as a file: for curators and head annotators."""

    @extend_schema(operation_id="survey_results_json", responses=JSON_FILE)
    def get(self, request: Request, slug: str, survey_id: int) -> HttpResponseBase:
        survey = _reviewed(request, slug, survey_id)
        told = {"survey": _settings(request, survey)} | _figures(survey)
        body = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
        return HttpResponse(
            body, content_type="application/json", headers=file_headers(f"{_stem(survey)}-results.json")
        )


class SurveyJoinThrottle(WindowThrottle):
    """New participants from one address. A class at school shares one."""

    scope = "survey_join"


class SurveyAnswerThrottle(WindowThrottle):
    """Answers of one participant, or of one address without a participant."""

    scope = "survey_answer"
    counts = "PUT"

    def who(self, request: Request) -> str:
        match = request._request.resolver_match
        try:
            door = participation.find_door(match.kwargs["token"] if match else "")
        except participation.NoSuchSurvey:
            return self.get_ident(request)
        known = door.participant(_cookie(request, door.survey))
        return str(known.pk) if known else self.get_ident(request)


@method_decorator(never_cache, name="dispatch")
class SurveyDoorApi(APIView):
    """What a link leads to, and how far this participant came. No account is needed."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]

    @extend_schema(responses=SurveyDoorOut)
    def get(self, request: Request, token: str) -> Response:
        door = participation.find_door(token)
        participant = door.participant(_cookie(request, door.survey))
        if participant is None or participant.finished_at is None:
            participation.check_open(door.survey)
        if participant is None:
            participation.check_room(door.survey)
        return Response(_at_door(door.survey, participant))


class SurveyAgreeApi(APIView):
    """Agree to take part and get the pairs. A cookie lets the page go on later."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [SurveyJoinThrottle]

    @extend_schema(request=SurveyAgreeIn, responses=SurveyDoorOut)
    def post(self, request: Request, token: str) -> Response:
        door = participation.find_door(token)
        sent = SurveyAgreeIn(data=request.data)
        sent.is_valid(raise_exception=True)
        participant = participation.join(
            token=token,
            start_key=sent.validated_data["start_key"],
            participant_id=_cookie(request, door.survey),
        )
        response = Response(_at_door(door.survey, participant))
        _set_cookie(response, participant)
        return response


class SurveyAnswerApi(APIView):
    """Answer one pair, or correct the answer. Sent twice, it counts once."""

    authentication_classes = [SiteAuthentication]
    permission_classes = [AllowAny]
    throttle_classes = [SurveyAnswerThrottle]

    @extend_schema(request=SurveyAnswerIn, responses=SurveyAnswerOut)
    def put(self, request: Request, token: str, number: int) -> Response:
        door = participation.find_door(token)
        participant = door.participant(_cookie(request, door.survey))
        if participant is None:
            raise participation.NotTakingPart()
        sent = SurveyAnswerIn(data=request.data)
        sent.is_valid(raise_exception=True)
        told = participation.give_answer(participant=participant, number=number, **sent.validated_data)
        return Response(SurveyAnswerOut({"is_finished": told.finished_at is not None}).data)


def _reviewed(request: Request, slug: str, survey_id: int) -> Survey:
    return selectors.get_survey(project=reviewing(user=request.user, slug=slug), survey_id=survey_id)


def _curated(request: Request, slug: str, survey_id: int) -> Survey:
    return selectors.get_survey(project=curating(user=request.user, slug=slug), survey_id=survey_id)


def _now(request: Request, project: Project, survey_id: int) -> Any:
    return _present(request, selectors.get_survey(project=project, survey_id=survey_id))


def _present(request: Request, survey: Survey) -> Any:
    role = Role(membership_of(user=request.user, slug=survey.project.slug).role)
    shows_link = role.may_curate and survey.has_link
    return SurveyOut(prepare_survey(survey, url=_url(request, survey.token) if shows_link else None)).data


def _url(request: Request, token: str) -> str:
    """The site's page behind a link."""
    return request.build_absolute_uri(f"/s/{token}")


def _stem(survey: Survey) -> str:
    return f"{survey.project.slug}-survey-{survey.pk}"


def _settings(request: Request, survey: Survey) -> dict[str, Any]:
    told = dict(_present(request, survey))
    told.pop("url")
    return told


def _figures(survey: Survey) -> dict[str, Any]:
    """The figures without addresses of thumbnails, which expire."""
    results = selectors.get_results(survey=survey)
    told = present_results(results)
    pairs = list(selectors.iter_pair_rows(results))
    distractors = [
        {"caption": each.item.text, "image": each.item.image_key, "n": each.n, "share": _share(each)}
        for each in results.distractors
    ]
    people = list(selectors.iter_participant_rows(survey=survey))
    return told | {"pairs": pairs, "distractors": distractors, "participants": people}


def _share(each: selectors.PairResult) -> float | None:
    return each.share.share if each.share else None


def _at_door(survey: Survey, participant: Participant | None) -> Any:
    series = selectors.list_series(participant) if participant else []
    return SurveyDoorOut(present_door(survey, participant, series)).data


def _cookie_name(survey_id: int) -> str:
    return f"survey_{survey_id}"


def _cookie(request: Request, survey: Survey) -> UUID | None:
    """The participant that this browser's cookie names; None without a cookie of ours."""
    try:
        return UUID(request._request.get_signed_cookie(_cookie_name(survey.pk), salt="connote.survey"))
    except (KeyError, ValueError, signing.BadSignature):
        return None


def _set_cookie(response: Response, participant: Participant) -> None:
    response.set_signed_cookie(
        _cookie_name(participant.survey_id), str(participant.pk), salt="connote.survey",
        max_age=COOKIE_DAYS * 24 * 3600, path=DOOR, httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip
