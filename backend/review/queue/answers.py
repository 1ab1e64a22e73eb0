"""Reasons that new answers give: first work, the sample, comments, edits, generic captions, failed controls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, Subquery

from backend.annotation.models import DONE, AnnotatorState, Assignment, ControlOutcome, Judgment
from backend.projects.models import Project
from backend.qualification.models import ControlState
from backend.review.models import ReasonCode, ReviewSettings
from backend.review.queue.reasons import SHOWN_WORDS, Changes, Found
from backend.review.queue.rules import is_drawn


@dataclass(frozen=True)
class SubmittedPage:
    """A submitted assignment."""

    id: UUID
    annotator: int
    hit: int
    submitted_at: datetime


def find_in_answers(project: Project, rules: ReviewSettings, pages: Sequence[SubmittedPage], changes: Changes) -> None:
    """First work, the sample, and findings in single answers."""
    if not pages:
        return
    here = AnnotatorState.objects.filter(project=project, user__in={page.annotator for page in pages}, is_foreign=False)
    states = {state.user_id: state for state in here.filter(is_unnamed=False)}
    firsts = _last_of_first_work(project, rules, states)
    for page in pages:
        if page.annotator not in states:
            continue  # judged elsewhere: nobody can be told
        if (last := firsts.get(page.annotator)) is not None and page.submitted_at <= last:
            changes.found.append(Found(ReasonCode.FIRST_WORK, page=page.id, annotator=page.annotator))
        elif is_drawn(project, "sample", page.id, rules.sample_percent):
            percent = {"percent": rules.sample_percent}
            changes.found.append(Found(ReasonCode.SAMPLE, page=page.id, annotator=page.annotator, params=percent))
    _find_in_judgments(rules, [page.id for page in pages if page.annotator in states], changes)


def _last_of_first_work(
    project: Project, rules: ReviewSettings, states: dict[int, AnnotatorState]
) -> dict[int, datetime]:
    """When each annotator submitted the last of their first assignments, or the newest where there are fewer."""
    n_of = {
        user: max(rules.first_assignments, 0 if state.released_at else project.gate_after)
        for user, state in states.items()
    }
    found: dict[int, datetime] = {}
    for n in set(n_of.values()) - {0}:
        users = [user for user, asked in n_of.items() if asked == n]
        done = Assignment.objects.filter(project=project, annotator=OuterRef("user"), status__in=DONE)
        times = done.order_by("submitted_at").values("submitted_at")
        rows = AnnotatorState.objects.filter(project=project, user__in=users).annotate(
            nth=Subquery(times[n - 1 : n]), newest=Subquery(times.reverse()[:1])
        )
        found |= {user: nth or newest for user, nth, newest in rows.values_list("user", "nth", "newest") if newest}
    return found


def _find_in_judgments(rules: ReviewSettings, pages: Collection[UUID], changes: Changes) -> None:
    is_said = ~Q(comment="") | ~Q(edits=[]) | Q(is_generic=True)
    failed = Q(outcome=ControlOutcome.FAILED) & ~Q(control__state=ControlState.QUARANTINED)
    rows = Judgment.objects.filter(failed | (Q(superseded_by=None) & is_said), assignment__in=pages).order_by("pk")
    n_failed: dict[tuple[UUID, int], int] = defaultdict(int)
    for row in rows:
        named: dict[str, Any] = {"annotator": row.annotator_id, "source": f"judgment:{row.pk}"}
        if row.outcome == ControlOutcome.FAILED:
            n_failed[row.assignment_id, row.annotator_id] += 1
        if row.comment and rules.comments:
            told: dict[str, Any] = {"judgment": row.pk, "text": row.comment[:SHOWN_WORDS]}
            # A control alone would tell the head nothing, so its comment opens the assignment.
            where: dict[str, Any] = {"page": row.assignment_id} if row.control_id else {"pair": row.candidate_id}
            changes.found.append(Found(ReasonCode.COMMENT, params=told, **where, **named))
        if row.control_id is None and row.edits and rules.edits:
            told = {"judgment": row.pk, "n": len(row.edits)}
            changes.found.append(Found(ReasonCode.EDIT, pair=row.candidate_id, params=told, **named))
        if row.control_id is None and row.is_generic and rules.generic:
            told = {"judgment": row.pk}
            changes.found.append(Found(ReasonCode.TOO_GENERIC, pair=row.candidate_id, params=told, **named))
    if rules.failed_controls:
        for (page, person), n in n_failed.items():
            changes.found.append(Found(ReasonCode.FAILED_CONTROL, page=page, annotator=person, params={"n": n}))
