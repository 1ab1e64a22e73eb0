"""How far one person and the whole project are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone

from backend.annotation.models import (
    DONE,
    Assignment,
    AssignmentStatus,
    Hit,
    Judgment,
    Slot,
    Standing,
    StandingState,
)
from backend.annotation.selectors import list_left
from backend.common.lasting import LastingCounts
from backend.people.models import User
from backend.projects.models import Project

# A page that was submitted here has the key of its submit, one of judgments made elsewhere has none. What people said
# elsewhere may be said of some pairs of a HIT alone, so that these pages are worth as many turns at it as each of its
# pairs was judged on them; no more than it wants beside the pages that were submitted here. Their lists of pairs are
# read, as judgments are several times as many rows, and wider ones. In SQL of our own: Django cannot open a list.
BROUGHT_IN = """
SELECT COALESCE(SUM(CASE WHEN wanted <= 0 THEN 0 WHEN n_turns < wanted THEN n_turns ELSE wanted END), 0) FROM (
  SELECT
    CASE WHEN COUNT(*) < (SELECT COUNT(*) FROM annotation_hititem item WHERE item.hit_id = judged.hit_id)
      THEN 0 ELSE MIN(judged.n) END AS n_turns,
    %(overlap)s - (SELECT COUNT(*) FROM annotation_assignment here WHERE here.hit_id = judged.hit_id
      AND here.status = 'submitted' AND here.idempotency_key <> '' AND {counts_here}) AS wanted
  FROM (
    SELECT page.hit_id, told.value, COUNT(*) AS n FROM annotation_assignment page CROSS JOIN {told} AS told
    WHERE page.project_id = %(project)s AND page.status = 'submitted' AND page.idempotency_key = '' AND {counts}
    GROUP BY page.hit_id, told.value) judged
  GROUP BY judged.hit_id) hits
"""
COUNTS = """{page}.annotator_id NOT IN (
  SELECT user_id FROM annotation_standing WHERE project_id = %(project)s AND state = 'excluded')"""
TOLD = {"postgresql": "JSONB_ARRAY_ELEMENTS(page.shown)", "sqlite": "JSON_EACH(page.shown)"}
_lasting = LastingCounts()


@dataclass(frozen=True)
class Progress:
    """One unit of work is an assignment: a HIT done by one person."""

    submitted_today: int
    submitted_total: int
    judgments_total: int
    ms_today: int
    hits: int
    assignments_needed: int
    assignments_submitted: int


def get_progress(*, project: Project, user: User) -> Progress:
    """As many queries however long the project is at work.

    What the project needs is told as its settings ask for it, not by its places: one place more after somebody's own
    submit would tell them that a hidden control had stood for a pair there.
    """
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE)
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    done = mine.aggregate(total=Count("pk"), today=Count("pk", filter=Q(submitted_at__gte=midnight)))
    judged = Judgment.objects.filter(annotator=user, candidate__project=project, supersedes=None).count()
    n_hits = _lasting.get(("HITs", project.pk), Hit.objects.filter(project=project).count)
    needed = n_hits * project.overlap
    return Progress(
        submitted_today=done["today"],
        submitted_total=done["total"],
        judgments_total=judged,
        ms_today=_ms_of(mine.filter(submitted_at__gte=midnight)),
        hits=n_hits,
        assignments_needed=needed,
        assignments_submitted=min(_n_that_count(project), needed) if _is_waiting(project, user) else needed,
    )


def _is_waiting(project: Project, user: User) -> bool:
    """Whether it waits for anybody: to take a free place, or to submit on theirs."""
    return any(left.exists() for left in list_left(project_id=project.pk, user=user))


def _n_that_count(project: Project) -> int:
    """Turns at a HIT that are done, by people who are not excluded, no more of a HIT than it wants: what each of them
    has counted, as people ask after each of their pages, and of a million pages a count takes a second."""
    standings = _standings(project)
    n = standings.aggregate(
        here=Sum("n_submitted", filter=Q(is_foreign=False)), brought=Sum("n_submitted", filter=Q(is_foreign=True))
    )
    late = Assignment.objects.filter(
        project=project, status=AssignmentStatus.LATE, annotator__in=standings.values("user")
    )
    n_late = _lasting.get(("late", project.pk), late.count)
    n_over = _lasting.get(("over", project.pk, project.overlap), lambda: _count_over(project))
    return (n["here"] or 0) - n_late - n_over + (_n_brought_in(project) if n["brought"] else 0)


def _standings(project: Project) -> QuerySet[Standing]:
    return Standing.objects.filter(project=project).exclude(state=StandingState.EXCLUDED)


def _count_over(project: Project) -> int:
    """Turns at HITs that have had more than they want, as some do under an adaptive overlap, after an exclusion was
    lifted, or since they were to have fewer. Such a HIT has a place of a higher number."""
    many = Slot.objects.filter(project=project, number__gt=project.overlap, assignment__isnull=False).values("hit")
    pages = Assignment.objects.filter(project=project, status=AssignmentStatus.SUBMITTED, hit__in=many)
    counted = pages.filter(annotator__in=_standings(project).filter(is_foreign=False).values("user")).order_by()
    n_each = counted.values("hit").annotate(n=Count("pk")).filter(n__gt=project.overlap)
    return n_each.aggregate(over=Sum(F("n") - project.overlap))["over"] or 0


def _n_brought_in(project: Project) -> int:
    """Of a million pages of one pair each, a count takes seconds."""
    return _lasting.get(("brought in", project.pk, project.overlap), lambda: _count_brought_in(project))


def _count_brought_in(project: Project) -> int:
    parts: Mapping[str, Any] = {
        "told": TOLD[connection.vendor],
        "counts": COUNTS.format(page="page"),
        "counts_here": COUNTS.format(page="here"),
    }
    with connection.cursor() as cursor:
        cursor.execute(BROUGHT_IN.format(**parts), {"project": project.pk, "overlap": project.overlap})
        return int(cursor.fetchone()[0])


def _ms_of(assignments: QuerySet[Assignment]) -> int:
    """The focus time that was sent with the first word on each pair, controls or not."""
    judged = Judgment.objects.filter(assignment__in=assignments.order_by(), supersedes=None)
    return judged.aggregate(ms=Sum("ms"))["ms"] or 0
