"""Drafts: what a person has done of a page so far, kept for their next machine.

They stand beside the way of a page: neither `next` nor `submit` knows of them. What a submit leaves behind goes when
its owner begins the next draft.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from backend.annotation.models import DONE, Assignment, AssignmentStatus, Draft
from backend.common.errors import InvalidInput
from backend.people.models import User

LONGEST_WORK = 200_000  # characters of JSON: twenty captions, edited and commented at the longest
KEPT_DAYS = 7


def save_draft(*, assignment: Assignment, work: dict[str, Any], saved_at: datetime) -> None:
    """Keep the work, unless newer work is kept already or the page is submitted.

    Raises InvalidInput if it is too long.
    """
    if len(json.dumps(work)) > LONGEST_WORK:
        raise InvalidInput("Your draft is too long to save. Shorten the comments or edits.", code="draft_too_long")
    if assignment.status in DONE:
        return
    saved_at = min(saved_at, timezone.now())
    kept = Draft.objects.filter(assignment=assignment)
    if kept.filter(saved_at__lte=saved_at).update(work=work, saved_at=saved_at) or kept.exists():
        return
    with transaction.atomic():
        _forget_over(user=assignment.annotator)
        Draft.objects.bulk_create([Draft(assignment=assignment, work=work, saved_at=saved_at)], ignore_conflicts=True)


def get_draft(*, assignment: Assignment) -> Draft | None:
    """The draft of a page that still takes answers."""
    if assignment.status in DONE or assignment.status == AssignmentStatus.SKIPPED:
        return None
    return Draft.objects.filter(assignment=assignment).first()


def _forget_over(*, user: User) -> None:
    """A person has a handful at most: those of pages that are done, and what lay for too long, go together."""
    is_over = Q(assignment__status__in=(*DONE, AssignmentStatus.SKIPPED))
    is_old = Q(saved_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    Draft.objects.filter(is_over | is_old, assignment__annotator=user).delete()
