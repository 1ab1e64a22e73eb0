"""How long the hidden controls will last, said before annotators run out of them.

A control belongs to one image or query, so that what counts is not how many there are, but how many lie where people
will work next. Looked at are the places that are handed out next, in their order: a fifth of those that are free.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil

from django.db.models import Count, Q, QuerySet

from backend.annotation.coming import list_able
from backend.annotation.controls.drawing import hidden_controls
from backend.annotation.controls.seen import controls_seen
from backend.annotation.models import (
    Assignment,
    Control,
    ControlMeeting,
    ControlState,
    HitItem,
    Slot,
)
from backend.methods.assignment import controls_on_top
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
    """As many statements however many HITs, controls and people there are; none reads more than the next places."""
    numbers = Control.objects.filter(project=project).aggregate(
        n_active=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=False)),
        n_quiz=Count("pk", filter=Q(state=ControlState.ACTIVE, is_quiz=True)),
        n_quarantined=Count("pk", filter=Q(state=ControlState.QUARANTINED)),
        n_retired=Count("pk", filter=Q(state=ControlState.RETIRED)),
    )
    free = Slot.objects.filter(project=project, assignment=None)
    left = free.count()
    ahead = _Ahead.read(project, free, min(LOOK_AT_MOST, -(-left * LOOK_AHEAD // 1)))
    wanted, available = ahead.wanted(ahead.places), ahead.available()
    people = ahead.personal(project)
    is_short = available < ENOUGH * wanted
    warning = _warn(project.control_rate, numbers["n_active"], ahead, wanted, available, people)
    return Supply(
        project.control_rate, **numbers, places_left=left, looked_at=len(ahead.places), wanted=wanted,
        available=available, is_short=is_short, warning=warning, annotators=people,
    )  # fmt: skip


@dataclass(frozen=True)
class _Coming:
    """A HIT of which places come next: what a page of it wants, and how many its image or query has for it."""

    subject: Subject
    wanted: float
    there: int


@dataclass(frozen=True)
class _Ahead:
    """The places that come next by their HITs, these, and the hidden controls of their images and queries."""

    places: list[int]
    hits: dict[int, _Coming]
    controls: dict[Subject, set[int]]

    @classmethod
    def read(cls, project: Project, free: QuerySet[Slot], n: float) -> _Ahead:
        told = ("hit", "hit__image", "hit__query", "hit__part")
        rows = list(free.order_by("-priority", "number", "hit_id").values_list(*told)[: int(n)])
        controls = _controls_of(project, {(image, query) for _, image, query, _ in rows})
        n_items = _items_of({hit for hit, *_ in rows})
        hits = {
            hit: _coming(project, (image, query), part, n_items[hit], len(controls[image, query]))
            for hit, image, query, part in dict.fromkeys(rows)
        }
        return cls([hit for hit, *_ in rows], hits, controls)

    def wanted(self, hits: Iterable[int]) -> float:
        return sum(self.hits[hit].wanted for hit in hits)

    def available(self) -> int:
        """At all places: nobody has met those of the HITs that they have not had."""
        return sum(self.hits[hit].there for hit in self.places)

    def available_to(self, hits: Iterable[int], not_for_them: set[int]) -> int:
        """Controls that one person can be shown at these HITs."""
        there: Counter[Subject] = Counter()
        for hit in hits:
            there[self.hits[hit].subject] += self.hits[hit].there
        return sum(min(n, len(self.controls[subject] - not_for_them)) for subject, n in there.items())

    def personal(self, project: Project) -> list[PersonalSupply]:
        """One for each person who works on the project, or may, and can still come."""
        working = list_able(project=project)
        had: dict[int, set[int]] = defaultdict(set)
        turns = Assignment.objects.filter(project=project, hit__in=self.hits).order_by()
        for user, hit in turns.values_list("annotator", "hit"):
            had[user].add(hit)
        of_next = set().union(*self.controls.values())
        met, seen = _met(project), controls_seen(project, of_next)
        return [
            self._person(standing.user, set(self.hits) - had[standing.user_id], met, seen)
            for standing in working.select_related("user").order_by("user__username")
        ]

    def _person(
        self, user: User, hits: set[int], met: Mapping[int, set[int]], seen: Mapping[int, set[int]]
    ) -> PersonalSupply:
        wanted, unmet = self.wanted(hits), self.available_to(hits, met[user.pk] | seen[user.pk])
        return PersonalSupply(user, len(met[user.pk]), unmet, wanted, unmet < ENOUGH * wanted)


def _coming(project: Project, subject: Subject, part: int, n_items: int, n_controls: int) -> _Coming:
    """Where pages are long each HIT has a share of its own; short ones draw from all that there are."""
    rate = project.control_rate
    wanted = controls_on_top(n_items, rate=rate) or n_items * rate
    n_of_each = controls_on_top(project.captions_per_hit, rate=rate)
    dealt = min(n_of_each, max(0, n_controls - part * n_of_each)) if n_of_each else n_controls
    return _Coming(subject, wanted, min(ceil(wanted), dealt))


def _met(project: Project) -> defaultdict[int, set[int]]:
    """By person, the hidden controls in use that they have met."""
    meetings = ControlMeeting.objects.filter(control__in=hidden_controls().filter(project=project)).order_by()
    met: defaultdict[int, set[int]] = defaultdict(set)
    for user, control in meetings.values_list("annotator", "control"):
        met[user].add(control)
    return met


def _items_of(hits: set[int]) -> Counter[int]:
    """Open pairs of each."""
    items = HitItem.objects.filter(hit__in=hits, is_open=True).order_by()
    return Counter(dict(items.values_list("hit").annotate(n=Count("pk"))))


def _controls_of(project: Project, subjects: set[Subject]) -> defaultdict[Subject, set[int]]:
    images = {image for image, _ in subjects if image}
    queries = {query for _, query in subjects if query}
    here = Q(candidate__query__in=queries) | Q(candidate__image__in=images, candidate__query=None)
    rows = hidden_controls().filter(here, project=project).order_by()
    found: defaultdict[Subject, set[int]] = defaultdict(set)
    for control, image, query in rows.values_list("pk", "candidate__image", "candidate__query"):
        found[(None, query) if query else (image, None)].add(control)
    return found


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
