"""How far one person and the whole project are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Exists, Q, QuerySet, Sum
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
from backend.annotation.selectors import IS_OPEN, MADE_ELSEWHERE
from backend.common.counting import count_of
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
LONG, STANDS = 0.1, 10  # seconds of a count; how many times as long nobody counts this project's again
WAITS = 60.0  # seconds that others go on with an old count at most, while one is made
TOLD = {"postgresql": "JSONB_ARRAY_ELEMENTS(page.shown)", "sqlite": "JSON_EACH(page.shown)"}


class Brought(NamedTuple):
    """What a long count came to, for which overlap, and until when it stands, whatever is brought in meanwhile."""

    n_turns: int
    overlap: int
    until: float


_counted: dict[int, Brought] = {}  # by project, in this process


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
    n_hits, is_unfinished = _hits_of(project)
    needed = n_hits * project.overlap
    return Progress(
        submitted_today=done["today"],
        submitted_total=done["total"],
        judgments_total=judged,
        ms_today=_ms_of(mine.filter(submitted_at__gte=midnight)),
        hits=n_hits,
        assignments_needed=needed,
        assignments_submitted=min(_n_that_count(project), needed) if is_unfinished else needed,
    )


def _hits_of(project: Project) -> tuple[int, bool]:
    """How many there are, and whether anybody is waited for."""
    theirs = count_of(Hit.objects.filter(project=project), "project")
    is_open = Exists(Slot.objects.filter(IS_OPEN, project=project))
    n, is_unfinished = Project.objects.filter(pk=project.pk).order_by().values_list(theirs, is_open).get()
    return n, is_unfinished


def _n_that_count(project: Project) -> int:
    """Turns at a HIT that are done, by people who are not excluded."""
    excluded = Standing.objects.filter(project=project, state=StandingState.EXCLUDED).values("user")
    pages = Assignment.objects.filter(project=project, status=AssignmentStatus.SUBMITTED)
    counted = pages.exclude(annotator__in=excluded).order_by()
    n: dict[str, int] = counted.aggregate(all=Count("pk"), brought=Count("pk", filter=MADE_ELSEWHERE))
    return n["all"] - n["brought"] + (_n_brought_in(project) if n["brought"] else 0)


def _n_brought_in(project: Project) -> int:
    """Of a million pages of one pair each, a count takes seconds, and people ask after each of their pages."""
    known, began = _counted.get(project.pk), monotonic()
    if known and known.overlap == project.overlap:
        if known.until > began:
            return known.n_turns
        _counted[project.pk] = known._replace(until=began + WAITS)  # one counts, and the others go on with what was
    n_turns = _count_brought_in(project)
    if (took := monotonic() - began) > LONG:
        _counted[project.pk] = Brought(n_turns, project.overlap, began + took * (1 + STANDS))
    return n_turns


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
