"""Quality policies and their annotators: curators change, head annotators read and pause, annotators do neither."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.annotation.models import AnnotatorState, DecidedStatus
from backend.common.pagination import KeysetPagination, TiedKeysetPagination
from backend.common.serializers import validated
from backend.methods.quality import COLLECTORS, default_rules
from backend.people.models import User
from backend.projects.models import Project, Role
from backend.projects.selectors import curating, membership_of, reviewing
from backend.quality import annotators, selectors
from backend.quality import decisions as deciding
from backend.quality import services as policies
from backend.quality.models import QualityPolicy
from backend.quality.serializers import (
    AnnotatorDetailOut,
    AnnotatorListIn,
    AnnotatorOut,
    PolicyDefaultsOut,
    PolicyDetailOut,
    PolicyIn,
    PolicyOut,
    PolicyPreviewOut,
    PolicyRunOut,
    StatusDecisionIn,
)
from backend.runs.services import start_run

REPLAYS = 20


class PolicyListApi(ListAPIView):
    """The versions of the quality rules, newest first. At most one is active."""

    serializer_class = PolicyOut
    pagination_class = KeysetPagination
    keyset = "-version"
    queryset = QualityPolicy.objects.none()

    def get_queryset(self) -> QuerySet[QualityPolicy]:
        return selectors.list_policies(project=reviewing(user=self.request.user, slug=self.kwargs["slug"]))

    @extend_schema(request=PolicyIn, responses={201: PolicyOut})
    def post(self, request: Request, slug: str) -> Response:
        """Save the next version. It changes nothing until you apply it. An error names its rule and field."""
        project = curating(user=request.user, slug=slug)
        sent = validated(PolicyIn, request.data)
        made = policies.create_policy(project=project, created_by=request.user, **sent)
        return Response(PolicyOut(made).data, status=status.HTTP_201_CREATED)


class PolicyDefaultsApi(APIView):
    """The default rules, and the parts that rules can have."""

    @extend_schema(responses=PolicyDefaultsOut)
    def get(self, request: Request, slug: str) -> Response:
        reviewing(user=request.user, slug=slug)
        collectors = [
            asdict(terms)
            | {"name": name, "has_p_value": terms.p_value is not None, "has_unsure_fails": terms.has_unsure}
            for name, terms in COLLECTORS.items()
        ]
        rules = [rule.as_json() for rule in default_rules()]
        return Response(PolicyDefaultsOut({"rules": rules, "collectors": collectors}).data)


class PolicyApi(APIView):
    """One version, when it was applied, and what changed."""

    @extend_schema(responses=PolicyDetailOut)
    def get(self, request: Request, slug: str, version: int) -> Response:
        policy = selectors.get_policy(project=reviewing(user=request.user, slug=slug), version=version)
        replays = list(policy.replays.filter(is_applied=True).select_related("applied_by")[:REPLAYS])
        named = _people_of(*(replay.effect["changes"] for replay in replays))
        return Response(PolicyDetailOut({"policy": policy, "replays": replays}, context=named).data)


class PolicyPreviewApi(APIView):
    """Who and what would change if this version were applied."""

    @extend_schema(responses=PolicyPreviewOut)
    def get(self, request: Request, slug: str, version: int) -> Response:
        """The last preview."""
        policy = selectors.get_policy(project=reviewing(user=request.user, slug=slug), version=version)
        found = selectors.get_preview(policy=policy)
        return Response(PolicyPreviewOut(found, context=_people_of(found.effect["changes"], found.findings)).data)

    @extend_schema(request=None, responses={202: PolicyRunOut})
    def post(self, request: Request, slug: str, version: int) -> Response:
        """Compute a new preview in a worker. Nothing changes."""
        policy = selectors.get_policy(project=reviewing(user=request.user, slug=slug), version=version)
        run = policies.ask_preview(policy=policy, asked_by=request.user)
        return Response(PolicyRunOut({"run": run.pk}).data, status=status.HTTP_202_ACCEPTED)


class PolicyApplyApi(APIView):
    """Activate this version. If it is active, apply it to the newest answers."""

    @extend_schema(request=None, responses={202: PolicyRunOut})
    def post(self, request: Request, slug: str, version: int) -> Response:
        project = curating(user=request.user, slug=slug)
        policy = selectors.get_policy(project=project, version=version)
        run = start_run(
            project=project, stage="apply_policy", parameters={"version": policy.version}, started_by=request.user
        )
        return Response(PolicyRunOut({"run": run.pk}).data, status=status.HTTP_202_ACCEPTED)


class AnnotatorListApi(ListAPIView):
    """All annotators of the project, with their work, their controls and their state."""

    serializer_class = AnnotatorOut
    pagination_class = TiedKeysetPagination
    queryset = AnnotatorState.objects.none()

    @extend_schema(parameters=[AnnotatorListIn])
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        asked = validated(AnnotatorListIn, request.query_params)
        self.keyset = annotators.SORTS[asked["sort"]]
        found = annotators.list_annotator_states(project=project, state=asked.get("state", ""))
        rows = annotators.describe(project=project, annotator_states=self.paginate_queryset(found) or [])
        return self.get_paginated_response(AnnotatorOut(rows, many=True).data)


class AnnotatorApi(APIView):
    """One annotator: the row, the findings of the active rules, and the decisions about the annotator."""

    @extend_schema(responses=AnnotatorDetailOut)
    def get(self, request: Request, slug: str, user_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        return Response(_detail(project, user_id, request.user, may_curate=_may_curate(request, slug)))


class AnnotatorStateApi(APIView):
    """Set the state of an annotator by hand. It overrides the rules until the next decision by hand."""

    @extend_schema(request=StatusDecisionIn, responses=AnnotatorDetailOut)
    def post(self, request: Request, slug: str, user_id: int) -> Response:
        project = reviewing(user=request.user, slug=slug)
        may_curate = _may_curate(request, slug)
        sent = validated(StatusDecisionIn, request.data)
        deciding.decide_status(
            project=project, user_id=user_id, state=DecidedStatus(sent["state"]), reason=sent["reason"],
            decided_by=request.user, may_curate=may_curate,
        )  # fmt: skip
        return Response(_detail(project, user_id, request.user, may_curate=may_curate))


def _people_of(*rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The context of serializers of rows that name people by id, read in one statement."""
    return {"people": User.objects.in_bulk({row["user_id"] for those in rows for row in those})}


def _may_curate(request: Request, slug: str) -> bool:
    return Role(membership_of(user=request.user, slug=slug).role).may_curate


def _detail(project: Project, user_id: int, asker: Any, *, may_curate: bool) -> Any:
    annotator_state = annotators.get_annotator_state(project=project, user_id=user_id)
    last = selectors.get_last_replay(project=project)
    told = {
        "annotator": annotators.describe(project=project, annotator_states=[annotator_state])[0],
        "findings": [each for each in last.findings if each["user_id"] == user_id] if last else [],
        "decisions": annotator_state.decisions.select_related("decided_by").order_by("-pk"),
        "decidable": deciding.list_decidable(annotator_state=annotator_state, decided_by=asker, may_curate=may_curate),
    }
    return AnnotatorDetailOut(told, context={"people": {user_id: annotator_state.user}}).data
