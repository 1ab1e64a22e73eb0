"""Reads over runs and the walk they make."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, QuerySet

from backend.people.models import User
from backend.projects.gauges import read_gauges
from backend.projects.models import Project
from backend.projects.selectors import projects_of
from backend.runs.models import Run, RunStatus
from backend.runs.walk import STAGES, Stage


@dataclass(frozen=True)
class StageState:
    """One stage of a project's walk as the curator sees it."""

    stage: Stage
    state: str
    counts: dict[str, int]
    last_run: Run | None
    why_not: str


def runs_of(*, user: User) -> QuerySet[Run]:
    """The runs of the projects that `user` belongs to."""
    return Run.objects.filter(project__in=projects_of(user=user)).select_related("project", "started_by")


def list_runs(*, project: Project) -> QuerySet[Run]:
    """A project's runs with how many rows each refused, newest first."""
    return Run.objects.filter(project=project).select_related("started_by").annotate(n_refused=Count("refusals"))


def why_not_startable(*, project: Project, stage: Stage) -> str:
    """The sentence that says what must come first; empty when the stage can start."""
    if not stage.needs or read_gauges([project.pk])[project.pk].get(stage.needs, 0):
        return ""
    return stage.why_not


def get_walk(*, project: Project) -> list[StageState]:
    """Every stage in order with its state, in one query for the runs and one read of the gauges."""
    gauges = read_gauges([project.pk])[project.pk]
    last: dict[str, Run] = {}
    for run in list_runs(project=project).order_by("created_at", "id"):
        last[run.stage] = run
    return [_state_of(stage, last.get(stage.name), gauges) for stage in STAGES]


def _state_of(stage: Stage, run: Run | None, gauges: dict[str, int]) -> StageState:
    waits = bool(stage.needs) and not gauges.get(stage.needs, 0)
    why_not = stage.why_not if waits else ""
    if stage.by_people:
        return StageState(stage, _people_state(waits, gauges), gauges, None, "People do this in the browser.")
    return StageState(stage, _machine_state(waits, run), gauges, run, why_not)


def _people_state(waits: bool, gauges: dict[str, int]) -> str:
    if waits:
        return "empty"
    return "done" if gauges.get("places_open", 0) == 0 else "waiting"


def _machine_state(waits: bool, run: Run | None) -> str:
    if run is None:
        return "empty" if waits else "ready"
    match RunStatus(run.status):
        case RunStatus.QUEUED | RunStatus.RUNNING:
            return "running"
        case RunStatus.SUCCEEDED:
            return "done"
        case RunStatus.FAILED:
            return "failed"
    return "ready"
