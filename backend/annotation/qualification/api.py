"""What a newcomer does before the first HIT, and the terms a curator sets for it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation.models import Qualification, QuizAttempt
from backend.annotation.qualification import attempts, qualifying, quiz
from backend.annotation.qualification.answered import count_missed, list_excused
from backend.annotation.qualification.serializers import (
    GuidelinesReadIn,
    MyQualificationOut,
    QualificationIn,
    QualificationOut,
    QuizAnswersIn,
    QuizAttemptOut,
    QuizAttemptRowOut,
    present_attempt,
    present_mine,
    present_terms,
)
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import belonging, curating, reviewing


class QualificationApi(APIView):
    """The terms under which newcomers begin."""

    @extend_schema(responses=QualificationOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(_terms(project, qualifying.terms_of(project=project)))

    @extend_schema(request=QualificationIn, responses=QualificationOut)
    def put(self, request: Request, slug: str) -> Response:
        """Set them all; 409 `stale` names the version that stands where somebody was faster."""
        project = curating(user=request.user, slug=slug)
        sent = QualificationIn(data=request.data)
        sent.is_valid(raise_exception=True)
        changes = dict(sent.validated_data)
        version, passes_anew = changes.pop("version"), changes.pop("passes_anew")
        terms = qualifying.set_terms(
            project=project, version=version, passes_anew=passes_anew, changes=changes, by=request.user
        )
        return Response(_terms(project, terms))


class MyQualificationApi(APIView):
    """What is asked of you before the first HIT, and how far you are."""

    @extend_schema(responses=MyQualificationOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_mine(belonging(user=request.user, slug=slug), request.user))


class GuidelinesReadApi(APIView):
    """You have read the guidelines; 409 `guidelines_changed` where another text stands by now."""

    @extend_schema(request=GuidelinesReadIn, responses=MyQualificationOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = GuidelinesReadIn(data=request.data)
        sent.is_valid(raise_exception=True)
        digest = sent.validated_data["guidelines_digest"]
        qualifying.read_guidelines(project=project, user=request.user, digest=digest)
        return Response(_mine(project, request.user))


class QuizApi(APIView):
    """Begin the quiz, or go on with the attempt you have not finished."""

    @extend_schema(request=None, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(_attempt(quiz.begin_quiz(project=project, user=request.user)))


class QuizAttemptApi(APIView):
    """An attempt of yours, with feedback on what you answered."""

    @extend_schema(responses=QuizAttemptOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(_attempt(attempts.get_attempt(project=project, user=request.user, number=number)))


class QuizAnswersApi(APIView):
    """Answer one, some or all questions. An answer is final; the last one ends the attempt."""

    @extend_schema(request=QuizAnswersIn, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = QuizAnswersIn(data=request.data)
        sent.is_valid(raise_exception=True)
        answers = sent.validated_data["answers"]
        return Response(_attempt(quiz.answer_quiz(project=project, user=request.user, number=number, answers=answers)))


class QuizAttemptListApi(ListAPIView):
    """Everybody's attempts, newest first."""

    serializer_class = QuizAttemptRowOut
    queryset = QuizAttempt.objects.none()
    keyset = ("-id",)
    excused: Collection[int] = ()

    def get_queryset(self) -> QuerySet[QuizAttempt]:
        return attempts.list_attempts(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset) or []
        self.excused = list_excused(page)
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "excused": self.excused}


def _terms(project: Project, terms: Qualification | None) -> dict[str, object]:
    n_controls = quiz.quiz_controls(project=project).count()
    return QualificationOut(present_terms(terms, n_controls, count_missed(project_id=project.pk))).data


def _mine(project: Project, user: User) -> dict[str, object]:
    return MyQualificationOut(present_mine(qualifying.annotator_state_of(project=project, user=user), project)).data


def _attempt(attempt: QuizAttempt) -> dict[str, object]:
    return QuizAttemptOut(present_attempt(attempt, attempts.list_questions(attempt=attempt))).data
