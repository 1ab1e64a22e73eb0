"""A run's life: started, claimed by a worker, finished, failed, cancelled, retried, recovered."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from itertools import islice
from typing import Any

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from backend.common.errors import Conflict, InvalidInput
from backend.people.models import User
from backend.projects.counters import read_counters
from backend.projects.models import Project
from backend.runs import queue
from backend.runs.models import LIVE, Refusal, Run, RunStatus
from backend.runs.outcome import STARTS_AGAIN
from backend.runs.selectors import is_silent, why_not_startable
from backend.runs.walk import check_direction, get_stage, read_parameters
from backend.webhooks.models import WebhookEvent
from backend.webhooks.services import emit

logger = structlog.get_logger(__name__)
MAX_ATTEMPTS = 5
EVENTS = {RunStatus.SUCCEEDED: WebhookEvent.RUN_FINISHED, RunStatus.FAILED: WebhookEvent.RUN_FAILED}
REFUSAL_FIELDS = ("line", "name", "code", "message", "params", "is_ignored")
WORKER_DIED = "{n} workers stopped at this stage, perhaps because memory was full. Look at their logs, then retry."

RETRIED = "Run {run} already retries this run and is {status}. Look at that run."


class StageRunning(Conflict):
    """This stage is already running. Wait for it, or cancel it first."""

    code = "stage_running"


class NotStartable(Conflict):
    """This stage cannot start yet."""

    code = "not_startable"


def start_run(
    *,
    project: Project,
    stage: str,
    parameters: dict[str, Any] | None = None,
    seed: int = 0,
    started_by: User | None = None,
    retry_of: Run | None = None,
) -> Run:
    """Queue one execution of `stage`. Raises InvalidInput, NotStartable or StageRunning, each with a sentence."""
    known = get_stage(stage)
    if known.by_people:
        raise InvalidInput(
            "People do this stage: {stage}. You cannot start it.",
            code="done_by_people",
            params={"stage": known.label},
        )
    check_direction(known, project.direction)
    counters = read_counters([project.pk])[project.pk]
    complete = read_parameters(known, parameters or {}, counters)
    if reason := why_not_startable(known, project.direction, counters):
        raise NotStartable(template=reason)  # the German is with the stage, by its name
    run = Run(project=project, stage=stage, parameters=complete, seed=seed, started_by=started_by, retry_of=retry_of)
    run.code_version = settings.CODE_VERSION
    return _queue(run)


def _queue(run: Run) -> Run:
    try:
        with transaction.atomic():
            run.save(force_insert=True)
    except IntegrityError as error:
        raise StageRunning() from error
    # Robust: a broker that is down for a moment is logged and costs time, no run; recovery sends what was not sent.
    transaction.on_commit(lambda: queue.send_run(str(run.pk), stage=run.stage), robust=True)
    return run


def claim_run(*, run_id: str) -> Run | None:
    """Take a queued run, or one whose worker fell silent. None when there is nothing to take.

    The conditional UPDATE lets exactly one of two claimants win. A run that somebody cancelled ends here instead: its
    worker died in a step and cannot see the request any more.
    """
    now = timezone.now()
    _end_cancelled(Run.objects.filter(_in_nobodys_hands(now), pk=run_id), now)
    holder = secrets.token_hex(16)
    taken = Run.objects.filter(_in_nobodys_hands(now), pk=run_id).update(
        status=RunStatus.RUNNING,
        holder=holder,
        attempt=F("attempt") + 1,
        started_at=Coalesce("started_at", now),
        heartbeat_at=now,
    )
    return Run.objects.select_related("project").get(pk=run_id) if taken else None


def _in_nobodys_hands(now: datetime) -> Q:
    """Queued, or running under a worker that has been silent for RUN_STALE_SECONDS."""
    return Q(status=RunStatus.QUEUED) | Q(is_silent(now), status=RunStatus.RUNNING)


def _end_cancelled(runs: QuerySet[Run], now: datetime) -> None:
    """End those of `runs` that somebody asked to cancel. The caller gives only runs that no live worker holds."""
    runs.filter(cancel_requested_at__isnull=False).update(status=RunStatus.CANCELLED, finished_at=now)


def beat_run(*, run: Run) -> bool:
    """Say that the worker is alive. False when the run is no longer its own, or was cancelled."""
    mine = Run.objects.filter(pk=run.pk, holder=run.holder, status=RunStatus.RUNNING)
    is_mine = bool(mine.update(heartbeat_at=timezone.now()))
    return is_mine and mine.filter(cancel_requested_at=None).exists()


def finish_run(*, run: Run) -> bool:
    """All work of the run is committed. False when another worker holds it."""
    return _end(run, RunStatus.SUCCEEDED)


def fail_run(*, run: Run, code: str, message: str, params: Mapping[str, Any] | None = None) -> bool:
    """The run stopped at an error; what was committed stays, and a retry resumes from there."""
    more = {"params": dict(params)} if params else {}
    return _end(run, RunStatus.FAILED, error={"code": code, "message": message} | more)


def stop_run(*, run: Run) -> bool:
    """The worker saw the request to cancel and stopped between two steps."""
    return _end(run, RunStatus.CANCELLED)


@transaction.atomic
def _end(run: Run, status: RunStatus, **fields: Any) -> bool:
    mine = Run.objects.filter(pk=run.pk, holder=run.holder, status=RunStatus.RUNNING)
    has_ended = bool(mine.update(status=status, finished_at=timezone.now(), **fields))
    if has_ended:
        _tell(run, status, fields.get("error"))
    return has_ended


def _tell(run: Run, status: RunStatus, error: Mapping[str, Any] | None = None) -> None:
    """Tell the project's webhooks that a run succeeded or failed."""
    event = EVENTS.get(status)
    if event is None:
        return
    said = {"code": error["code"], "message": error["message"]} if error else None
    data = {"run": run.pk, "stage": run.stage, "status": status.value, "error": said}
    emit(project=run.project, event=event, data=data)


def cancel_run(*, run: Run) -> Run:
    """Cancel at once what no live worker holds; ask a running one to stop after its step. Raises Conflict when over."""
    now, this = timezone.now(), Run.objects.filter(pk=run.pk)
    ended = {"status": RunStatus.CANCELLED, "cancel_requested_at": now, "finished_at": now}
    was_free = this.filter(_in_nobodys_hands(now)).update(**ended)
    if not was_free and not this.filter(status=RunStatus.RUNNING).update(cancel_requested_at=now):
        raise Conflict("This run is already over.", code="run_over")
    run.refresh_from_db()
    return run


@transaction.atomic
def retry_run(*, run: Run, started_by: User | None) -> Run:
    """Go on where a failed or cancelled run stopped: same parameters and seed, its cursor and report carried on.

    An import that took nothing starts again, as its source or the images may be better now.

    Once: what it left is in its retry's hands from then on, so that one is retried next. Raises Conflict.
    """
    if run.status not in (RunStatus.FAILED, RunStatus.CANCELLED):
        raise Conflict("You can retry only a failed or cancelled run.", code="not_retryable")
    if (newest := _newest_retry(run)) is not None:
        raise Conflict(
            RETRIED,
            code="already_retried",
            params={"run": str(newest.pk), "status": str(RunStatus(newest.status).label)},
        )
    again = Run(project=run.project, stage=run.stage, parameters=run.parameters, seed=run.seed, retry_of=run)
    again.started_by, again.code_version = started_by, settings.CODE_VERSION
    if (run.error or {}).get("code") in STARTS_AGAIN:  # it was read to its end: only from the start can it be better
        return _queue(again)
    again.cursor, again.counts, again.done, again.total = run.cursor, run.counts, run.done, run.total
    _queue(again)
    _carry_refusals(run, again)
    return again


def _newest_retry(run: Run) -> Run | None:
    """The last of the runs that went on after this one, each after the one before; None where none did."""
    newest = run.retries.order_by("-created_at").first()
    while newest is not None and (next_one := newest.retries.order_by("-created_at").first()) is not None:
        newest = next_one
    return newest


def _carry_refusals(run: Run, again: Run) -> None:
    """The counts carried on speak of these rows, and the cursor is past them: nobody would list them again."""
    rows = run.refusals.order_by("id").values(*REFUSAL_FIELDS).iterator(chunk_size=1000)
    while batch := [Refusal(run=again, **row) for row in islice(rows, 1000)]:
        Refusal.objects.bulk_create(batch)


def recover_runs() -> int:
    """Send again every live run that no worker has touched for RUN_STALE_SECONDS. Returns how many.

    Sending one twice is harmless: `claim_run` lets one worker win. A run that has cost MAX_ATTEMPTS workers their life
    (out of memory, say) is failed instead, so that it does not take down worker after worker for ever.
    """
    now = timezone.now()
    untouched = Coalesce("heartbeat_at", "created_at")
    silent = Run.objects.filter(status__in=LIVE).alias(touched=untouched).filter(is_silent(now, "touched"))
    _end_cancelled(silent, now)
    deadly = {"code": "worker_died", "message": WORKER_DIED.format(n=MAX_ATTEMPTS)}
    for run in silent.filter(attempt__gte=MAX_ATTEMPTS).select_related("project"):
        with transaction.atomic():
            ended = {"status": RunStatus.FAILED, "error": deadly, "finished_at": timezone.now()}
            if silent.filter(pk=run.pk).update(**ended):
                _tell(run, RunStatus.FAILED, deadly)
    waiting = list(silent.filter(attempt__lt=MAX_ATTEMPTS))
    for run in waiting:
        logger.warning("run_recovered", run=str(run.pk), stage=run.stage, attempt=run.attempt)
        queue.send_run(str(run.pk), stage=run.stage)
    return len(waiting)
