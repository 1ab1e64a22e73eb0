"""What is left to do on a project: judgments, HITs to hand out, hours and money, with intervals.

Slots that nobody has submitted are certain to come. What unfinished HITs will need beyond them is told by finished
ones. What people skip or return is handed out again and costs nothing here. Pairs that are in no HIT yet are not in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from random import Random
from uuid import UUID

from django.db.models import Count, Max, Min, Q, Sum

from backend.annotation.models import (
    DONE,
    WORKING,
    AnnotatorState,
    Assignment,
    AssignmentStatus,
    Hit,
    HitItem,
    Judgment,
    Slot,
)
from backend.annotation.selectors import IS_AHEAD
from backend.common.counting import in_one
from backend.methods.budget.left import Span, Work, left_of
from backend.methods.budget.outlook import Cost, Outlook, cost_of_span
from backend.methods.budget.pace import Timed, hours_of, pace_of
from backend.methods.said import Said
from backend.projects.models import Membership, Project

LOOKED_AT = 2_000  # HITs by lot, of which the finished ones tell
PEOPLE, EACH = 10, 40  # whose newest assignments tell the pace, and how many of each
TOO_FEW_TIMED = Said("forecast_too_few_timed", "Too few assignments have a time. Hours appear after 20 of them.")
NO_PAY = Said("forecast_no_pay", "No pay per task is set. The cost appears when a curator sets it.")
HAD_FOR_GOOD = (*DONE, AssignmentStatus.SKIPPED)  # what ran out or was returned may come back to the same person


@dataclass(frozen=True)
class ProjectForecast(Outlook):
    """What is left, with what it costs by the settings of now. `as_of` is None where it is of this moment."""

    as_of: datetime | None
    overlap: str
    hours: Span | None
    cost: Cost | None
    level: float = 0.95

    @property
    def n_timed(self) -> int:
        return self.pace.n if self.pace else 0

    @property
    def hours_reason(self) -> Said | None:
        return None if self.hours else TOO_FEW_TIMED

    @property
    def cost_reason(self) -> Said | None:
        return None if self.cost else NO_PAY


def get_outlook(*, project: Project) -> Outlook:
    """What is left of the project's HITs, in about ten statements."""
    leased = Assignment.objects.filter(project=project, status=AssignmentStatus.LEASED).values("pk")
    ahead = Slot.objects.filter(Q(assignment=None) | Q(assignment__in=leased), project=project).order_by()
    n_open, n_hits = ahead.aggregate(n=Count("pk"), n_hits=Count("root", distinct=True)).values()
    n_pairs = ahead.filter(hit__items__control=None).aggregate(n=Count("hit__items"))["n"]
    more = project.most_votes - project.overlap  # what one HIT can come to need beyond the overlap
    left = left_of(
        is_open=Work(n_open, n_pairs),
        n_hits=n_hits,
        extra=_extra_of_finished(project),
        most=Work(more, more * project.captions_per_hit),
        seed=project.pk,
    )
    return Outlook(left, n_open, _count_waiting(project), pace_of(_list_timed(project)))


def forecast_of(outlook: Outlook, *, project: Project, as_of: datetime | None) -> ProjectForecast:
    """The outlook with its hours and its cost."""
    pace, pay, fee = outlook.pace, project.pay_per_hit, Decimal(str(project.pay_fee))
    return ProjectForecast(
        **vars(outlook),
        as_of=as_of,
        overlap="fixed" if project.confidence is None else "adaptive",
        hours=hours_of(outlook.left.judgments, pace) if pace else None,
        cost=None if pay is None else cost_of_span(outlook.left.assignments, pay=Decimal(pay), fee=fee),
    )


def _extra_of_finished(project: Project) -> list[Work]:
    """What finished HITs, among a draw of all, came to need beyond the overlap."""
    roots = Hit.objects.filter(project=project, root=None, part__isnull=False)
    ends = roots.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return []
    ids = range(ends["first"], ends["last"] + 1)
    drawn = roots.filter(pk__in=in_one(Random(project.pk).sample(ids, min(LOOKED_AT, len(ids))))).values("pk")
    slots = Slot.objects.filter(root__in=drawn).order_by().values("hit", "root")
    rows = list(slots.annotate(n=Count("pk"), n_ahead=Count("pk", filter=IS_AHEAD)))
    hits = in_one(row["hit"] for row in rows)
    items = HitItem.objects.filter(hit__in=hits, control=None).order_by().values_list("hit")
    n_pairs = dict(items.annotate(n=Count("pk")))
    unfinished = {row["root"] for row in rows if row["n_ahead"]}
    assignments: Counter[int | None] = Counter()
    judgments: Counter[int | None] = Counter()
    for row in rows:
        if row["root"] not in unfinished:
            over = max(0, row["n"] - project.overlap) if row["hit"] == row["root"] else row["n"]
            assignments[row["root"]] += over
            judgments[row["root"]] += over * n_pairs.get(row["hit"], 0)
    return [Work(assignments[root], judgments[root]) for root in assignments]


def _count_waiting(project: Project) -> int:
    """HITs with a free slot that nobody who works on the project can take; none before anybody began."""
    members = Membership.objects.filter(project=project, user__is_active=True).values("user")
    began = AnnotatorState.objects.filter(project=project, n_submitted__gt=0, user__is_active=True)
    team = list(began.filter(state__in=WORKING, user__in=members).values_list("user", flat=True))
    if not team and not began.exists():
        return 0
    free = Slot.objects.filter(project=project, assignment=None).order_by()
    if team:
        had = Assignment.objects.filter(project=project, annotator__in=team, status__in=HAD_FOR_GOOD).order_by()
        by_all = had.values("root").annotate(n=Count("pk")).filter(n=len(team))
        free = free.filter(root__in=by_all.values("root"))
    return free.values("root").distinct().count()


def _list_timed(project: Project) -> list[Timed]:
    """The newest assignments of the busiest people whose client sent the focus time of every item."""
    busy = AnnotatorState.objects.filter(project=project, n_submitted__gt=0).order_by("-n_submitted", "pk")
    newest: list[UUID] = []
    for user in busy.values_list("user", flat=True)[:PEOPLE]:
        done = Assignment.objects.filter(project=project, annotator=user, status__in=DONE)
        newest += done.order_by("-submitted_at").values_list("pk", flat=True)[:EACH]
    judged = Judgment.objects.filter(assignment__in=newest, supersedes=None).order_by()
    rows = judged.values("assignment", "annotator").annotate(
        ms_sum=Sum("ms"), n=Count("pk"), n_timed=Count("ms"), n_pairs=Count("pk", filter=Q(control=None))
    )
    return [Timed(row["ms_sum"] / 1000, row["n_pairs"], row["annotator"]) for row in rows if row["n"] == row["n_timed"]]
