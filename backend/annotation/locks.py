"""Row locks, the one order in which every transaction takes them, and repeated attempts after a lost race.

The order: run, project, quality policies, what annotators read and passed, annotator states, terms of the quiz,
controls, HITs (by their root), slots; within one kind by id. docs/annotation-engine.md has the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from time import sleep
from typing import Any, TypeVar

import structlog
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet

from backend.annotation.models import AnnotatorState, Hit
from backend.common.compiled import Compiled
from backend.common.errors import Conflict, NotFound
from backend.people.models import User
from backend.projects.models import Membership, Project

logger = structlog.get_logger(__name__)
Result = TypeVar("Result")
TRIES, PAUSE = 3, 0.05  # seconds between two attempts: another submit is over by then
# PostgreSQL's states of a serialization failure, a deadlock, and a lock kept for longer than a request waits.
RACES = ("40001", "40P01", LOCKED := "55P03")


class Crowded(Conflict):
    """Too many people asked for tasks at once. Try again."""

    code = "crowded"


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
            state = getattr(error.__cause__, "sqlstate", None)
            is_race = is_whole and (state in RACES or "is locked" in str(error))
            if not (is_race or isinstance(error, IntegrityError)):
                raise
            logger.warning("assignment_raced", attempt=attempt, error=repr(error))
            if state == LOCKED:
                break
    raise Crowded()


LOCKED_STATE = Compiled(
    lambda given: AnnotatorState.objects.filter(project=given("project"), user=given("user")).select_for_update(
        no_key=True
    )
)
MEMBERSHIP = Compiled(
    lambda given: Membership.objects.filter(project=given("project"), user=given("user")).select_related(
        "project__qualification"
    )
)


def lock_annotator_state(*, project: Project, annotator: User) -> AnnotatorState:
    """The annotator's state, locked; it is made when they begin. Raises NotFound for people outside the project.

    Its `project` is read behind the lock. So a limit that was set while the request waited holds for it.
    """
    mine = {"project": project.pk, "user": annotator.pk}
    if (found := LOCKED_STATE.first(**mine)) is None:
        AnnotatorState.objects.get_or_create(project=project, user=annotator)
        [found] = LOCKED_STATE.rows(**mine)
    if (membership := MEMBERSHIP.first(**mine)) is None:
        raise NotFound()  # which takes back a state that was made
    found.project, found.user = membership.project, annotator
    return found


def lock_annotator_states(project: Project, users: Collection[int] | None = None) -> list[AnnotatorState]:
    """The states of the project's annotators, or of these users, by id; none is made."""
    theirs = AnnotatorState.objects.filter(project=project)
    theirs = theirs if users is None else theirs.filter(user__in=users)
    return list(theirs.order_by("pk").select_for_update(no_key=True))


LOCKED_HITS = Compiled(
    lambda given: (
        Hit.objects.filter(pk__in=given("roots", many=True))
        .order_by("pk")
        .select_for_update(no_key=True)
        .values_list("pk", flat=True)
    )
)


def lock_hits(roots: Collection[int]) -> None:
    """Wait for everybody who settles one of these roots; what is read afterwards is as they left it."""
    LOCKED_HITS.rows(roots=list(roots))


def lock_idle_hits(roots: Collection[int] | QuerySet[Any, Any]) -> list[int]:
    """Lock those of these roots that nobody holds at this moment, and say which."""
    idle = Hit.objects.filter(pk__in=roots).order_by("pk").select_for_update(skip_locked=True, no_key=True)
    return list(idle.values_list("pk", flat=True))
