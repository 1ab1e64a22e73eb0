"""How hard models find the chosen captions: for curators and head annotators; curators change the rule."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.errors import Conflict, InvalidInput
from backend.curation import panel_reads, policies
from backend.curation.difficulty_serializers import (
    DifficultySummaryOut,
    ExamplesIn,
    PolicyChangedOut,
    PolicyChangeIn,
    RatedCaptionOut,
    RobustnessIn,
    RobustnessOut,
)
from backend.curation.models import Difficulty
from backend.methods.difficulty import least_models, suits
from backend.methods.robustness import TooFewModelsError, robustness, usual_size
from backend.projects.selectors import curating, reviewing

DEFAULT_POLICY = "unanimous"


class TooFewModels(Conflict):
    """Too few models have stored scores. Run Difficulty again with extra models."""

    code = "too_few_models"


class DifficultySummaryApi(APIView):
    """Captions by category under every policy, the panel, and the human votes beside it."""

    @extend_schema(responses=DifficultySummaryOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(DifficultySummaryOut(panel_reads.get_summary(project=project)).data)


class DifficultyPolicyApi(APIView):
    """Change the rule: new categories from the stored votes, at once and for all captions."""

    @extend_schema(request=PolicyChangeIn, responses=PolicyChangedOut)
    def post(self, request: Request, slug: str) -> Response:
        project = curating(user=request.user, slug=slug)
        sent = PolicyChangeIn(data=request.data)
        sent.is_valid(raise_exception=True)
        policy = sent.validated_data["policy"]
        counts = policies.change_policy(project=project, policy=policy, by=request.user)
        return Response(PolicyChangedOut({"policy": policy, "counts": dict(counts)}).data)


class DifficultyExamplesApi(ListAPIView):
    """Captions of one category with their images and every vote, in the order in which they were rated."""

    serializer_class = RatedCaptionOut
    keyset = ("id",)
    queryset = Difficulty.objects.none()

    @extend_schema(parameters=[ExamplesIn])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Difficulty]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        asked = ExamplesIn(data=self.request.query_params)
        asked.is_valid(raise_exception=True)
        return panel_reads.list_examples(project=project, category=asked.validated_data["category"])


class RobustnessApi(APIView):
    """Random panels of the models whose scores are stored, and how well their categories agree."""

    @extend_schema(parameters=[RobustnessIn], responses=RobustnessOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        asked = RobustnessIn(data=request.query_params)
        asked.is_valid(raise_exception=True)
        policy = panel_reads.policy_of(project=project) or DEFAULT_POLICY
        stored = panel_reads.get_stored(project=project)
        size = asked.validated_data["size"] or usual_size(len(stored.models))
        if not suits(policy, size):
            raise InvalidInput(
                "This rule needs panels of at least {least} models.",
                code="panel_too_small_for_rule",
                params={"least": least_models(policy)},
            )
        try:
            report = robustness(
                stored,
                n_panels=asked.validated_data["panels"],
                size=size,
                seed=asked.validated_data["seed"],
                policy=policy,
            )
        except TooFewModelsError as error:
            raise TooFewModels(details={"n_models": error.n_models, "least": error.size + 1}) from error
        names = [one.model for one in report.influence]
        told = asdict(report) | {"panels": [[names[at] for at in panel] for panel in report.panels]}
        return Response(RobustnessOut(told).data)
