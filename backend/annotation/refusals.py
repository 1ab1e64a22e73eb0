"""What became of a page that is no longer in these hands, in words; and losing a race."""

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
TRIES, PAUSE = 3, 0.05  # seconds between two: somebody else's submit is over by then
RACES = ("40001", "40P01")  # PostgreSQL's states of a serialization failure and a deadlock
HELD_UP = "55P03"  # and of a lock that somebody else keeps for longer than a request waits


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
    AssignmentStatus.LEASED: LeaseExpired,  # nobody has taken it yet, but its time is over
    AssignmentStatus.SUBMITTED: AlreadySubmitted,
    AssignmentStatus.LATE: AlreadySubmitted,
    AssignmentStatus.EXPIRED: LeaseExpired,
    AssignmentStatus.RETURNED: AlreadyReturned,
    AssignmentStatus.SKIPPED: AlreadySkipped,
}


def what_became_of(assignment: Assignment) -> Conflict:
    """The error that tells why a page cannot be worked on: its state is read anew."""
    assignment.refresh_from_db(fields=["status"])
    return REFUSALS.get(assignment.status, Conflict)()


def with_retries(work: Callable[[], Result]) -> Result:
    """`work` in one transaction, again where the database said that somebody was faster. Raises Crowded at last.

    A deadlock or a locked file is tried again too, unless the caller's transaction is around it: that one is lost. Who
    has waited for a lock in vain has waited long enough.
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
            if _state_of(error) == HELD_UP:
                break
    raise Crowded()


def _is_of_others(error: OperationalError) -> bool:
    """What others did at the same moment, and not a database that is away."""
    return _state_of(error) in (*RACES, HELD_UP) or "is locked" in str(error)


def _state_of(error: Exception) -> str | None:
    return getattr(error.__cause__, "sqlstate", None)
