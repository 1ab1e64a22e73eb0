"""Reads over runs and the walk they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from backend.common.errors import NotAllowed, NotFound
from backend.methods.said import Said
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Membership, Project, Role
from backend.runs import queue
from backend.runs.models import LIVE, Run, RunStatus
from backend.runs.obstacles import obstacle_of
from backend.runs.stage import Stage
from backend.runs.walk import get_stage, stages_of

TAKEN_WITHIN_SECONDS = 10  # a worker that is there has taken a run by then, or is busy with another one
REVIEWERS = (Role.CURATOR, Role.HEAD_ANNOTATOR)


@dataclass(frozen=True)
class StageState:
    """One stage of a project's walk as the curator sees it. `obstacle` is what it lacks while its settings are the
    defaults. `lacks_worker`: its run waits, and no worker reads from its queue."""

    stage: Stage
    state: str
    why_not: str
    last_run: Run | None = None
    obstacle: Said | None = None
    lacks_worker: bool = False

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


def list_runs(*, project: Project, stage: str = "") -> QuerySet[Run]:
    """A project's runs, or those of one stage, with how many rows each refused, newest first."""
    runs = Run.objects.filter(project=project).select_related("started_by").order_by("-created_at", "-id")
    runs = runs.filter(stage=stage) if stage else runs
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
    unserved = find_unserved(list(runs.values()))
    return Walk(
        counters,
        [_state_of(stage, runs.get(stage.name), project, counters, unserved) for stage in stages_of(project.direction)],
    )


def find_unserved(runs: Sequence[Run]) -> frozenset[str]:
    """The queues without a worker on which one of `runs` waits. Nobody is asked while none waits for long.

    A worker that is busy may not answer, so a queue on which any project's run makes progress has one.
    """
    now = timezone.now()
    long_ago = now - timedelta(seconds=TAKEN_WITHIN_SECONDS)
    silent = now - timedelta(seconds=settings.RUN_STALE_SECONDS)
    waiting = {
        get_stage(run.stage).queue
        for run in runs
        if (run.status == RunStatus.QUEUED and run.created_at < long_ago)
        or (run.status == RunStatus.RUNNING and (run.heartbeat_at or run.created_at) < silent)
    }
    if not waiting or not (missing := waiting & queue.unserved_queues()):
        return frozenset()
    working = Run.objects.filter(~is_silent(now), status=RunStatus.RUNNING).values_list("stage", flat=True)
    return frozenset(missing - {get_stage(stage).queue for stage in working})


def _state_of(
    stage: Stage, run: Run | None, project: Project, counters: dict[str, int], unserved: frozenset[str]
) -> StageState:
    waits = bool(stage.needs) and not counters.get(stage.needs, 0)
    if stage.by_people:
        return StageState(stage, _people_state(waits, counters), "People do this in the browser.")
    return StageState(
        stage,
        _machine_state(waits, run),
        why_not_startable(stage, project.direction, counters),
        run,
        obstacle=None if waits else obstacle_of(stage.name, project),
        lacks_worker=run is not None and run.status in LIVE and stage.queue in unserved,
    )


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
