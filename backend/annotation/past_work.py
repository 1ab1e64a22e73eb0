"""The past work of an annotator: the tasks that they submitted, narrowed to the answers that they look for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, get_args

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from backend.annotation.closings import has_feedback, read_closings
from backend.annotation.models import DONE, Assignment, Judgment
from backend.annotation.shown_hits import ShownHit, show_assignments
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project

State = Literal["feedback", "revised"]
STATES: tuple[State, ...] = get_args(State)
N_DAYS = 14  # of one's own work: this week and the week before


@dataclass(frozen=True)
class PastFilter:
    """Which answers of past work are shown; without any of these, all."""

    label: str = ""
    state: State | Literal[""] = ""
    q: str = ""

    def __bool__(self) -> bool:
        return bool(self.label or self.state or self.q.strip())


EVERYTHING = PastFilter()


def list_past(*, project: Project, user: User, wanted: PastFilter) -> QuerySet[Assignment]:
    """What the user submitted in the project, also late, newest first, where an answer is wanted."""
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE)
    if wanted:
        mine = mine.filter(Exists(_answers(wanted).filter(assignment=OuterRef("pk"))))
    return mine.select_related("project", "hit__image", "hit__query").order_by("-submitted_at", "-id")


def show_past(assignments: Sequence[Assignment], wanted: PastFilter = EVERYTHING) -> list[ShownHit]:
    """Submitted assignments with judgments and closings, and with the wanted items alone.

    The number of statements does not grow with them.
    """
    shown = show_assignments(assignments, read_closings(assignments))
    if not wanted:
        return shown
    places = set(_answers(wanted).filter(assignment__in=assignments).values_list("assignment", "position"))
    return [
        replace(hit, items=[item for item in hit.items if (each.pk, item.position) in places])
        for each, hit in zip(assignments, shown, strict=True)
    ]


@dataclass
class OwnDay:
    """The newest answers of one person to the tasks that they submitted on one day, UTC, also to controls."""

    day: date
    labels: dict[str, int]
    n_timed: int = 0
    ms: int = 0


def list_own_days(*, project: Project, user: User) -> list[OwnDay]:
    """The user's last N_DAYS days, oldest first. It reads nothing that is older, however much they did before."""
    today = timezone.now().astimezone(UTC).date()
    first = today - timedelta(days=N_DAYS - 1)
    since = datetime.combine(first, time.min, tzinfo=UTC)
    mine = Assignment.objects.filter(annotator=user, project=project, status__in=DONE, submitted_at__gte=since)
    newest = Judgment.objects.filter(assignment__in=mine, superseded_by=None).order_by()
    by_day = newest.values("label", day=TruncDate("assignment__submitted_at", tzinfo=UTC))
    days = [OwnDay(first + timedelta(days=n), dict.fromkeys(Label.values, 0)) for n in range(N_DAYS)]
    found = {each.day: each for each in days}
    for row in by_day.annotate(n=Count("pk"), n_timed=Count("ms"), ms=Sum("ms", default=0)):
        if day := found.get(row["day"]):
            day.labels[row["label"]] = row["n"]
            day.n_timed += row["n_timed"]
            day.ms += row["ms"]
    return days


def _answers(wanted: PastFilter) -> QuerySet[Judgment]:
    """The newest answers that are wanted, of everybody."""
    found = Judgment.objects.filter(superseded_by=None).order_by()
    if wanted.label:
        found = found.filter(label=wanted.label)
    if words := wanted.q.strip():
        found = found.filter(candidate__text__icontains=words)
    if wanted.state == "revised":
        return found.filter(supersedes__isnull=False)
    if wanted.state == "feedback":
        return found.filter(has_feedback(OuterRef("assignment"), OuterRef("position")))
    return found
