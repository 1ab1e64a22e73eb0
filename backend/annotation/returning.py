"""Keeping a page longer, giving it back, and leaving it to others."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from backend.annotation.holding import hold_hits, hold_standing
from backend.annotation.leasing import keep_until, longest_until
from backend.annotation.models import DONE, Assignment, AssignmentStatus, SkipReason, Slot, Standing, StandingState
from backend.annotation.places import list_coming_back
from backend.annotation.refusals import AlreadySubmitted, LeftTooMany, what_became_of
from backend.annotation.settling import settle_freed

# Who gives back page after page sees the whole project, and then knows each borrowed control of the pages that are to
# come back: its words stand on two pictures, and on the other one they fit. So few can wait for one person at a time.
MOST_WAITING, DONE_FOR_ONE_MORE = 20, 5
IN_HAND_OR_GONE = (AssignmentStatus.LEASED, AssignmentStatus.EXPIRED, AssignmentStatus.RETURNED)


def keep_lease(*, assignment: Assignment) -> datetime:
    """Start the lease time anew, and say until when; a page that ran out is kept as long as nobody took it.

    No page is kept for longer than `LONGEST`, see there, and that of somebody excluded no longer than it was already,
    as others are to say what will count. Raises the conflict that tells what became of it otherwise: once that is over,
    that its time ran out, as nothing can be promised any more.
    """
    until = assignment.expires_at if _is_excluded(assignment) else longest_until(assignment)
    if until <= timezone.now() or not keep_until(assignment, until):
        raise what_became_of(assignment)
    return until


def _is_excluded(assignment: Assignment) -> bool:
    theirs = Standing.objects.filter(project=assignment.project, user=assignment.annotator)
    return theirs.filter(state=StandingState.EXCLUDED).exists()


@transaction.atomic
def return_assignment(*, assignment: Assignment) -> None:
    """Free the place for others; returning twice, or after the lease ran out, changes nothing.

    It comes back to this person last of all. Raises AlreadySubmitted, or LeftTooMany where many wait for them already.
    """
    standing = hold_standing(project=assignment.project, annotator=assignment.annotator)
    _check_waiting(assignment, standing)
    if not _let_go(assignment, was=(AssignmentStatus.LEASED,), status=AssignmentStatus.RETURNED):
        _refuse_done(assignment)


@transaction.atomic
def skip_assignment(*, assignment: Assignment, reason: SkipReason, comment: str = "", comes_back: bool = False) -> None:
    """Leave the page: for good, or, with `comes_back`, until nothing else is left for this person.

    Skipping again changes the reason. Raises AlreadySubmitted, or AlreadySkipped for one that was left for good,
    LeftTooMany where it should come back as many others.
    """
    standing = hold_standing(project=assignment.project, annotator=assignment.annotator)
    if comes_back:
        _check_waiting(assignment, standing)
    status = AssignmentStatus.RETURNED if comes_back else AssignmentStatus.SKIPPED
    said = {"skip_reason": reason, "skip_comment": comment}
    if not _let_go(assignment, was=IN_HAND_OR_GONE, status=status, **said):
        raise what_became_of(assignment)


def _check_waiting(assignment: Assignment, standing: Standing) -> None:
    """Raises LeftTooMany where this page, if still in hand, would be one too many of those that wait for them.

    What others have taken since waits for nobody.
    """
    if assignment.status != AssignmentStatus.LEASED:
        return
    most = MOST_WAITING + standing.n_submitted // DONE_FOR_ONE_MORE
    waiting = list_coming_back(project=assignment.project, annotator=assignment.annotator)
    if waiting.count() >= most:
        raise LeftTooMany()


def _let_go(assignment: Assignment, *, was: tuple[str, ...], status: str, **said: str) -> bool:
    hold_hits([assignment.hit_id])
    if not Assignment.objects.filter(pk=assignment.pk, status__in=was).update(status=status, **said):
        return False
    if Slot.objects.filter(assignment=assignment).update(assignment=None):
        settle_freed(project=assignment.project, hits=[assignment.hit_id])
    return True


def _refuse_done(assignment: Assignment) -> None:
    if Assignment.objects.filter(pk=assignment.pk, status__in=DONE).exists():
        raise AlreadySubmitted()
