"""How long the hidden controls will last, said before annotators run out of them, and whether they audit themselves.

A control belongs to one image or query, so that what counts is not how many there are, but how many lie where people
will work next. Looked at are the places that are handed out next, in their order: a fifth of those that are free.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from django.db.models import Count, Q, QuerySet

from backend.annotation.coming import list_able, list_new
from backend.annotation.controls.auditing import count_controls
from backend.annotation.controls.drawing import IN_USE, hidden_controls
from backend.annotation.controls.seen import controls_seen
from backend.annotation.models import (
    Assignment,
    Control,
    ControlMeeting,
    ControlState,
    Hit,
    HitItem,
    Slot,
    Standing,
)
from backend.methods.assignment import SPARE, controls_on_top, deal_controls
from backend.methods.quality import Sight, sight_of
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
    "Hidden controls are running low for {n} of the annotators: fewer are left for them than the HITs that come next "
    "want, as nobody meets the same words or the same photograph twice. Add controls, or lower the rate of {rate:.0%}."
)
TOO_FEW_PEOPLE = (
    "Short pages get no hidden controls before more people are at work ({n} more at least): one takes the place of a "
    "pair there, which somebody else has to judge. Add annotators, show more captions a page, or raise the rate of "
    "{rate:.0%}."
)
UNGRADED = (
    "The adaptive overlap believes people by the hidden controls they pass: where they meet none, it often asks for "
    "twice as many judgments."
)
NOBODY_GOOD = (
    "Nobody passes 8 in 10 of the hidden controls, so the audit cannot tell which of them are wrong. "
    "Look at those that most people fail."
)
FEW_GOOD = (
    "Only {n} of {people} people pass 8 in 10 of the hidden controls, so the audit can hardly tell which of them are "
    "wrong. Look at those that most people fail."
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
    """`wanted` controls go with the `looked_at` places that come next, and `available` lie there; `people_wanted` more
    must be at work before one comes with pages that are short. `sight` is the audit's, which finds wrong ones."""

    rate: float
    is_adaptive: bool
    n_active: int
    n_quiz: int
    n_quarantined: int
    n_retired: int
    places_left: int
    looked_at: int
    wanted: float
    available: int
    is_short: bool
    people_wanted: int
    annotators: list[PersonalSupply]
    sight: Sight

    @property
    def is_ungraded(self) -> bool:
        """Whether the stop rule believes people by controls, and those who come next meet none."""
        meets_none = not self.rate or not self.available or self.people_wanted > 0
        return self.is_adaptive and self.looked_at > 0 and meets_none

    @property
    def warning(self) -> str:
        """A sentence or two for the curator; empty when all is well."""
        shortage = self._shortage() if self.rate and self.looked_at else ""
        said = [shortage, UNGRADED if self.is_ungraded else "", self._blindness()]
        return " ".join(sentence for sentence in said if sentence)

    def _blindness(self) -> str:
        if not self.sight.is_blind:
            return ""
        n, people = self.sight.n_good, self.sight.n_people
        return FEW_GOOD.format(n=n, people=people) if n else NOBODY_GOOD

    def _shortage(self) -> str:
        if not self.n_active:
            return NONE_AT_ALL.format(rate=self.rate)
        if self.people_wanted:
            return TOO_FEW_PEOPLE.format(n=self.people_wanted, rate=self.rate)
        if self.is_short:
            return RUNNING_LOW.format(n=self.looked_at, wanted=self.wanted, there=self.available, rate=self.rate)
        short = [person for person in self.annotators if person.is_short]
        return LOW_FOR_SOME.format(n=len(short), rate=self.rate) if short else ""


def read_supply(*, project: Project) -> Supply:
    """As many statements however many HITs, controls and people there are; none reads more than the next places, and
    who met which control."""
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
    able = list(list_able(project=project).select_related("user").order_by("user__username"))
    return Supply(
        rate=project.control_rate, is_adaptive=project.most_votes > project.overlap, **numbers, places_left=left,
        looked_at=len(ahead.places), wanted=wanted, available=available, is_short=available < ENOUGH * wanted,
        people_wanted=_people_wanted(project, ahead, able), annotators=ahead.personal(project, able),
        sight=sight_of(count_controls(project=project).values()),
    )  # fmt: skip


@dataclass(frozen=True)
class Unmet:
    """Hidden controls that one person could still meet at some HITs, and for what share of those wanted there is one
    at the HIT, as long as they have not met it elsewhere."""

    n: int
    share: float


def list_unmet(*, project: Project, hits: Collection[int], people: Iterable[int]) -> list[Unmet]:
    """What each of these people could meet at those of the HITs that they have not had; of who had all there is none.
    Eleven statements."""
    told = Hit.objects.filter(pk__in=hits).order_by("pk").values_list("pk", "image", "query", "part")
    ahead = _Ahead.of(project, list(told))
    had, of_next = ahead.had(project), ahead.of_next()
    met, seen = _met(hidden_controls().filter(pk__in=of_next)), controls_seen(project, of_next)
    left = [(user, [hit for hit in ahead.hits if hit not in had[user]]) for user in people]
    return [ahead.unmet(not_had, met[user] | seen[user]) for user, not_had in left if not_had]


@dataclass(frozen=True)
class _Coming:
    """A HIT of which places come next: what a page of it wants, and how many its image or query has for it. `is_long`
    where it was built of so many pairs that controls come on top."""

    subject: Subject
    wanted: float
    there: int
    is_long: bool


@dataclass
class _Dealt:
    """What is dealt to the HITs of an image or query: its controls by id, in the order they were made, whether each is
    in use, and the picture that nobody meets a second time, where a query's."""

    n_parts: int = 0
    controls: list[tuple[int, bool, int | None]] = field(default_factory=list)


@dataclass(frozen=True)
class _Ahead:
    """The places that come next by their HITs, these, and the hidden controls in use of their images and queries, each
    with its picture where a query's."""

    places: list[int]
    hits: dict[int, _Coming]
    controls: dict[Subject, dict[int, int | None]]

    @classmethod
    def read(cls, project: Project, free: QuerySet[Slot], n: float) -> _Ahead:
        told = ("hit", "hit__image", "hit__query", "hit__part")
        return cls.of(project, list(free.order_by("-priority", "number", "hit_id").values_list(*told)[: int(n)]))

    @classmethod
    def of(cls, project: Project, rows: Sequence[tuple[int, int | None, int | None, int]]) -> _Ahead:
        """Of places by their HITs, each with its image, query and part."""
        subjects = _subjects(project, {(image, query) for _, image, query, _ in rows})
        n_items = _items_of({hit for hit, *_ in rows})
        hits = {
            hit: _coming(project, (image, query), part, n_items.get(hit, (0, 0)), subjects[image, query])
            for hit, image, query, part in dict.fromkeys(rows)
        }
        controls = {
            subject: {pk: picture for pk, in_use, picture in found.controls if in_use}
            for subject, found in subjects.items()
        }
        return cls([hit for hit, *_ in rows], hits, controls)

    def wanted(self, hits: Iterable[int]) -> float:
        return sum(self.hits[hit].wanted for hit in hits)

    def available(self) -> int:
        """At all places: nobody has met those of the HITs that they have not had."""
        return sum(self.hits[hit].there for hit in self.places)

    def available_to(self, hits: Iterable[int], not_for_them: set[int]) -> int:
        """Controls that one person can be shown at these HITs, in this order; each picture with one query."""
        there: Counter[Subject] = Counter()
        for hit in hits:
            there[self.hits[hit].subject] += self.hits[hit].there
        shown: set[int] = set()
        return sum(self._show(subject, n, not_for_them, shown) for subject, n in there.items())

    def _show(self, subject: Subject, n: int, not_for_them: set[int], shown: set[int]) -> int:
        """How many of `n` there are for them, whose pictures are `shown` then."""
        free = [picture for pk, picture in self.controls[subject].items() if pk not in not_for_them]
        fresh = [picture for picture in free if picture not in shown][:n]
        shown.update(picture for picture in fresh if picture is not None)
        return len(fresh)

    def personal(self, project: Project, able: Sequence[Standing]) -> list[PersonalSupply]:
        """One for each person who works on the project, or may, and can still come."""
        had = self.had(project)
        met, seen = _met(hidden_controls().filter(project=project)), controls_seen(project, self.of_next())
        return [
            self._person(standing.user, [hit for hit in self.hits if hit not in had[standing.user_id]], met, seen)
            for standing in able
        ]

    def had(self, project: Project) -> defaultdict[int, set[int]]:
        """By person, those of the HITs that they have had."""
        had: defaultdict[int, set[int]] = defaultdict(set)
        turns = Assignment.objects.filter(project=project, hit__in=self.hits).order_by()
        for user, hit in turns.values_list("annotator", "hit"):
            had[user].add(hit)
        return had

    def of_next(self) -> set[int]:
        return set().union(*self.controls.values())

    def unmet(self, hits: Sequence[int], not_for_them: set[int]) -> Unmet:
        """What one person could meet at these HITs."""
        there = sum(self.available_to([hit], not_for_them) for hit in hits)
        wanted = sum(ceil(self.hits[hit].wanted) for hit in hits)
        return Unmet(self.available_to(hits, not_for_them), there / wanted if wanted else 1.0)

    def _person(
        self, user: User, hits: Sequence[int], met: Mapping[int, set[int]], seen: Mapping[int, set[int]]
    ) -> PersonalSupply:
        wanted, unmet = self.wanted(hits), self.available_to(hits, met[user.pk] | seen[user.pk])
        return PersonalSupply(user, len(met[user.pk]), unmet, wanted, unmet < ENOUGH * wanted)


def _people_wanted(project: Project, ahead: _Ahead, able: Iterable[Standing]) -> int:
    """How many more must be at work before a control takes the place of a pair, as `draw_controls` asks for, where so
    few pages ahead are long that it matters; members who have not begun are counted on.

    Whoever takes a HIT first leaves the most to come: most_votes - 1, and SPARE, beside the one who takes it.
    """
    if ahead.wanted(hit for hit in ahead.places if ahead.hits[hit].is_long) >= ENOUGH * ahead.wanted(ahead.places):
        return 0
    n_there = sum(standing.n_submitted > 0 for standing in able) + list_new(project=project).count()
    return max(0, project.most_votes + SPARE - n_there)


def _coming(project: Project, subject: Subject, part: int, sizes: tuple[int, int], beside: _Dealt) -> _Coming:
    """As `draw_controls` deals them, to somebody who has had none of them."""
    rate, (n_items, n_built) = project.control_rate, sizes
    wanted = controls_on_top(n_items, rate=rate) or n_items * rate
    n_of_each = controls_on_top(project.captions_per_hit, rate=rate)
    in_use = [is_in_use for _, is_in_use, _ in beside.controls]
    own, spare = deal_controls(in_use, n=n_of_each, part=part, n_parts=beside.n_parts)
    there = min(ceil(wanted), len(own) + len(spare))
    return _Coming(subject, wanted, there, controls_on_top(n_built, rate=rate) > 0)


def _met(controls: QuerySet[Control]) -> defaultdict[int, set[int]]:
    """By person, which of these controls they have met."""
    meetings = ControlMeeting.objects.filter(control__in=controls).order_by()
    met: defaultdict[int, set[int]] = defaultdict(set)
    for user, control in meetings.values_list("annotator", "control"):
        met[user].add(control)
    return met


def _items_of(hits: set[int]) -> dict[int, tuple[int, int]]:
    """Open pairs of each, and all."""
    items = HitItem.objects.filter(hit__in=hits).order_by().values_list("hit")
    sizes = items.annotate(n_open=Count("pk", filter=Q(is_open=True)), n_built=Count("pk"))
    return {hit: (n_open, n_built) for hit, n_open, n_built in sizes}


def _subjects(project: Project, subjects: set[Subject]) -> defaultdict[Subject, _Dealt]:
    """How many HITs each image or query has, and all controls it ever had. Two statements."""
    images = {image for image, _ in subjects if image}
    queries = {query for _, query in subjects if query}
    found: defaultdict[Subject, _Dealt] = defaultdict(_Dealt)
    hits = Hit.objects.filter(Q(image__in=images) | Q(query__in=queries)).order_by().values_list("image", "query")
    for image, query, n in hits.annotate(n=Count("pk")):
        found[image, query].n_parts = n
    here = Q(candidate__query__in=queries) | Q(candidate__image__in=images, candidate__query=None)
    rows = Control.objects.filter(here, project=project).annotate(in_use=IN_USE).order_by("pk")
    for pk, image, query, in_use in rows.values_list("pk", "candidate__image", "candidate__query", "in_use"):
        found[(None, query) if query else (image, None)].controls.append((pk, in_use, image if query else None))
    return found
