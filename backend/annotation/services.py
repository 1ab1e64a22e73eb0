"""A HIT's way through one person's hands: leased, submitted or returned, and a change of mind.

Everything one person does on a project happens behind a lock on their membership, so that two tabs, a double click and
a repeated request come one after the other; different people never wait for each other. A place (Slot) has one holder
at a time, and every change of an assignment's state is a conditional UPDATE, so that one of two claimants wins.

A late submit is accepted as long as the lease was not given away: `status` is still `leased`, nobody took the place.
Once the place was freed the answer is 409 `lease_expired` and nothing is stored, so that no pair gets more judgments
than it has places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeVar

import structlog
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from backend.annotation import selectors
from backend.annotation.models import Assignment, AssignmentStatus, Hit, Judgment, Label, Slot
from backend.annotation.selectors import HELD, ShownHit
from backend.common.errors import Conflict, InvalidInput, NotFound
from backend.methods.assignment import order_seed, shuffle_order
from backend.people.models import User
from backend.projects.models import Membership, Project

logger = structlog.get_logger(__name__)
Result = TypeVar("Result")
Reason = Literal["none_left", "all_yours_done"]
TRIES = 3
MET_BEFORE = (*HELD, AssignmentStatus.RETURNED)


class LeaseExpired(Conflict):
    """Your time for this page ran out and somebody else took it over. Nothing was stored; ask for the next one."""

    code = "lease_expired"


class AlreadySubmitted(Conflict):
    """This page was submitted before, perhaps in another tab. What was submitted then stands."""

    code = "already_submitted"


class AlreadyReturned(Conflict):
    """You gave this page back, so that others can take it. Ask for the next one."""

    code = "already_returned"


class MindChangedTwice(Conflict):
    """This judgment was changed at the same moment, perhaps in another tab. Reload to see how it stands."""


class Crowded(Conflict):
    """Too many people reached for the same pages at once. Try again."""

    code = "crowded"


class PlaceTaken(Exception):
    """Somebody took the place between the look and the grasp; `_with_retries` looks again."""


@dataclass(frozen=True)
class NextHit:
    """What `next` found: a HIT in the caller's hands, or why there is none."""

    shown: ShownHit | None
    reason: Reason | None = None


@dataclass(frozen=True)
class Judged:
    """One answer as it was sent. `ms` is the time on the item in milliseconds."""

    position: int
    label: Label
    ms: int | None = None


@dataclass(frozen=True)
class Submitted:
    submitted_at: datetime
    next: NextHit


def lease_next(*, project: Project, annotator: User) -> NextHit:
    """The caller's live lease; without one, the first place that is free for them, theirs for the lease time."""

    def work() -> NextHit:
        _hold_membership(project, annotator)
        return _lease(project, annotator)

    return _with_retries(work)


def submit_assignment(
    *, assignment: Assignment, judgments: Sequence[Judged], idempotency_key: str, fetch_next: bool = False
) -> Submitted:
    """Store one answer per position, all or none, and hand over the next HIT in the same transaction.

    The same key again gets the same answer and stores nothing. Raises InvalidInput naming the positions that are
    missing or too many; AlreadySubmitted, LeaseExpired or AlreadyReturned when the HIT is no longer in these hands.
    """
    _check_complete(assignment, judgments)
    project, annotator = assignment.hit.project, assignment.annotator

    def work() -> Submitted:
        _hold_membership(project, annotator)
        submitted_at = _store(assignment, judgments, idempotency_key)
        return Submitted(submitted_at, _lease(project, annotator) if fetch_next else NextHit(None))

    return _with_retries(work)


@transaction.atomic
def return_assignment(*, assignment: Assignment) -> None:
    """Free the place for others; returning twice, or after the lease ran out, changes nothing."""
    _hold_membership(assignment.hit.project, assignment.annotator)
    leased = Assignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.LEASED)
    if leased.update(status=AssignmentStatus.RETURNED):
        Slot.objects.filter(assignment=assignment).update(assignment=None)
    elif Assignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.SUBMITTED).exists():
        raise AlreadySubmitted()


def revise_judgment(*, assignment: Assignment, position: int, label: Label, ms: int | None = None) -> Judgment:
    """Append a judgment that supersedes the one that stands there. Raises MindChangedTwice when another was faster.

    The row that stands is read before the transaction: the unique `supersedes` then lets one of two writers win.
    """
    standing = selectors.get_judgment(assignment=assignment, position=position)
    if standing.label == label:
        return standing
    revised = Judgment(assignment=assignment, candidate_id=standing.candidate_id, annotator_id=assignment.annotator_id)
    revised.position, revised.label, revised.ms, revised.supersedes = position, label, ms, standing
    try:
        with transaction.atomic():
            revised.save(force_insert=True)
    except IntegrityError as error:
        raise MindChangedTwice() from error
    return revised


def _with_retries(work: Callable[[], Result]) -> Result:
    """`work` in one transaction, again where the database said that somebody was faster."""
    for attempt in range(1, TRIES + 1):
        try:
            with transaction.atomic():
                return work()
        except (IntegrityError, PlaceTaken) as error:
            logger.warning("assignment_raced", attempt=attempt, error=repr(error))
    raise Crowded()


def _hold_membership(project: Project, user: User) -> None:
    """Wait for whatever else this person is doing on the project. Raises NotFound when they no longer belong to it."""
    mine = Membership.objects.select_for_update().filter(project=project, user=user)
    if mine.values_list("pk", flat=True).first() is None:
        raise NotFound()


def _lease(project: Project, annotator: User) -> NextHit:
    held = list(selectors.list_leases(project=project, annotator=annotator))
    now = timezone.now()
    if live := next((lease for lease in held if lease.expires_at > now), None):
        return NextHit(selectors.get_shown(assignment=live))
    if held:
        _expire(Assignment.objects.filter(pk__in=[lease.pk for lease in held]))
    if (place := _find_place(project, annotator)) is not None:
        return NextHit(_take(place, project, annotator))
    others = selectors.has_places_for_others(project=project, annotator=annotator)
    return NextHit(None, "all_yours_done" if others else "none_left")


def _find_place(project: Project, annotator: User) -> Slot | None:
    """A free place, locked. Leases that ran out are taken back only when nothing else is free: until then a late
    answer is still welcome. What this person returned comes back to them last of all.
    """
    if (place := _first_free(project, annotator, MET_BEFORE)) is not None:
        return place
    late = Assignment.objects.filter(hit__in=Hit.objects.filter(project=project), expires_at__lte=timezone.now())
    _expire(late)
    return _first_free(project, annotator, MET_BEFORE) or _first_free(project, annotator, HELD)


def _first_free(project: Project, annotator: User, not_met: Sequence[AssignmentStatus]) -> Slot | None:
    free = selectors.list_free_places(project=project, annotator=annotator, not_met=not_met)
    return free.select_for_update(skip_locked=True, of=("self",)).first()


def _expire(leases: QuerySet[Assignment]) -> None:
    """Take leases back and free their places; one that is being submitted right now is left alone."""
    leased = leases.filter(status=AssignmentStatus.LEASED).select_for_update(skip_locked=True)
    ids = list(leased.values_list("pk", flat=True))
    if ids:
        Assignment.objects.filter(pk__in=ids).update(status=AssignmentStatus.EXPIRED)
        Slot.objects.filter(assignment__in=ids).update(assignment=None)


def _take(place: Slot, project: Project, annotator: User) -> ShownHit:
    items = selectors.list_items(hit=place.hit)
    place.hit.project = project
    seed = order_seed(project.slug, place.hit.subject, place.hit.part, annotator.username)
    shown = [items[index] for index in shuffle_order(len(items), seed=seed)]
    now = timezone.now()
    assignment, _ = Assignment.objects.update_or_create(
        hit=place.hit,
        annotator=annotator,
        defaults={
            "project": project,
            "status": AssignmentStatus.LEASED,
            "seed": seed,
            "shown": [candidate_id for candidate_id, _ in shown],
            "leased_at": now,
            "expires_at": now + timedelta(minutes=project.lease_minutes),
        },
    )
    if not Slot.objects.filter(pk=place.pk, assignment=None).update(assignment=assignment):
        raise PlaceTaken
    return ShownHit(assignment, [text for _, text in shown])


def _check_complete(assignment: Assignment, judgments: Sequence[Judged]) -> None:
    sent = [judged.position for judged in judgments]
    wanted = range(1, len(assignment.shown) + 1)
    missing = sorted(set(wanted) - set(sent))
    unknown = sorted(set(sent) - set(wanted))
    twice = sorted({position for position in sent if sent.count(position) > 1})
    if missing or unknown or twice:
        details = {"missing": missing, "unknown": unknown, "twice": twice}
        raise InvalidInput(f"Judge every caption exactly once. {_name_positions(details)}", details=details)


def _name_positions(details: dict[str, list[int]]) -> str:
    words = {"missing": "Not judged", "unknown": "Not on this page", "twice": "Judged twice"}
    return " ".join(f"{words[kind]}: {', '.join(map(str, found))}." for kind, found in details.items() if found)


def _store(assignment: Assignment, judgments: Sequence[Judged], idempotency_key: str) -> datetime:
    now = timezone.now()
    leased = Assignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.LEASED)
    if not leased.update(status=AssignmentStatus.SUBMITTED, submitted_at=now, idempotency_key=idempotency_key):
        return _submitted_before(assignment, judgments, idempotency_key)
    Judgment.objects.bulk_create(
        Judgment(
            assignment=assignment,
            candidate_id=assignment.shown[judged.position - 1],
            annotator_id=assignment.annotator_id,
            label=judged.label,
            position=judged.position,
            ms=judged.ms,
        )
        for judged in sorted(judgments, key=lambda judged: judged.position)
    )
    return now


def _submitted_before(assignment: Assignment, judgments: Sequence[Judged], idempotency_key: str) -> datetime:
    """When this very submit was stored; raises what became of the HIT where it is not a repeat of one."""
    assignment.refresh_from_db(fields=["status", "submitted_at", "idempotency_key"])
    if assignment.status == AssignmentStatus.EXPIRED:
        raise LeaseExpired()
    if assignment.status == AssignmentStatus.RETURNED:
        raise AlreadyReturned()
    if assignment.submitted_at is None or assignment.idempotency_key != idempotency_key:
        raise AlreadySubmitted()
    first = Judgment.objects.filter(assignment=assignment, supersedes=None).values_list("position", "label")
    if dict(first) != {judged.position: judged.label for judged in judgments}:
        raise AlreadySubmitted("This page was submitted before with other answers under the same key. The first stand.")
    return assignment.submitted_at
