"""Who has a case in hand. A lease lasts ten minutes, and one head annotator holds a case at a time."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.common.errors import Conflict
from backend.people.models import User
from backend.projects.models import Project
from backend.review.models import ReviewCase
from backend.review.queue import cases

LEASE = timedelta(minutes=10)
TRIES = 20  # cases that others take at the same moment


class CaseHeld(Conflict):
    """{name} works on this case. Choose another case."""

    code = "case_held"


class CaseClosed(Conflict):
    """This case is already closed. Reload the page."""

    code = "already_closed"


@transaction.atomic
def lease_next(
    *, project: Project, reader: User, reason: str = "", annotator: int | None = None, after: int | None = None
) -> ReviewCase | None:
    """Lease the open case with the highest priority that nobody else holds; None where there is none.

    `after` is a case that the reader skips: its lease ends, and the search starts behind it, then from the top.
    """
    found = cases.visible_cases(project=project, reader=reader).filter(_free_for(reader), closed_at=None)
    found = cases.narrow(found, reason=reason, annotator=annotator).order_by("-priority", "id")
    if after is None:
        return _take_first(found, reader)
    release_case(project=project, case_id=after, reader=reader)
    found = found.exclude(pk=after)
    skipped = ReviewCase.objects.filter(project=project, pk=after).first()
    if skipped is not None:
        behind = Q(priority__lt=skipped.priority) | Q(priority=skipped.priority, pk__gt=after)
        if (taken := _take_first(found.filter(behind), reader)) is not None:
            return taken
    return _take_first(found, reader)


def _free_for(reader: User) -> Q:
    return Q(leased_by=None) | Q(leased_by=reader) | Q(leased_until__lte=timezone.now())


def _take_first(found: QuerySet[ReviewCase], reader: User) -> ReviewCase | None:
    """PostgreSQL passes over cases that others take at this moment; SQLite has one writer, and the update decides."""
    for _ in range(TRIES):
        locked = found.select_for_update(skip_locked=True, of=("self",)) if _can_skip() else found
        first = locked.values_list("pk", flat=True).first()
        if first is None:
            return None
        if _take(first, reader):
            return ReviewCase.objects.get(pk=first)
    return None


def _can_skip() -> bool:
    return connection.features.has_select_for_update_skip_locked


def _take(case_id: int, reader: User) -> bool:
    """The conditional update lets one of two readers win."""
    mine = ReviewCase.objects.filter(_free_for(reader), pk=case_id, closed_at=None)
    return bool(mine.update(leased_by=reader, leased_until=timezone.now() + LEASE))


def lease_case(*, case: ReviewCase, reader: User) -> None:
    """Lease this case, or start the time again. Raises CaseHeld, CaseClosed."""
    if not _take(case.pk, reader):
        raise why_not(case)


def why_not(case: ReviewCase) -> Conflict:
    """Why somebody cannot work on a case, as it is now."""
    now = ReviewCase.objects.select_related("leased_by").get(pk=case.pk)
    if now.closed_at is not None:
        return CaseClosed()
    return CaseHeld(params={"name": now.leased_by.shown_name if now.leased_by else ""})


def release_case(*, project: Project, case_id: int, reader: User) -> None:
    """End the reader's own lease; of a case that they do not hold nothing changes."""
    held = ReviewCase.objects.filter(project=project, pk=case_id, leased_by=reader)
    held.update(leased_by=None, leased_until=None)


def lock_case(*, case: ReviewCase, reader: User) -> ReviewCase:
    """The case as it is now, locked, for a decision of the reader. Raises CaseClosed, CaseHeld."""
    now = ReviewCase.objects.select_for_update(of=("self",)).get(pk=case.pk)
    is_held = now.leased_by_id not in (None, reader.pk) and now.leased_until and now.leased_until > timezone.now()
    if now.closed_at is not None or is_held:
        raise why_not(case)
    return now


def n_held(*, project: Project, reader: User) -> int:
    """How many open cases the reader holds."""
    held = ReviewCase.objects.filter(project=project, leased_by=reader, closed_at=None)
    return held.filter(leased_until__gt=timezone.now()).count()
