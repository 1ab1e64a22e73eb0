"""Reads over verdicts and over what the agreement tables have not seen yet."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import QuerySet

from backend.annotation.closings import Closing
from backend.annotation.models import Judgment
from backend.annotation.selectors import pairs_in_hits
from backend.candidates.models import Candidate
from backend.common.errors import NotFound
from backend.projects.models import Project
from backend.review.models import AgreementTable, Scope, Verdict

MOST_WAITING = 10_000


def get_pair(*, project: Project, candidate_id: int) -> Candidate:
    """A pair of the project that people are asked about, no hidden control. Raises NotFound."""
    asked = pairs_in_hits(project=project).filter(candidate=candidate_id)
    found = asked.select_related("candidate").first()
    if found is None:
        raise NotFound("No task of this project has this pair, so you cannot decide on it.", code="pair_in_no_task")
    return found.candidate


def list_verdicts(*, project: Project, candidate_id: int | None = None) -> QuerySet[Verdict]:
    """Every verdict of the project, or of one pair, newest first: `is_standing` those that no later one replaces."""
    verdicts = Verdict.objects.filter(candidate__project=project)
    if candidate_id is not None:
        verdicts = verdicts.filter(candidate=candidate_id)
    return verdicts.select_related("candidate", "decided_by").order_by("-id")


def standing_verdicts(*, project: Project, pairs: Sequence[int] | None = None) -> dict[int, Verdict]:
    """The verdict that stands on each pair that has one, by candidate id; those taken back are left out."""
    verdicts = Verdict.objects.filter(candidate__project=project).order_by("id")
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


def list_waiting_pairs(*, project: Project, most: int) -> list[int]:
    """Ids of the pairs of the `most` oldest judgments that the tables have not looked at as they stand."""
    dirty = Judgment.objects.filter(is_dirty=True, candidate__project=project).order_by("id")
    return sorted(set(dirty.values_list("candidate_id", flat=True)[:most]))


def count_waiting(*, project: Project, most: int = MOST_WAITING) -> int:
    """How many judgments the tables have not looked at as they stand, `most` at most.

    In the order of the index of dirty ones: after a great fold PostgreSQL still believes that many are, and would read
    all judgments. One is looked for first, for it would also call two processes to help with counting none.
    """
    dirty = Judgment.objects.filter(is_dirty=True, candidate__project=project).order_by("id").values_list("id")
    n_found = len(dirty[:1])
    return dirty[:most].count() if n_found and most > 1 else n_found


def list_tables(*, project: Project, scope: Scope) -> list[AgreementTable]:
    """The slices of a scope; weeks newest first."""
    order = "-value" if scope == Scope.WEEK else "value"
    return list(AgreementTable.objects.filter(project=project, scope=scope).order_by(order))


def get_overall(*, project: Project) -> AgreementTable:
    """The slice of all pairs; an empty one, not saved, before the first judgment was folded."""
    tables = AgreementTable.objects.filter(project=project, scope=Scope.OVERALL)
    found = tables.defer("pair_draws").first()  # up to two megabytes, and only the matrix reads it
    return found or AgreementTable(project=project, scope=Scope.OVERALL)
