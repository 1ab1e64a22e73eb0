"""What an annotator does before the first HIT, and what curators set for it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.people.models import User
from backend.projects.models import Project, Role
from backend.projects.selectors import belonging, curating, membership_of, reviewing
from backend.qualification import selectors, services
from backend.qualification.models import Qualification, QuizAttempt
from backend.qualification.serializers import (
    GuidelineExamplesIn,
    GuidelineExamplesOut,
    GuidelinesReadIn,
    MyQualificationOut,
    QualificationIn,
    QualificationOut,
    QuizAnswersIn,
    QuizAttemptOut,
    QuizAttemptRowOut,
    present_attempt,
    present_examples,
    present_mine,
    present_terms,
)


class GuidelineExamplesApi(APIView):
    """Examples of pairs with the right answer, shown beside the guidelines."""

    @extend_schema(responses=GuidelineExamplesOut)
    def get(self, request: Request, slug: str) -> Response:
        """Annotators get them without the numbers of the images."""
        membership = membership_of(user=request.user, slug=slug)
        return Response(_examples(membership.project, is_numbered=Role(membership.role).may_review))

    @extend_schema(request=GuidelineExamplesIn, responses=GuidelineExamplesOut)
    def put(self, request: Request, slug: str) -> Response:
        """Replace all; 409 `stale` if the project changed, `example_is_control` with the position of the example."""
        project = curating(user=request.user, slug=slug)
        sent = GuidelineExamplesIn(data=request.data)
        sent.is_valid(raise_exception=True)
        examples = [services.Example(**each) for each in sent.validated_data["examples"]]
        version = sent.validated_data["version"]
        changed = services.set_examples(project=project, version=version, examples=examples, by=request.user)
        return Response(_examples(changed, is_numbered=True))


class QualificationApi(APIView):
    """What the project asks before the first HIT."""

    @extend_schema(responses=QualificationOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(_terms(project, selectors.terms_of(project=project)))

    @extend_schema(request=QualificationIn, responses=QualificationOut)
    def put(self, request: Request, slug: str) -> Response:
        """Set all terms; 409 `stale` has the current version if another person was faster."""
        project = curating(user=request.user, slug=slug)
        sent = QualificationIn(data=request.data)
        sent.is_valid(raise_exception=True)
        changes = dict(sent.validated_data)
        version, passes_anew = changes.pop("version"), changes.pop("passes_anew")
        terms = services.set_terms(
            project=project, version=version, passes_anew=passes_anew, changes=changes, by=request.user
        )
        return Response(_terms(project, terms))


class MyQualificationApi(APIView):
    """What you have to do before the first HIT, and what you did."""

    @extend_schema(responses=MyQualificationOut)
    def get(self, request: Request, slug: str) -> Response:
        return Response(_mine(belonging(user=request.user, slug=slug), request.user))


class GuidelinesReadApi(APIView):
    """You have read the guidelines; 409 `guidelines_changed` if they changed meanwhile."""

    @extend_schema(request=GuidelinesReadIn, responses=MyQualificationOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = GuidelinesReadIn(data=request.data)
        sent.is_valid(raise_exception=True)
        digest = sent.validated_data["guidelines_digest"]
        services.read_guidelines(project=project, user=request.user, digest=digest)
        return Response(_mine(project, request.user))


class QuizApi(APIView):
    """Begin the quiz, or continue your unfinished attempt."""

    @extend_schema(request=None, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(_attempt(services.begin_quiz(project=project, user=request.user)))


class QuizAttemptApi(APIView):
    """One of your attempts, with feedback on your answers."""

    @extend_schema(responses=QuizAttemptOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(_attempt(selectors.get_attempt(project=project, user=request.user, number=number)))


class QuizAnswersApi(APIView):
    """Answer one, some or all questions. An answer is final; the last one ends the attempt."""

    @extend_schema(request=QuizAnswersIn, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = QuizAnswersIn(data=request.data)
        sent.is_valid(raise_exception=True)
        answers = sent.validated_data["answers"]
        return Response(
            _attempt(services.answer_quiz(project=project, user=request.user, number=number, answers=answers))
        )


class QuizAttemptListApi(ListAPIView):
    """The attempts of all annotators, newest first."""

    serializer_class = QuizAttemptRowOut
    queryset = QuizAttempt.objects.none()
    keyset = ("-id",)
    excused: Collection[int] = ()

    def get_queryset(self) -> QuerySet[QuizAttempt]:
        return selectors.list_attempts(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset) or []
        self.excused = selectors.list_excused(page)
        return page

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "excused": self.excused}


def _terms(project: Project, terms: Qualification | None) -> dict[str, object]:
    n_controls = selectors.quiz_controls(project=project).count()
    return QualificationOut(present_terms(terms, n_controls, selectors.count_missed(project_id=project.pk))).data


def _mine(project: Project, user: User) -> dict[str, object]:
    return MyQualificationOut(present_mine(user, project)).data


def _attempt(attempt: QuizAttempt) -> dict[str, object]:
    return QuizAttemptOut(present_attempt(attempt, selectors.list_questions(attempt=attempt))).data


def _examples(project: Project, *, is_numbered: bool) -> dict[str, object]:
    examples = present_examples(selectors.list_examples(project=project), is_numbered=is_numbered)
    return GuidelineExamplesOut({"version": project.version, "examples": examples}).data
