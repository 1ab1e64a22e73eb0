"""Lease a HIT to an annotator (`next`), keep the lease, return or skip the assignment.

An annotator holds two assignments at most, the current one and the next one. An expired or returned assignment comes
back, in the same order, only when no new slot is free.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from backend.annotation.allocation import settle, take_back, take_slot, take_slot_of
from backend.annotation.locks import lock_annotator_state, lock_hits, with_retries
from backend.annotation.models import (
    DONE,
    MAY_COME_BACK,
    WORKING,
    AnnotatorState,
    AnnotatorStatus,
    Assignment,
    AssignmentStatus,
    SkipReason,
    Slot,
)
from backend.annotation.shown_hits import ShownHit, draw_order, read_sides, show_assignments
from backend.common.compiled import Compiled
from backend.common.errors import Conflict
from backend.people.models import User
from backend.projects.models import Project
from backend.qualification.selectors import why_not_qualified

# A working day: a program that never returns an assignment would keep its pairs from everybody.
LONGEST = timedelta(hours=8)
MOST_HELD = 2
MAY_BE_SKIPPED = (AssignmentStatus.LEASED, *MAY_COME_BACK)
Reason = Literal[
    "none_left", "all_yours_done", "cap_reached", "holds_enough", "paused", "excluded", "not_qualified",
    "waiting_for_review",
]  # fmt: skip


@dataclass(frozen=True)
class NextHit:
    """What `next` found: an assignment of the caller, or the reason why there is none. Neither if it was not asked."""

    shown: ShownHit | None
    reason: Reason | None = None


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
    return REFUSALS[assignment.status]()


def lease_next(*, project: Project, annotator: User, holding: Collection[UUID] = ()) -> NextHit:
    """An assignment of the caller that is not among `holding`, which they have already; without one, a new one."""
    return with_retries(lambda: hand_over(lock_annotator_state(project=project, annotator=annotator), holding=holding))


LEASES = Compiled(
    lambda given: (
        Assignment.objects.filter(
            annotator=given("annotator"), project=given("project"), status=AssignmentStatus.LEASED
        )
        .select_related("hit__image", "hit__query")
        .order_by("leased_at")
    )
)


def hand_over(annotator_state: AnnotatorState, *, holding: Collection[UUID] = ()) -> NextHit:
    """The same inside the transaction that locked the annotator's state."""
    project, annotator = annotator_state.project, annotator_state.user
    if (reason := _why_idle(annotator_state)) is not None:
        return NextHit(None, reason)
    held = LEASES.rows(annotator=annotator.pk, project=project.pk)
    for lease in held:
        lease.project = project
        if lease.pk not in holding and _is_theirs_still(lease):
            return NextHit(show_assignments([lease])[0])
    if (reason := _why_no_more(annotator_state, n_held=len(held))) is not None:
        return NextHit(None, reason)
    slot = take_slot(project=project, annotator=annotator)
    if slot is None and take_back(project=project, others_than=annotator):
        slot = take_slot(project=project, annotator=annotator)
    if slot is not None:
        return NextHit(_lease(slot, project, annotator))
    if (back := _come_back(project, annotator)) is not None:
        return NextHit(back)
    had = Assignment.objects.filter(root=OuterRef("root"), annotator=annotator)
    for_others = Slot.objects.filter(Exists(had), project=project, assignment=None)
    return NextHit(None, "all_yours_done" if for_others.exists() else "none_left")


def _why_idle(annotator_state: AnnotatorState) -> Reason | None:
    """Why this annotator gets no HIT, also none that they hold."""
    if annotator_state.state not in WORKING:
        return "excluded" if annotator_state.state == AnnotatorStatus.EXCLUDED else "paused"
    return "not_qualified" if why_not_qualified(project=annotator_state.project, user=annotator_state.user) else None


def _why_no_more(annotator_state: AnnotatorState, *, n_held: int) -> Reason | None:
    """Why this annotator gets no HIT besides those that they hold."""
    project, n_begun = annotator_state.project, annotator_state.n_submitted + n_held
    if n_held >= MOST_HELD:
        return "holds_enough"
    if project.hits_per_annotator is not None and n_begun >= project.hits_per_annotator:
        return "cap_reached"
    # A head annotator has to look at the first HITs of this annotator.
    is_gated = project.gate_after and annotator_state.released_at is None and n_begun >= project.gate_after
    return "waiting_for_review" if is_gated else None


def _lease(slot: Slot, project: Project, annotator: User) -> ShownHit:
    now, sides = timezone.now(), read_sides([slot.hit])
    assignment = Assignment.objects.create(
        project=project,
        hit=slot.hit,
        root_id=slot.root_id,
        annotator=annotator,
        leased_at=now,
        expires_at=now + timedelta(minutes=project.lease_minutes),
        **draw_order(hit=slot.hit, pairs=list(sides), project=project, annotator=annotator),
    )
    Slot.objects.filter(pk=slot.pk).update(assignment=assignment)
    return show_assignments([assignment], sides=sides)[0]


def _come_back(project: Project, annotator: User) -> ShownHit | None:
    """What ran out or was returned, if its HIT has a free slot; what was returned last of all."""
    free = Slot.objects.filter(hit=OuterRef("hit"), assignment=None)
    gone = Assignment.objects.filter(Exists(free), project=project, annotator=annotator, status__in=MAY_COME_BACK)
    for assignment in gone.select_related("hit__image", "hit__query").order_by("status", "leased_at"):
        assignment.project = project
        if take_slot_of(assignment) and _extend(assignment, was=assignment.status, begins_again=True):
            return show_assignments([assignment])[0]
    return None


def _is_theirs_still(lease: Assignment) -> bool:
    """Renews a lease that ran out, unless somebody takes it back at this moment.

    A repeated `next` does not start the lease again, or a program that repeats it would keep the HIT without end. It
    does if nobody took the HIT for a whole lease time.
    """
    over_for = timezone.now() - lease.expires_at
    if over_for < timedelta():
        return True
    return _extend(lease, begins_again=over_for >= timedelta(minutes=lease.project.lease_minutes))


def keep_lease(*, assignment: Assignment) -> datetime:
    """Start the lease time again and return its end. A lease that ended is kept as long as nobody took the slot.

    It ends at the latest `LONGEST` after it began; the lease of an excluded annotator is not made longer. Raises the
    conflict that says what happened to the assignment.
    """
    theirs = AnnotatorState.objects.filter(project=assignment.project, user=assignment.annotator)
    if theirs.filter(state=AnnotatorStatus.EXCLUDED).exists():
        is_kept = assignment.status == AssignmentStatus.LEASED
    else:
        is_kept = _extend(assignment)
    if not is_kept or assignment.expires_at <= timezone.now():
        raise what_became_of(assignment)
    return assignment.expires_at


def _extend(lease: Assignment, *, was: str = AssignmentStatus.LEASED, begins_again: bool = False) -> bool:
    """Start the lease time again, until `LONGEST` after the lease began. False if its status is not `was` any more."""
    now = timezone.now()
    until = now + timedelta(minutes=lease.project.lease_minutes)
    if begins_again:
        lease.leased_at, lease.expires_at = now, until
    else:
        lease.expires_at = min(until, max(lease.leased_at + LONGEST, lease.expires_at))
    lease.status = AssignmentStatus.LEASED
    changes = {"status": lease.status, "leased_at": lease.leased_at, "expires_at": lease.expires_at}
    return bool(Assignment.objects.filter(pk=lease.pk, status=was).update(**changes))


@transaction.atomic
def return_assignment(*, assignment: Assignment) -> None:
    """Free the slot for others; returning twice, or after the lease ended, changes nothing.

    It comes back to this annotator last of all. Raises AlreadySubmitted.
    """
    lock_annotator_state(project=assignment.project, annotator=assignment.annotator)
    is_freed = _free(assignment, was=(AssignmentStatus.LEASED,), status=AssignmentStatus.RETURNED)
    if not is_freed and Assignment.objects.filter(pk=assignment.pk, status__in=DONE).exists():
        raise AlreadySubmitted()


@transaction.atomic
def skip_assignment(*, assignment: Assignment, reason: SkipReason, comment: str = "", comes_back: bool = False) -> None:
    """Leave the assignment for good, or, with `comes_back`, until nothing else is left for this annotator.

    Skipping again changes the reason. Raises AlreadySubmitted, or AlreadySkipped for one that was left for good.
    """
    lock_annotator_state(project=assignment.project, annotator=assignment.annotator)
    status = AssignmentStatus.RETURNED if comes_back else AssignmentStatus.SKIPPED
    said = {"skip_reason": reason, "skip_comment": comment}
    if not _free(assignment, was=MAY_BE_SKIPPED, status=status, **said):
        raise what_became_of(assignment)


def _free(assignment: Assignment, *, was: tuple[str, ...], status: str, **said: str) -> bool:
    lock_hits([assignment.root_id])
    if not Assignment.objects.filter(pk=assignment.pk, status__in=was).update(status=status, **said):
        return False
    if Slot.objects.filter(assignment=assignment).update(assignment=None):
        settle(project=assignment.project, roots=[assignment.root_id])
    return True
