"""Submit an assignment: one answer for each position, all or none, stored once. Change an answer afterwards.

A late answer counts while its slot was not taken back, or is free again. Otherwise it is kept as surplus: status
`late`, read by nothing that counts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from backend.annotation.allocation import settle, settle_if_full, take_slot_of
from backend.annotation.answers import Judged, judgment_of, make_sense, read_answers, substance_of
from backend.annotation.closings import check_open
from backend.annotation.leases import AlreadySubmitted, NextHit, hand_over, what_became_of
from backend.annotation.locks import lock_annotator_state, lock_hits, with_retries
from backend.annotation.models import (
    DONE,
    AnnotatorState,
    Assignment,
    AssignmentStatus,
    ControlOutcome,
    HitItem,
    Judgment,
)
from backend.annotation.selectors import get_judgment
from backend.common.compiled import Compiled
from backend.common.errors import Conflict
from backend.methods.quality import grade
from backend.qualification.models import ControlState


class MindChangedTwice(Conflict):
    """This answer changed at the same moment, maybe in another tab. Reload the page."""

    code = "answer_changed_twice"


@dataclass(frozen=True)
class Submitted:
    """`is_late`: the slot was somebody else's by then, and the answers are surplus."""

    submitted_at: datetime
    next: NextHit
    is_late: bool = False


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
    sense; AlreadySubmitted, AlreadyReturned or AlreadySkipped when the assignment takes no answers any more.
    """
    answers = read_answers(assignment, judgments)
    project, annotator = assignment.project, assignment.annotator

    def work() -> Submitted:
        annotator_state = lock_annotator_state(project=project, annotator=annotator)
        at, is_late = _store(assignment, annotator_state, answers, idempotency_key)
        return Submitted(at, hand_over(annotator_state, holding=holding) if fetch_next else NextHit(None), is_late)

    return with_retries(work)


def _store(
    assignment: Assignment, annotator_state: AnnotatorState, judgments: Sequence[Judged], idempotency_key: str
) -> tuple[datetime, bool]:
    now = timezone.now()
    told = {"submitted_at": now, "idempotency_key": idempotency_key}
    claimed = Assignment.objects.filter(pk=assignment.pk, status=AssignmentStatus.LEASED)
    is_late = False
    if not claimed.update(status=AssignmentStatus.SUBMITTED, **told):
        assignment.refresh_from_db(fields=["status", "submitted_at", "idempotency_key"])
        if assignment.status != AssignmentStatus.EXPIRED:
            return _submitted_before(assignment, judgments, idempotency_key)
        lock_hits([assignment.root_id])
        is_late = not take_slot_of(assignment)
        status = AssignmentStatus.LATE if is_late else AssignmentStatus.SUBMITTED
        Assignment.objects.filter(pk=assignment.pk).update(status=status, **told)
    _record(assignment, annotator_state, judgments)
    if not is_late:
        settle_if_full(assignment)
    return now, is_late


# With their controls, and whether this annotator answered them in an earlier HIT.
ITEMS = Compiled(
    lambda given: (
        HitItem.objects.filter(hit=given("hit"))
        .annotate(
            is_known=Exists(Judgment.objects.filter(candidate=OuterRef("candidate"), annotator=given("annotator")))
        )
        .select_related("control")
    )
)


def _record(assignment: Assignment, annotator_state: AnnotatorState, judgments: Sequence[Judged]) -> None:
    """Store the judgments, grade those of controls, and add one HIT to the annotator's counters.

    As many rows and statements for every HIT of one length. Answers to controls in quarantine do not count as graded.
    """
    items = ITEMS.rows(hit=assignment.hit_id, annotator=assignment.annotator_id)
    item_of = {item.candidate_id: item for item in items}
    rows = []
    for judged in sorted(judgments, key=lambda judged: judged.position):
        row = judgment_of(judged, assignment)
        item = item_of.get(row.candidate_id)
        if item is not None and item.control is not None:
            row.control = item.control
            row.outcome = "" if item.is_known else grade(row.label, item.control.accepted)  # type: ignore[arg-type]  # a label
        rows.append(row)
    Judgment.objects.bulk_create(rows)
    today = timezone.now().date()
    if annotator_state.today != today:
        annotator_state.today, annotator_state.n_today, annotator_state.ms_today = today, 0, 0
    graded = [row.outcome for row in rows if row.control and row.control.state != ControlState.QUARANTINED]
    n_failed = graded.count(ControlOutcome.FAILED)
    annotator_state.n_submitted += 1
    annotator_state.n_judgments += len(rows)
    annotator_state.n_today += 1
    annotator_state.ms_today += sum(row.ms or 0 for row in rows)
    annotator_state.n_graded += graded.count(ControlOutcome.PASSED) + n_failed
    annotator_state.n_failed += n_failed
    annotator_state.save(
        update_fields=["today", "n_today", "ms_today", "n_submitted", "n_judgments", "n_graded", "n_failed"]
    )


def _submitted_before(
    assignment: Assignment, judgments: Sequence[Judged], idempotency_key: str
) -> tuple[datetime, bool]:
    """The same submit, if it was stored before. Raises the state of the assignment if it is not a repeat."""
    if assignment.status not in DONE:
        raise what_became_of(assignment)
    if assignment.submitted_at is None or assignment.idempotency_key != idempotency_key:
        raise AlreadySubmitted()
    first = Judgment.objects.filter(assignment=assignment, supersedes=None)
    if {row.position: substance_of(row) for row in first} != {one.position: substance_of(one) for one in judgments}:
        raise AlreadySubmitted(
            "You already submitted this task with other answers. Your first answers count.", code="submitted_otherwise"
        )
    return assignment.submitted_at, assignment.status == AssignmentStatus.LATE


def revise_judgment(*, assignment: Assignment, judged: Judged) -> Judgment:
    """Store a changed answer as a new judgment. The same answer again stores nothing.

    The unique `supersedes` lets one of two writers win. Only first answers to controls are graded. Raises NotFound if
    there is no judgment yet, InvalidInput, ReviewClosed (closings.py), and MindChangedTwice if another was faster.
    """
    before = get_judgment(assignment=assignment, position=judged.position)
    [judged] = make_sense(assignment, [judged])
    if substance_of(before) == substance_of(judged):
        return before
    check_open(assignment, judged.position)
    revised = judgment_of(judged, assignment)
    revised.supersedes, revised.control = before, before.control
    try:
        with transaction.atomic():
            state = lock_annotator_state(project=assignment.project, annotator=assignment.annotator)
            revised.save(force_insert=True)
            AnnotatorState.objects.filter(pk=state.pk).update(n_revised=F("n_revised") + 1)
            if before.label != revised.label and assignment.project.confidence is not None:
                settle(project=assignment.project, roots=[assignment.root_id], anew=True)
    except IntegrityError as error:
        raise MindChangedTwice() from error
    return revised
