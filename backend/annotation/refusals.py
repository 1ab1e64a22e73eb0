"""Errors for an assignment that takes no answers any more, and repeated attempts after a lost race."""

from __future__ import annotations

from collections.abc import Callable
from time import sleep
from typing import TypeVar

import structlog
from django.db import IntegrityError, OperationalError, connection, transaction

from backend.annotation.models import Assignment, AssignmentStatus
from backend.common.errors import Conflict

logger = structlog.get_logger(__name__)
Result = TypeVar("Result")
TRIES, PAUSE = 3, 0.05  # seconds between two attempts: another submit is over by then
RACES = ("40001", "40P01")  # PostgreSQL's states of a serialization failure and a deadlock
LOCKED = "55P03"  # and of a lock that is kept for longer than a request waits


class LeaseExpired(Conflict):
    """Your time for this task ended, so others can get it. The server still keeps your answers."""

    code = "lease_expired"


class AlreadySubmitted(Conflict):
    """You already submitted this task, maybe in another tab. Your first answers count."""

    code = "already_submitted"


class AlreadyReturned(Conflict):
    """You returned this task, so others can get it. Get the next task."""

    code = "already_returned"


class AlreadySkipped(Conflict):
    """You skipped this task, so you cannot answer it. Get the next task."""

    code = "already_skipped"


class Crowded(Conflict):
    """Too many people asked for tasks at once. Try again."""

    code = "crowded"


REFUSALS: dict[str, type[Conflict]] = {
    AssignmentStatus.LEASED: LeaseExpired,  # nobody took it yet, but its time is over
    AssignmentStatus.SUBMITTED: AlreadySubmitted,
    AssignmentStatus.LATE: AlreadySubmitted,
    AssignmentStatus.EXPIRED: LeaseExpired,
    AssignmentStatus.RETURNED: AlreadyReturned,
    AssignmentStatus.SKIPPED: AlreadySkipped,
}


def what_became_of(assignment: Assignment) -> Conflict:
    """The error that says why the assignment takes no answers; its status is read again."""
    assignment.refresh_from_db(fields=["status"])
    return REFUSALS.get(assignment.status, Conflict)()


def with_retries(work: Callable[[], Result]) -> Result:
    """Run `work` in one transaction, and again if another request was faster. Raises Crowded at last.

    A deadlock or a locked file is also tried again, unless it is inside the caller's transaction, which is lost. There
    is no second attempt after a lock that took too long.
    """
    is_whole = not connection.in_atomic_block
    for attempt in range(1, TRIES + 1):
        if attempt > 1 and is_whole:
            sleep(PAUSE)
        try:
            with transaction.atomic():
                return work()
        except (IntegrityError, OperationalError) as error:
            if isinstance(error, OperationalError) and not (is_whole and _is_of_others(error)):
                raise
            logger.warning("assignment_raced", attempt=attempt, error=repr(error))
            if _state_of(error) == LOCKED:
                break
    raise Crowded()


def _is_of_others(error: OperationalError) -> bool:
    """Whether other requests caused the error, and not a database that is down."""
    return _state_of(error) in (*RACES, LOCKED) or "is locked" in str(error)


def _state_of(error: Exception) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)
