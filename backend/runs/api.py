"""The walk and its runs, over HTTP. Seeing them takes a reviewer's role, starting and stopping a curator's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backend.common.serializers import validated
from backend.projects.models import Role
from backend.projects.selectors import curating, reviewing
from backend.runs import selectors, services
from backend.runs.models import Refusal, Run
from backend.runs.serializers import RefusalOut, RunIn, RunListIn, RunOut, WalkOut
from backend.runs.stage import Parameter
from backend.runs.walk import PHASE_OF
from backend.runs.warnings import warning_of


class WalkApi(APIView):
    """Every stage of a project in order, with its state and its last run."""

    @extend_schema(responses=WalkOut)
    def get(self, request: Request, slug: str) -> Response:
        project = reviewing(user=request.user, slug=slug)
        walk = selectors.get_walk(project=project)
        warnings = {state.stage.name: warning_of(state.stage.name, project) for state in walk.stages}
        rows = [_as_row(state, walk.counters) | {"warning": warnings[state.stage.name]} for state in walk.stages]
        return Response(WalkOut({"counters": walk.counters, "stages": rows}).data)


class RunListApi(ListAPIView):
    """The runs of the project, newest first."""

    serializer_class = RunOut
    keyset = ("-created_at", "-id")

    @extend_schema(parameters=[RunListIn])
    def get(self, request: Request, slug: str) -> Response:
        return self.list(request, slug)

    def get_queryset(self) -> QuerySet[Run]:
        project = reviewing(user=self.request.user, slug=self.kwargs["slug"])
        return selectors.list_runs(project=project, **validated(RunListIn, self.request.query_params))

    @extend_schema(request=RunIn, responses={201: RunOut})
    def post(self, request: Request, slug: str) -> Response:
        """Start a stage of the pipeline. For curators."""
        project = curating(user=request.user, slug=slug)
        sent = RunIn(data=request.data, context={"project": project, "user": request.user})
        sent.is_valid(raise_exception=True)
        run = services.start_run(project=project, started_by=request.user, **sent.validated_data)
        return Response(_out(run), status=status.HTTP_201_CREATED)


class RunApi(APIView):
    @extend_schema(responses=RunOut)
    def get(self, request: Request, run_id: UUID) -> Response:
        """One run with its progress and counts."""
        return Response(_out(selectors.get_run(user=request.user, run_id=run_id)))


class RunCancelApi(APIView):
    @extend_schema(request=None, responses=RunOut)
    def post(self, request: Request, run_id: UUID) -> Response:
        """Cancel a run. It stops after its current step."""
        run = selectors.get_run(user=request.user, run_id=run_id, roles=(Role.CURATOR,))
        return Response(_out(services.cancel_run(run=run)))


class RunRetryApi(APIView):
    @extend_schema(request=None, responses={201: RunOut})
    def post(self, request: Request, run_id: UUID) -> Response:
        """Start a failed or cancelled run again, from its last step."""
        run = selectors.get_run(user=request.user, run_id=run_id, roles=(Role.CURATOR,))
        return Response(_out(services.retry_run(run=run, started_by=request.user)), status=status.HTTP_201_CREATED)


class RefusalListApi(ListAPIView):
    """The refused rows of an import, each with its line and the reason."""

    serializer_class = RefusalOut
    keyset = ("id",)

    def get_queryset(self) -> QuerySet[Refusal]:
        return Refusal.objects.filter(run=selectors.get_run(user=self.request.user, run_id=self.kwargs["run_id"]))


def _out(run: Run) -> dict[str, Any]:
    return dict(RunOut(selectors.with_refusals(run=run)).data)


def _as_row(state: selectors.StageState, counters: Mapping[str, int]) -> dict[str, Any]:
    stage = state.stage
    return {
        "name": stage.name,
        "phase": PHASE_OF[stage.name],
        "label": stage.label,
        "explanation": stage.explanation,
        "queue": stage.queue,
        "by_people": stage.by_people,
        "optional": stage.is_optional,
        "on_purpose": stage.is_on_purpose,
        "parameters": [_as_field(each, counters) for each in stage.parameters],
        "state": state.state,
        "startable": state.is_startable,
        "why_not": state.why_not,
        "why_not_code": _why_not_code(state),
        "obstacle": state.obstacle and state.obstacle.as_json(),
        "lacks_worker": state.lacks_worker,
        "last_run": state.last_run,
    }


def _why_not_code(state: selectors.StageState) -> str:
    stage = state.stage
    if not state.why_not or stage.by_people:
        return "stage_by_people" if state.why_not else ""
    of_queries = state.why_not == stage.why_not_queries
    return f"stage_{stage.name}_why_not{'_queries' if of_queries else ''}"


def _as_field(parameter: Parameter, counters: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "kind": parameter.kind.__name__,
        "default": parameter.default_for(counters),
        "label": parameter.label,
        "help": parameter.help,
        "unit": parameter.unit,
        "scale": parameter.scale,
        "out_of": counters.get(parameter.half_of),
        "minimum": parameter.minimum,
        "maximum": parameter.maximum,
        "advanced": parameter.is_advanced,
        "choices": parameter.choices,
    }
