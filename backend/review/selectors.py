"""Reads over verdicts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import QuerySet

from backend.annotation.closings import Closing
from backend.annotation.selectors import pairs_in_hits
from backend.candidates.models import Candidate
from backend.common.errors import NotFound
from backend.projects.models import Project
from backend.review.models import Verdict


def get_pairs(*, project: Project, candidate_ids: Collection[int]) -> dict[int, Candidate]:
    """These pairs of the project, by id, if people are asked about all of them: no hidden control. Raises NotFound."""
    asked = pairs_in_hits(project=project).filter(candidate__in=candidate_ids)
    found = {item.candidate_id: item.candidate for item in asked.select_related("candidate")}
    if len(found) < len(set(candidate_ids)):
        raise NotFound("No task of this project has this pair, so you cannot decide on it.", code="pair_in_no_task")
    return found


def list_verdicts(*, project: Project, candidate_id: int | None = None) -> QuerySet[Verdict]:
    """Every verdict of the project, or of one pair, newest first: `is_standing` those that no later one replaces."""
    verdicts = Verdict.objects.filter(candidate__project=project)
    if candidate_id is not None:
        verdicts = verdicts.filter(candidate=candidate_id)
    return verdicts.select_related("candidate", "decided_by").order_by("-id")


def standing_verdicts(*, project: Project, pairs: Sequence[int] | None = None) -> dict[int, Verdict]:
    """The verdict that stands on each pair that has one, by candidate id; those taken back are left out."""
    verdicts = Verdict.objects.filter(candidate__project=project).select_related("decided_by").order_by("id")
    if pairs is not None:
        verdicts = verdicts.filter(candidate__in=pairs)
    newest = {verdict.candidate_id: verdict for verdict in verdicts}
    return {candidate_id: verdict for candidate_id, verdict in newest.items() if verdict.label}


def read_closed(pairs: Collection[int]) -> dict[int, Closing]:
    """Which of the pairs have a standing verdict, and whose, by candidate id; these close their pages. One statement"""
    verdicts = Verdict.objects.filter(candidate__in=pairs).select_related("decided_by").order_by("id")
    newest = {verdict.candidate_id: verdict for verdict in verdicts}
    return {
        pair: Closing(verdict.decided_by.shown_name, verdict.created_at)
        for pair, verdict in newest.items()
        if verdict.label
    }


def read_verdicts(pairs: Collection[int]) -> dict[int, str]:
    """The label of the standing verdict on each of the pairs that has one, by candidate id."""
    verdicts = Verdict.objects.filter(candidate__in=pairs).order_by("id").values_list("candidate_id", "label")
    return {pair: label for pair, label in dict(verdicts).items() if label}
