"""`submit`: one answer per position, all or none, stored once; late ones too.

Late is no loss. While the place was not taken back the answers count as ever, and so they do when it was but is free
again, and one of the pairs is wanted still. Else they are kept as surplus: status `late`, read by nothing that counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from backend.annotation.answers import Judged, judgment_of, read_answers, substance_of
from backend.annotation.grading import grade_controls
from backend.annotation.holding import held_hit, hold_hits, hold_standing
from backend.annotation.leasing import NextHit, hand_over, is_for_a_moment
from backend.annotation.models import DONE, Assignment, AssignmentStatus, Judgment, Standing
from backend.annotation.places import is_of_use, list_open_pairs, take_in_hit
from backend.annotation.refusals import AlreadySubmitted, what_became_of, with_retries
from backend.annotation.settling import settle_freed, settle_when_full
from backend.annotation.standings import count_work
from backend.common.compiled import CompiledUpdate
from backend.common.plain_insert import insertion

# Holds the HIT by the way and tells whether the person has another page: a statement for either cost as much as any.
# The subquery sees what was there when the statement began; what they have grows only while their standing is held.
HAS_ANOTHER = Exists(
    Assignment.objects.filter(
        ~Q(pk=OuterRef("pk")),
        annotator=OuterRef("annotator"),
        project=OuterRef("project"),
        status=AssignmentStatus.LEASED,
    )
)
CLOSED = CompiledUpdate(
    lambda ask: (
        Assignment.objects.filter(pk=ask("pk"), status=ask("was"), hit__in=held_hit(ask("hit"))),
        {"status": ask("status"), "submitted_at": ask("now"), "idempotency_key": ask("key")},
    ),
    returning=HAS_ANOTHER,
)


@dataclass(frozen=True)
class Submitted:
    """`is_late`: the page was somebody else's by then, or wanted by nobody, and the answers are surplus. `next` says
    nothing where it is for `lease_next` to say in a moment."""

    submitted_at: datetime
    next: NextHit
    is_late: bool = False


@dataclass(frozen=True)
class _Stored:
    """`has_another` unless it is known that the person holds no other page."""

    at: datetime
    is_late: bool = False
    has_another: bool = True


def submit_assignment(
    *,
    assignment: Assignment,
    judgments: Sequence[Judged],
    idempotency_key: str,
    fetch_next: bool = False,
    holding: Collection[UUID] = (),
) -> Submitted:
    """Store the answers and, if asked, hand over the next HIT that is not among `holding`, in one transaction.

    The same key again gets the same answer and stores nothing. Raises InvalidInput naming what is missing or makes no
    sense; AlreadySubmitted, AlreadyReturned or AlreadySkipped when the page takes no answers any more.
    """
    answers = read_answers(assignment, judgments)
    project, annotator = assignment.project, assignment.annotator

    def work() -> Submitted:
        standing = hold_standing(project=project, annotator=annotator)
        stored = _store(assignment, standing, answers, idempotency_key)
        following = NextHit(None)
        if fetch_next:
            following = hand_over(
                standing=standing, project=project, annotator=annotator, holding=holding, has_some=stored.has_another
            )
        if is_for_a_moment(following, standing=standing, project=project, annotator=annotator):
            following = NextHit(None)
        return Submitted(stored.at, following, stored.is_late)

    return with_retries(work)


def _store(assignment: Assignment, standing: Standing, judgments: Sequence[Judged], idempotency_key: str) -> _Stored:
    now = timezone.now()
    has_another = _close(assignment, AssignmentStatus.LEASED, AssignmentStatus.SUBMITTED, now, idempotency_key)
    if has_another is not None:
        _record(assignment, standing, judgments)
        settle_when_full(assignment=assignment, standing=standing)
        return _Stored(now, has_another=has_another)
    assignment.refresh_from_db(fields=["status", "submitted_at", "idempotency_key"])
    if assignment.status == AssignmentStatus.EXPIRED:
        return _Stored(now, is_late=_store_late(assignment, standing, judgments, now, idempotency_key))
    return _submitted_before(assignment, judgments, idempotency_key)


def _close(assignment: Assignment, was: str, now_is: str, now: datetime, idempotency_key: str) -> bool | None:
    """Of two claimants one wins: the state is changed only from what it was. The HIT is held then, and it says whether
    the person has another page; None for who came too late."""
    page, hit_id = assignment.pk, assignment.hit_id
    closed = CLOSED.returned(pk=page, hit=hit_id, was=was, status=now_is, now=now, key=idempotency_key)
    return closed[0] if closed else None


def _store_late(
    assignment: Assignment, standing: Standing, judgments: Sequence[Judged], now: datetime, idempotency_key: str
) -> bool:
    """Whether the answers are surplus. The caller holds the standing, so nobody revives the page meanwhile."""
    hold_hits([assignment.hit_id])
    wanted = list_open_pairs(hits=[assignment.hit_id])[assignment.hit_id]
    is_counted = is_of_use(assignment, wanted) and take_in_hit(hit_id=assignment.hit_id, assignment=assignment)
    status = AssignmentStatus.SUBMITTED if is_counted else AssignmentStatus.LATE
    _close(assignment, AssignmentStatus.EXPIRED, status, now, idempotency_key)
    _record(assignment, standing, judgments)
    if is_counted:
        settle_when_full(assignment=assignment, standing=standing)
    else:
        settle_freed(project=assignment.project, hits=[assignment.hit_id])
    return not is_counted


def _record(assignment: Assignment, standing: Standing, judgments: Sequence[Judged]) -> None:
    in_order = sorted(judgments, key=lambda judged: judged.position)
    stored = insertion([judgment_of(judged, assignment) for judged in in_order])
    graded = grade_controls(assignment, {judged.position: judged.label for judged in judgments}, first=stored)
    project = assignment.project
    count_work(standing=standing, project=project, n_submitted=1, n_graded=graded.n_graded, n_failed=graded.n_failed)


def _submitted_before(assignment: Assignment, judgments: Sequence[Judged], idempotency_key: str) -> _Stored:
    """This very submit, when it was stored; raises what became of the page where it is not a repeat of one."""
    if assignment.status not in DONE:
        raise what_became_of(assignment)
    if assignment.submitted_at is None or assignment.idempotency_key != idempotency_key:
        raise AlreadySubmitted()
    first = Judgment.objects.filter(assignment=assignment, supersedes=None)
    if {row.position: substance_of(row) for row in first} != {one.position: one.substance for one in judgments}:
        raise AlreadySubmitted(
            "You already submitted this task with other answers. Your first answers count.", code="submitted_otherwise"
        )
    return _Stored(assignment.submitted_at, is_late=assignment.status == AssignmentStatus.LATE)
