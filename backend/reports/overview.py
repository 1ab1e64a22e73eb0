"""How a project is doing: how far it is, how good its answers are, and what comes next.

Every figure is a counter, or comes from a table that somebody keeps: no request reads the judgments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone

from backend.agreement.models import Part
from backend.agreement.reads import headline_of
from backend.agreement.selectors import View, list_parts
from backend.agreement.services import look
from backend.annotation.models import AnnotatorState
from backend.annotation.selectors import get_progress
from backend.forecast.selectors import ProjectForecast
from backend.forecast.services import look as look_ahead
from backend.methods.budget import cost_of
from backend.methods.budget.finish import Finish, finish_of
from backend.methods.quality import Share, share_of
from backend.people.models import User
from backend.projects.models import Project
from backend.quality.habits import WorkHabits, read_habits
from backend.releases.models import Release
from backend.review.queue.counts import read_counts

MOST_PEOPLE = 30  # of the chart, the busiest
MOST_TREND = 60  # days of the trend of agreement
PACE_DAYS = 14  # whole days before today that tell the pace
READING = "value"  # `unsure` is an answer of its own, as on the page of agreement


@dataclass(frozen=True)
class Person:
    """One annotator with what they did."""

    state: AnnotatorState
    n_today: int
    passed: Share | None
    habits: WorkHabits | None


@dataclass(frozen=True)
class Overview:
    """`spent` is None where no pay is set, `finish` where no date can be told."""

    today: date
    slots: int
    slots_open: int
    hits: int
    n_judgments: int
    n_submitted: int
    view: View
    forecast: ProjectForecast
    finish: Finish | None
    spent: Decimal | None
    n_people: int
    people: list[Person]
    waiting: dict[str, Any]
    release: Release | None

    @property
    def progress(self) -> dict[str, Any]:
        """The kept days, labels and sources; empty before the first snapshot."""
        return self.view.get(Part.PROGRESS) or {"days": [], "labels": {}, "sources": []}

    @property
    def agreement(self) -> dict[str, Any]:
        """Alpha of all pairs with its trend by day."""
        figure, trend = headline_of(self.view, READING)
        return figure | {"trend": trend[-MOST_TREND:]}

    @property
    def finish_dates(self) -> tuple[date, date, date] | None:
        """The days on which nothing is left: expected, at the earliest, at the latest."""
        if self.finish is None:
            return None
        days = self.finish.days
        mean, low, high = (self.today + timedelta(days=round(n)) for n in (days.mean, days.low, days.high))
        return mean, low, high


def get_overview(*, project: Project, reader: User) -> Overview:
    """All figures of the page, in about thirty statements however large the project."""
    today = timezone.now().astimezone(UTC).date()
    parts = ((Part.OVERALL, ""), (Part.TREND, READING), (Part.PROGRESS, ""))
    view = look(project=project, parts=list_parts(*parts, project=project))
    counted = get_progress(project=project, user=reader)
    states = AnnotatorState.objects.filter(project=project)
    totals = states.aggregate(n_judgments=Sum("n_judgments", default=0), n_submitted=Sum("n_submitted", default=0))
    forecast = look_ahead(project=project)
    progress = view.get(Part.PROGRESS) or {"days": []}
    daily = daily_of(progress["days"], today)
    return Overview(
        today=today,
        slots=counted["assignments_needed"],
        slots_open=counted["assignments_needed"] - counted["assignments_submitted"],
        hits=counted["hits"],
        n_judgments=totals["n_judgments"],
        n_submitted=totals["n_submitted"],
        view=view,
        forecast=forecast,
        finish=finish_of(forecast.left.assignments, daily, seed=project.pk),
        spent=_spent(project, totals["n_submitted"]),
        n_people=states.filter(is_unnamed=False).aggregate(n=Count("pk"))["n"],
        people=_list_people(project, today),
        waiting=read_counts(project=project, reader=reader),
        release=Release.objects.filter(project=project).first(),
    )


def daily_of(days: Sequence[dict[str, Any]], today: date) -> list[int]:
    """Assignments on each of the whole days before today, oldest first, at most PACE_DAYS and none before the first
    day of work."""
    done = {date.fromisoformat(day["day"]): int(day["assignments"]) for day in days if day["assignments"]}
    if not done:
        return []
    first = max(min(done), today - timedelta(days=PACE_DAYS))
    return [done.get(first + timedelta(days=n), 0) for n in range((today - first).days)]


def left_by_day(days: Sequence[dict[str, Any]], *, slots: int) -> list[int]:
    """What was left of today's `slots` at the end of each of the days."""
    left, found = slots, []
    for day in days:
        left -= day["assignments"]
        found.append(max(0, left))
    return found


def _spent(project: Project, n_submitted: int) -> Decimal | None:
    """What the submitted HITs cost, late ones too."""
    if project.pay_per_hit is None:
        return None
    return cost_of(n_submitted, pay=Decimal(project.pay_per_hit), fee=Decimal(str(project.pay_fee)))


def _list_people(project: Project, today: date) -> list[Person]:
    """The busiest annotators who stand for themselves."""
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False, n_submitted__gt=0)
    busiest = list(states.select_related("user").order_by("-n_judgments", "user_id")[:MOST_PEOPLE])
    habits = read_habits(project, [state.user_id for state in busiest])
    return [
        Person(
            state,
            state.n_today if state.today == today else 0,
            share_of(state.n_graded - state.n_failed, state.n_graded),
            habits.get(state.user_id),
        )
        for state in busiest
    ]
