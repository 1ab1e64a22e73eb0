"""`next`: the HIT that an annotator holds, or a new one, reserved for the lease time.

An annotator holds two at most, the current one and the next one. What ran out or was returned comes back as the same
assignment, in the same order, only when nothing new is free.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from backend.annotation.allocation import take_back, take_slot, take_slot_of
from backend.annotation.annotator_states import is_at_gate, is_capped, may_still_hold, why_idle
from backend.annotation.locks import lock_annotator_state
from backend.annotation.models import MAY_COME_BACK, AnnotatorState, Assignment, AssignmentStatus, Hit, Slot
from backend.annotation.pages import ShownHit, draw_order, show_assignment
from backend.annotation.refusals import what_became_of, with_retries
from backend.people.models import User
from backend.projects.models import Project

# A working day: a program that never returns an assignment would keep its pairs from everybody.
LONGEST = timedelta(hours=8)
MOST_HELD = 2
Reason = Literal[
    "none_left", "all_yours_done", "cap_reached", "holds_enough", "paused", "excluded", "not_qualified",
    "waiting_for_review",
]  # fmt: skip


@dataclass(frozen=True)
class NextHit:
    """What `next` found: an assignment of the caller, or the reason why there is none. Neither if it was not asked."""

    shown: ShownHit | None
    reason: Reason | None = None


def lease_next(*, project: Project, annotator: User, holding: Collection[UUID] = ()) -> NextHit:
    """An assignment of the caller that is not among `holding`, which they have already; without one, a new one."""

    def work() -> NextHit:
        annotator_state = lock_annotator_state(project=project, annotator=annotator)
        return hand_over(annotator_state=annotator_state, project=project, annotator=annotator, holding=holding)

    return with_retries(work)


def hand_over(
    *, annotator_state: AnnotatorState, project: Project, annotator: User, holding: Collection[UUID] = ()
) -> NextHit:
    """The same inside a transaction that holds the annotator's state."""
    if (idle := why_idle(annotator_state=annotator_state, project=project)) is not None:
        return NextHit(None, idle)
    leases = Assignment.objects.filter(annotator=annotator, project=project, status=AssignmentStatus.LEASED)
    held = list(leases.order_by("leased_at").select_related("hit__image", "hit__query"))
    for lease in held:
        lease.project = project
        if lease.pk not in holding and _is_theirs_still(lease):
            return NextHit(show_assignment(lease))
    if len(held) >= MOST_HELD:
        return NextHit(None, "holds_enough")
    if is_capped(annotator_state=annotator_state, project=project, n_held=len(held)):
        return NextHit(None, "cap_reached")
    if is_at_gate(annotator_state=annotator_state, project=project, n_held=len(held)):
        return NextHit(None, "waiting_for_review")
    return _new_or_old(project, annotator)


def _new_or_old(project: Project, annotator: User) -> NextHit:
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


def _lease(slot: Slot, project: Project, annotator: User) -> ShownHit:
    hit = Hit.objects.select_related("image", "query").get(pk=slot.hit_id)
    order = draw_order(hit=hit, project=project, annotator=annotator)
    assignment = Assignment.objects.create(
        project=project, hit=hit, root_id=slot.root_id, annotator=annotator, seed=order.seed, shown=order.shown,
        options=order.options, leased_at=timezone.now(), expires_at=lease_until(project),
    )  # fmt: skip
    Slot.objects.filter(pk=slot.pk).update(assignment=assignment)
    return show_assignment(assignment)


def _come_back(project: Project, annotator: User) -> ShownHit | None:
    """What ran out or was returned, if its HIT has a free slot; what was returned last of all."""
    free = Slot.objects.filter(hit=OuterRef("hit"), assignment=None)
    gone = Assignment.objects.filter(Exists(free), project=project, annotator=annotator, status__in=MAY_COME_BACK)
    for assignment in gone.select_related("hit__image", "hit__query").order_by("status", "leased_at"):
        assignment.project = project
        if take_slot_of(assignment) and _renew(assignment, was=assignment.status):
            return show_assignment(assignment)
    return None


def _is_theirs_still(lease: Assignment) -> bool:
    """Renews a lease that ran out, unless somebody takes it back at this moment.

    Asking again does not begin it anew, or a program that asks for ever would keep the HIT for ever. It does where the
    HIT was there for others for a whole lease time and nobody took it.
    """
    now = timezone.now()
    if lease.expires_at > now:
        return True
    if lease.expires_at + _lease_time(lease.project) <= now:
        return _renew(lease, was=AssignmentStatus.LEASED)
    return _keep_until(lease, _longest_until(lease))


def _renew(lease: Assignment, *, was: str) -> bool:
    lease.status, lease.leased_at = AssignmentStatus.LEASED, timezone.now()
    lease.expires_at = lease_until(lease.project)
    changes = {"status": lease.status, "leased_at": lease.leased_at, "expires_at": lease.expires_at}
    return bool(Assignment.objects.filter(pk=lease.pk, status=was).update(**changes))


def keep_lease(*, assignment: Assignment) -> datetime:
    """Start the lease time again and say until when; a lease that ran out is kept as long as nobody took the slot.

    It ends at the latest `LONGEST` after it began; of an excluded annotator it is not made longer. Raises the conflict
    that says what became of the assignment.
    """
    until = _longest_until(assignment) if may_still_hold(assignment) else assignment.expires_at
    if until <= timezone.now() or not _keep_until(assignment, until):
        raise what_became_of(assignment)
    return until


def _keep_until(lease: Assignment, until: datetime) -> bool:
    lease.expires_at = until
    return bool(Assignment.objects.filter(pk=lease.pk, status=AssignmentStatus.LEASED).update(expires_at=until))


def _longest_until(lease: Assignment) -> datetime:
    return min(lease_until(lease.project), max(lease.leased_at + LONGEST, lease.expires_at))


def lease_until(project: Project) -> datetime:
    """When a lease that begins now runs out."""
    return timezone.now() + _lease_time(project)


def _lease_time(project: Project) -> timedelta:
    return timedelta(minutes=project.lease_minutes)
