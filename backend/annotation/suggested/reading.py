"""The suggested edits of a page, by position: asked for beside the page, and never part of it."""

from __future__ import annotations

from backend.annotation.models import Assignment, Hit
from backend.candidates.models import SuggestedEdit
from backend.candidates.selectors import suggestions_by_candidate


def suggestions_of_page(*, assignment: Assignment) -> list[list[SuggestedEdit]]:
    """One list for each position from 1, in the order of its places; all are empty where pictures are judged."""
    image_id = Hit.objects.values_list("image", flat=True).get(pk=assignment.hit_id)
    shown: list[int] = assignment.shown
    found = suggestions_by_candidate(candidate_ids=shown, image_id=image_id) if image_id else {}
    return [found.get(candidate_id, []) for candidate_id in shown]
