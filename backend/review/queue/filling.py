"""Filling the review queue: rules over what is new since the last time, and what is true now.

`fill_cases` may be called at any time and as often as one likes: the same reason from the same source is added once.
It walks over submitted assignments in the order of their submits, a batch in a transaction, and looks at the last two
minutes again, because transactions commit out of order. What can become untrue (a tie, an unanswered reply, a request
of the quality rules) is compared with what is true now, and its reason closes.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.annotation.models import DONE, AnnotatorState, AnnotatorStatus, Assignment, HitItem, Judgment
from backend.common.counting import in_one
from backend.projects.models import Project
from backend.review.models import QueueState, Verdict
from backend.review.queue.answers import SubmittedPage, find_in_answers
from backend.review.queue.follow_ups import find_replies, find_requests, find_rework, find_switched_off
from backend.review.queue.pairs import find_of_pairs, find_second_looks
from backend.review.queue.reasons import Changes, apply_reasons, misplaced
from backend.review.queue.rules import get_settings

BATCH = 500  # assignments in one transaction
READER_BATCH = 50  # where more wait, a reader leaves them to the worker
OVERLAP = timedelta(minutes=2)
OLD = timedelta(seconds=10)
CHORE_SECONDS = 60.0


def fill_projects() -> int:
    """The chore: fill the queues of all projects in which somebody may have judged. Returns how many."""
    projects = list(Project.objects.filter(annotator_states__isnull=False).distinct().order_by("pk"))
    for project in projects:
        fill_cases(project=project)
    return len(projects)


def fill_if_old(*, project: Project) -> None:
    """Fill the queue for a reader, where few assignments wait and nobody did so in the last ten seconds."""
    lately = QueueState.objects.filter(project=project, filled_at__gt=timezone.now() - OLD)
    if not lately.exists():
        QueueState.objects.get_or_create(project=project)
        _fill_batch(project, READER_BATCH, is_first=True, is_reader=True)


def fill_cases(*, project: Project, seconds: float = CHORE_SECONDS) -> bool:
    """Bring the queue up to date, for so many seconds and at least one batch. Whether it is up to date now; not where
    somebody else fills it."""
    until = time.monotonic() + seconds
    QueueState.objects.get_or_create(project=project)
    is_first = True
    while True:
        is_done = _fill_batch(project, BATCH, is_first=is_first)
        if is_done or is_done is None or time.monotonic() > until:
            return bool(is_done)
        is_first = False


@transaction.atomic
def _fill_batch(project: Project, most: int, *, is_first: bool, is_reader: bool = False) -> bool | None:
    """One batch of at most so many assignments. None where somebody else fills, and where a reader would need two."""
    state = QueueState.objects.select_for_update(skip_locked=True, no_key=True).filter(project=project).first()
    if state is None:
        return None
    project.refresh_from_db(fields=["gate_after"])
    rules, now = get_settings(project=project), timezone.now()
    _start_again_if_others_count(project, state)
    pages = _next_pages(project, state, no_later_than=now - OVERLAP if is_first else None, most=most)
    is_last = len(pages) < most
    if not is_last and is_reader:
        return None
    if pages:
        state.submitted_at, state.assignment = pages[-1].submitted_at, pages[-1].id
    changes, revised = Changes(), list[SubmittedPage]()
    decided = list[int]()
    if is_last:
        revised, decided = _read_revised(project, state, pages), _read_decided(project, state)
    find_in_answers(project, rules, [*pages, *revised], changes)
    pairs = {*_pairs_of(_last_of_hits(project, pages, is_last=is_last)), *_pairs_of(revised), *decided}
    find_of_pairs(project, rules, pairs, changes)
    touched: Collection[int] = ()
    if is_last:
        find_second_looks(project, rules, decided, changes)
        find_replies(project, rules, changes)
        find_requests(project, rules, changes)
        find_rework(project, changes)
        find_switched_off(project, rules, changes)
        touched = misplaced(project=project)
        _keep_marks(project, state, now)
    state.filled_at = now
    apply_reasons(project=project, found=changes.found, gone=changes.gone, entropies=changes.entropies, touched=touched)
    state.save()
    return is_last


def _start_again_if_others_count(project: Project, state: QueueState) -> None:
    """Where the answers of other people count than before, every pair is looked at again."""
    out = AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).order_by("user")
    excluded = list(out.values_list("user", flat=True))
    if excluded != state.excluded:
        state.excluded, state.submitted_at, state.assignment = excluded, None, None


def _next_pages(
    project: Project, state: QueueState, *, no_later_than: datetime | None, most: int
) -> list[SubmittedPage]:
    done = Assignment.objects.filter(project=project, status__in=DONE, submitted_at__isnull=False)
    at, last = state.submitted_at, state.assignment
    if at is not None and no_later_than is not None and at > no_later_than:
        at, last = no_later_than, None
    if at is not None:
        beyond = Q(submitted_at__gt=at) | Q(submitted_at=at, pk__gt=last) if last else Q()
        done = done.filter(beyond, submitted_at__gte=at)
    return _read_pages(done.order_by("submitted_at", "pk")[:most])


def _read_pages(rows: QuerySet[Assignment]) -> list[SubmittedPage]:
    told = rows.values_list("pk", "annotator", "hit", "submitted_at")
    return [SubmittedPage(pk, person, hit, at) for pk, person, hit, at in told if at is not None]


def _read_revised(project: Project, state: QueueState, pages: Sequence[SubmittedPage]) -> list[SubmittedPage]:
    """The assignments on which somebody changed an answer."""
    changed = Judgment.objects.filter(pk__gt=state.judgment, supersedes__isnull=False, candidate__project=project)
    ids = set(changed.order_by().values_list("assignment", flat=True)) - {page.id for page in pages}
    return _read_pages(Assignment.objects.filter(pk__in=ids, status__in=DONE, submitted_at__isnull=False))


def _read_decided(project: Project, state: QueueState) -> list[int]:
    """The pairs with a new decision."""
    new = Verdict.objects.filter(pk__gt=state.verdict, candidate__project=project)
    return sorted(set(new.order_by().values_list("candidate", flat=True)))


def _keep_marks(project: Project, state: QueueState, now: datetime) -> None:
    """Rows that are older than the overlap need not be looked at again."""
    settled = now - OVERLAP
    old = Judgment.objects.filter(created_at__lt=settled, candidate__project=project).order_by("-pk")
    state.judgment = old.values_list("pk", flat=True).first() or state.judgment
    said = Verdict.objects.filter(created_at__lt=settled, candidate__project=project).order_by("-pk")
    state.verdict = said.values_list("pk", flat=True).first() or state.verdict


def _last_of_hits(project: Project, pages: Sequence[SubmittedPage], *, is_last: bool) -> Sequence[SubmittedPage]:
    """Those whose HIT has no assignment that a later batch reads: its pairs are looked at once, with the last one."""
    if is_last or not pages:
        return pages
    later = Assignment.objects.filter(
        project=project, hit__in=in_one({page.hit for page in pages}), status__in=DONE,
        submitted_at__gt=pages[-1].submitted_at,
    )  # fmt: skip
    come_later = set(later.order_by().values_list("hit", flat=True))
    return [page for page in pages if page.hit not in come_later]


def _pairs_of(pages: Sequence[SubmittedPage]) -> set[int]:
    hits = {page.hit for page in pages}
    return set(HitItem.objects.filter(hit__in=in_one(hits), control=None).values_list("candidate", flat=True))
