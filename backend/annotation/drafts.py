"""Drafts: unfinished answers of an assignment, so that an annotator can continue on another computer.

`next` and `submit` do not read them. Old drafts of an annotator are deleted when they begin a new one.
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

LONGEST_WORK = 200_000  # characters of JSON: twenty captions with the longest edits and comments
KEPT_DAYS = 7


def save_draft(*, assignment: Assignment, work: dict[str, Any], saved_at: datetime) -> None:
    """Store the work, unless newer work is stored or the assignment is submitted.

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
    is_over = Q(assignment__status__in=(*DONE, AssignmentStatus.SKIPPED))
    is_old = Q(saved_at__lt=timezone.now() - timedelta(days=KEPT_DAYS))
    with transaction.atomic():
        Draft.objects.filter(is_over | is_old, assignment__annotator=assignment.annotator).delete()
        Draft.objects.bulk_create([Draft(assignment=assignment, work=work, saved_at=saved_at)], ignore_conflicts=True)


def get_draft(*, assignment: Assignment) -> Draft | None:
    """The draft of an assignment that can still be submitted."""
    if assignment.status in DONE or assignment.status == AssignmentStatus.SKIPPED:
        return None
    return Draft.objects.filter(assignment=assignment).first()
