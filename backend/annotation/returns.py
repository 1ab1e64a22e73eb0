"""Returning an assignment, and skipping it."""

from __future__ import annotations

from django.db import transaction

from backend.annotation.allocation import settle
from backend.annotation.locks import lock_annotator_state, lock_hits
from backend.annotation.models import DONE, Assignment, AssignmentStatus, SkipReason, Slot
from backend.annotation.refusals import AlreadySubmitted, what_became_of

IN_HAND_OR_GONE = (AssignmentStatus.LEASED, AssignmentStatus.EXPIRED, AssignmentStatus.RETURNED)


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
    if not _free(assignment, was=IN_HAND_OR_GONE, status=status, **said):
        raise what_became_of(assignment)


def _free(assignment: Assignment, *, was: tuple[str, ...], status: str, **said: str) -> bool:
    lock_hits([assignment.root_id])
    if not Assignment.objects.filter(pk=assignment.pk, status__in=was).update(status=status, **said):
        return False
    if Slot.objects.filter(assignment=assignment).update(assignment=None):
        settle(project=assignment.project, roots=[assignment.root_id])
    return True
