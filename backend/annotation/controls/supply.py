"""How long the hidden controls will last, said before annotators run out of them.

A control belongs to one image or query, so that what counts is not how many there are, but how many lie where people
will work next. Looked at are the places that are handed out next, in their order: a fifth of those that are free.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet

from backend.annotation.coming import list_able
from backend.annotation.controls.drawing import hidden_controls
from backend.annotation.models import (
    Assignment,
    Control,
    ControlMeeting,
    ControlState,
    HitItem,
    Slot,
)
from backend.people.models import User
from backend.projects.models import Project

LOOK_AHEAD = 0.2
LOOK_AT_MOST = 5_000
ENOUGH = 0.9  # of what the rate asks for
NONE_AT_ALL = "This project asks for {rate:.0%} hidden controls and has none in use: add some before people go on."
RUNNING_LOW = (
    "Hidden controls are running low: the next {n:,} HITs want about {wanted:.0f} and {there:,} are there. "
    "Add controls to the images or queries that come next, or lower the rate of {rate:.0%}."
)
LOW_FOR_SOME = (
    "Hidden controls are running low for {n} of the annotators, who have met most of those that come next. "
    "Add controls, or lower the rate of {rate:.0%}."
)
Subject = tuple[int | None, int | None]  # of a HIT: its image, its query


@dataclass(frozen=True)
class PersonalSupply:
    """What is left for one annotator among the HITs that come next: controls never met, and how many are wanted."""

    user: User
    n_met: int
    n_unmet: int
    wanted: float
    is_short: bool


@dataclass(frozen=True)
class Supply:
    """`wanted` controls go with the `looked_at` places that come next, and `available` lie there."""

    rate: float
    n_active: int
    n_quiz: int
    n_quarantined: int
    n_retired: int
    places_left: int
    looked_at: int
    wanted: float
    available: int
    is_short: bool
    warning: str
    annotators: list[PersonalSupply]


def read_supply(*, project: Project) -> Supply:
    """Seven statements, however many HITs, controls and people there are; none reads more than the next places."""
    numbers = Control.objects.filter(project=project).aggregate(
        n_active=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=False)),
        n_quiz=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=True)),
        n_quarantined=Count("pk", filter=Q(state=ControlState.QUARANTINED)),
        n_retired=Count("pk", filter=Q(state=ControlState.RETIRED)),
    )
    free = Slot.objects.filter(project=project, assignment=None)
    left = free.count()
    ahead = _Ahead.read(project, free, min(LOOK_AT_MOST, -(-left * LOOK_AHEAD // 1)))
    wanted, available = ahead.wanted_for(len(ahead.places)), ahead.available_in(Counter(ahead.places), Counter())
    people = ahead.personal(project)
    is_short = available < ENOUGH * wanted
    warning = _warn(project.control_rate, numbers["n_active"], ahead, wanted, available, people)
    return Supply(
        project.control_rate, **numbers, places_left=left, looked_at=len(ahead.places), wanted=wanted,
        available=available, is_short=is_short, warning=warning, annotators=people,
    )  # fmt: skip


@dataclass(frozen=True)
class _Ahead:
    """The places that come next by their HITs, the HITs' subjects, and the hidden controls of these."""

    places: list[int]
    subjects: dict[int, Subject]
    controls: dict[Subject, int]
    per_hit: float

    @classmethod
    def read(cls, project: Project, free: QuerySet[Slot], n: float) -> _Ahead:
        rows = free.order_by("-priority", "number", "hit_id").values_list("hit", "hit__image", "hit__query")[: int(n)]
        subjects: dict[int, Subject] = {hit: (image, query) for hit, image, query in rows}
        places = [hit for hit, *_ in rows]
        per_hit = _items_of_a_hit(places) * project.control_rate / (1 - project.control_rate)
        return cls(places, subjects, _controls_of(project, set(subjects.values())), per_hit)

    def wanted_for(self, n_places: int) -> float:
        return self.per_hit * n_places

    def available_in(self, hits: Counter[int], met: Counter[Subject]) -> int:
        """Controls that can be shown at so many places of these HITs; a HIT gets no more than the rate asks for."""
        most = int(self.per_hit) + (self.per_hit % 1 > 0)
        there = ((self.controls.get(self.subjects[hit], 0) - met[self.subjects[hit]], n) for hit, n in hits.items())
        return sum(n * max(0, min(most, unmet)) for unmet, n in there)

    def personal(self, project: Project) -> list[PersonalSupply]:
        """One for each person who works on the project, or may, and can still come."""
        working = list_able(project=project)
        had: dict[int, set[int]] = defaultdict(set)
        turns = Assignment.objects.filter(project=project, hit__in=self.subjects).order_by()
        for user, hit in turns.values_list("annotator", "hit"):
            had[user].add(hit)
        met = self._met(project)
        return [
            self._person(standing.user, Counter(set(self.places) - had[standing.user_id]), met[standing.user_id])
            for standing in working.select_related("user").order_by("user__username")
        ]

    def _met(self, project: Project) -> dict[int, Counter[Subject]]:
        """By person, how many of each subject's hidden controls they have met."""
        meetings = ControlMeeting.objects.filter(control__in=hidden_controls().filter(project=project)).order_by()
        met: dict[int, Counter[Subject]] = defaultdict(Counter)
        subject = ("control__candidate__image", "control__candidate__query")
        for user, image, query, n in meetings.values_list("annotator", *subject).annotate(n=Count("pk")):
            met[user][(None, query) if query else (image, None)] += n
        return met

    def _person(self, user: User, hits: Counter[int], met: Counter[Subject]) -> PersonalSupply:
        wanted, unmet = self.wanted_for(len(hits)), self.available_in(hits, met)
        return PersonalSupply(user, met.total(), unmet, wanted, unmet < ENOUGH * wanted)


def _items_of_a_hit(hits: list[int]) -> float:
    """Pairs in one of them, in the mean."""
    return HitItem.objects.filter(hit__in=set(hits), is_open=True).count() / len(set(hits)) if hits else 0.0


def _controls_of(project: Project, subjects: set[Subject]) -> dict[Subject, int]:
    images = {image for image, _ in subjects if image}
    queries = {query for _, query in subjects if query}
    here = Q(candidate__query__in=queries) | Q(candidate__image__in=images, candidate__query=None)
    rows: Any = hidden_controls().filter(here, project=project).order_by()
    counted = rows.values_list("candidate__image", "candidate__query").annotate(n=Count("pk"))
    found: dict[Subject, int] = defaultdict(int)
    for image, query, n in counted:
        found[(None, query) if query else (image, None)] += n
    return dict(found)


def _warn(
    rate: float, n_active: int, ahead: _Ahead, wanted: float, available: int, people: list[PersonalSupply]
) -> str:
    if not rate or not ahead.places:
        return ""
    if not n_active:
        return NONE_AT_ALL.format(rate=rate)
    if available < ENOUGH * wanted:
        return RUNNING_LOW.format(n=len(ahead.places), wanted=wanted, there=available, rate=rate)
    short = [person for person in people if person.is_short]
    return LOW_FOR_SOME.format(n=len(short), rate=rate) if short else ""
