"""What an annotator does before the first HIT, and what curators set for it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.serializers import validated
from backend.projects.models import Project, Role
from backend.projects.selectors import belonging, curating, membership_of, reviewing
from backend.qualification import selectors, services
from backend.qualification.models import GuidelineExample, Qualification, QuizAttempt
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
        sent = validated(GuidelineExamplesIn, request.data)
        examples = [GuidelineExample(**each) for each in sent["examples"]]
        changed = services.set_examples(project=project, version=sent["version"], examples=examples, by=request.user)
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
        sent = validated(QualificationIn, request.data)
        version, passes_anew = sent.pop("version"), sent.pop("passes_anew")
        terms = services.set_terms(
            project=project, version=version, passes_anew=passes_anew, changes=sent, by=request.user
        )
        return Response(_terms(project, terms))


class MyQualificationApi(APIView):
    """What you have to do before the first HIT, and what you did."""

    @extend_schema(responses=MyQualificationOut)
    def get(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(MyQualificationOut(present_mine(request.user, project)).data)


class GuidelinesReadApi(APIView):
    """You have read the guidelines; 409 `guidelines_changed` if they changed meanwhile."""

    @extend_schema(request=GuidelinesReadIn, responses=MyQualificationOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = validated(GuidelinesReadIn, request.data)
        services.read_guidelines(project=project, user=request.user, digest=sent["guidelines_digest"])
        return Response(MyQualificationOut(present_mine(request.user, project)).data)


class QuizApi(APIView):
    """Begin the quiz, or continue your unfinished attempt."""

    @extend_schema(request=None, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str) -> Response:
        project = belonging(user=request.user, slug=slug)
        return Response(QuizAttemptOut(services.begin_quiz(project=project, user=request.user)).data)


class QuizAttemptApi(APIView):
    """One of your attempts, with feedback on your answers."""

    @extend_schema(responses=QuizAttemptOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        attempt = selectors.get_attempt(project=project, user=request.user, number=number)
        return Response(QuizAttemptOut(attempt).data)


class QuizAnswersApi(APIView):
    """Answer one, some or all questions. An answer is final; the last one ends the attempt."""

    @extend_schema(request=QuizAnswersIn, responses=QuizAttemptOut)
    def post(self, request: Request, slug: str, number: int) -> Response:
        project = belonging(user=request.user, slug=slug)
        sent = validated(QuizAnswersIn, request.data)
        attempt = services.answer_quiz(project=project, user=request.user, number=number, answers=sent["answers"])
        return Response(QuizAttemptOut(attempt).data)


class QuizAttemptListApi(ListAPIView):
    """The attempts of all annotators, newest first."""

    serializer_class = QuizAttemptRowOut
    queryset = QuizAttempt.objects.none()
    keyset = ("-id",)

    def get_queryset(self) -> QuerySet[QuizAttempt]:
        return selectors.list_attempts(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))

    def paginate_queryset(self, queryset: Any) -> Any:
        return selectors.mark_excused(super().paginate_queryset(queryset) or [])


def _terms(project: Project, terms: Qualification) -> dict[str, object]:
    n_controls = selectors.quiz_controls(project=project).count()
    return QualificationOut(present_terms(terms, n_controls, selectors.count_missed(project_id=project.pk))).data


def _examples(project: Project, *, is_numbered: bool) -> dict[str, object]:
    shown = {"version": project.version, "examples": selectors.list_examples(project=project)}
    return GuidelineExamplesOut(shown, context={"is_numbered": is_numbered}).data
