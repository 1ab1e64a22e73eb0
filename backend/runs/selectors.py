"""Reads over runs and the walk they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet

from backend.common.errors import NotAllowed, NotFound
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Membership, Project, Role
from backend.runs.models import Run, RunStatus
from backend.runs.stage import Stage
from backend.runs.walk import stages_of

REVIEWERS = (Role.CURATOR, Role.HEAD_ANNOTATOR)


@dataclass(frozen=True)
class StageState:
    """One stage of a project's walk as the curator sees it."""

    stage: Stage
    state: str
    why_not: str
    last_run: Run | None = None

    @property
    def is_startable(self) -> bool:
        return not self.stage.by_people and not self.why_not and self.state != "running"


@dataclass(frozen=True)
class Walk:
    counters: dict[str, int]
    stages: list[StageState]


def get_run(*, user: User, run_id: UUID, roles: Sequence[Role] = REVIEWERS) -> Run:
    """A run of a project where `user` has one of `roles`. Raises NotFound outside their projects, NotAllowed inside."""
    run = Run.objects.select_related("project", "started_by").filter(pk=run_id).first()
    role = run and Membership.objects.filter(project=run.project_id, user=user).values_list("role", flat=True).first()
    if not run or not role or user.only_project_id not in (None, run.project_id):
        raise NotFound()
    if role not in roles:
        raise NotAllowed()
    return run


def is_silent(now: datetime, moment: str = "heartbeat_at") -> Q:
    """Where the last heartbeat lies more than RUN_STALE_SECONDS from `now`.

    That is also true in the future: the clock was set back since, and a live worker has beaten again by now.
    """
    limit = timedelta(seconds=settings.RUN_STALE_SECONDS)
    return Q((f"{moment}__lt", now - limit)) | Q((f"{moment}__gt", now + limit))


def list_runs(*, project: Project) -> QuerySet[Run]:
    """A project's runs with how many rows each refused, newest first."""
    runs = Run.objects.filter(project=project).select_related("started_by").order_by("-created_at", "-id")
    return runs.annotate(n_refused=Count("refusals", filter=Q(refusals__is_ignored=False)))


def with_refusals(*, run: Run) -> Run:
    """The same run, as fresh as the database and with `n_refused` as `list_runs` gives it."""
    return list_runs(project=run.project).get(pk=run.pk)


def why_not_startable(stage: Stage, direction: str, counters: Mapping[str, int]) -> str:
    """The sentence that says what must come first; empty when the stage can start."""
    return "" if not stage.needs or counters.get(stage.needs, 0) else stage.why_not_in(direction)


def get_walk(*, project: Project) -> Walk:
    """The stages of its direction in order, each with its state: one query for the last runs, one of the counters."""
    counters = read_counters([project.pk])[project.pk]
    newest = Run.objects.filter(project=project).order_by("-created_at", "-id").values_list("id", "stage")
    last = {stage: run_id for run_id, stage in reversed(newest)}
    runs = {run.stage: run for run in list_runs(project=project).filter(pk__in=last.values())}
    stages = stages_of(project.direction)
    return Walk(counters, [_state_of(stage, runs.get(stage.name), project.direction, counters) for stage in stages])


def _state_of(stage: Stage, run: Run | None, direction: str, counters: dict[str, int]) -> StageState:
    waits = bool(stage.needs) and not counters.get(stage.needs, 0)
    if stage.by_people:
        return StageState(stage, _people_state(waits, counters), "People do this in the browser.")
    return StageState(stage, _machine_state(waits, run), why_not_startable(stage, direction, counters), run)


def _people_state(waits: bool, counters: dict[str, int]) -> str:
    if waits:
        return "empty"
    return "waiting" if counters.get("slots_open", 0) else "done"


MACHINE_STATES = {
    RunStatus.QUEUED: "running",
    RunStatus.RUNNING: "running",
    RunStatus.SUCCEEDED: "done",
    RunStatus.FAILED: "failed",
    RunStatus.CANCELLED: "ready",
}


def _machine_state(waits: bool, run: Run | None) -> str:
    if run is None:
        return "empty" if waits else "ready"
    return MACHINE_STATES[RunStatus(run.status)]
