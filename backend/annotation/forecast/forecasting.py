"""What is left to do on a project: judgments, HITs to hand out, hours and money, with intervals.

Places that nobody has submitted on are counted by the indexes over them. What they are worth depends on the votes of
the pairs behind them, and those are read for all unfinished HITs where they are few and for a draw of them elsewhere,
so that the answer takes as long at ten million judgments as at a hundred thousand.

What people skip or return is handed out again and costs nothing here. Pairs that are in no HIT yet are not in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from itertools import count
from random import Random
from statistics import fmean
from typing import Any, cast

from django.db.models import Count, F, IntegerField, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Mod

from backend.annotation.coming import list_able, list_new
from backend.annotation.controls.drawing import hidden_controls
from backend.annotation.controls.supply import Unmet, list_unmet
from backend.annotation.forecast.waiting import HAD_FOR_GOOD, count_waiting_for_new, list_team
from backend.annotation.models import (
    DONE,
    Assignment,
    AssignmentStatus,
    ControlMeeting,
    ControlOutcome,
    ControlState,
    Hit,
    HitItem,
    Judgment,
    Slot,
    Standing,
    StandingState,
)
from backend.annotation.selectors import counted_judgments
from backend.methods.assignment import controls_on_top
from backend.methods.budget import cost_of
from backend.methods.budget.crowd import Crowd, hard_share
from backend.methods.budget.left import Left, Span, left_of_hits
from backend.methods.budget.pace import Pace, Timed, hours_of, pace_of
from backend.methods.budget.playing import Rule, UnfinishedHit, are_enough_for_control
from backend.methods.budget.skill import Graded, PoolSkill, pool_skill
from backend.methods.consensus import Verdict
from backend.projects.models import Project

DRAWN = 120  # unfinished HITs that are looked into; fewer are all looked into
DRAWN_FOR_SKILL = 100  # HITs in which agreement is looked for, where controls tell nothing
BUCKETS, SPREAD = 65_536, 40_503  # ids times an odd number: buckets in which neighbours lie far apart
NOBODY = Graded(0, 0, 0)
NEW = 0  # nobody's id: who has met nothing yet, where there is no member
LOOKED_AT_FIRST = 10  # HITs that tell how many pages are to come
LOOKED_AT_FOR_CONTROLS = 50  # that tell what people can meet
STEP = 100  # assignments whose judgments are read at once
PEOPLE, EACH = 10, 40  # whose newest assignments tell the pace, or controls the supply; and how many of each


@dataclass(frozen=True)
class Cost:
    """Money in the currency of the project's budget, the platform's fee in it."""

    mean: Decimal
    low: Decimal
    high: Decimal


@dataclass(frozen=True)
class ProjectForecast:
    """What is left; `skill` is None where it makes no difference, and `hours` and `cost` where they cannot be told.
    Of the `n_drawn` HITs that were looked into, `n_waiting` want somebody new."""

    left: Left
    n_places: int
    n_drawn: int
    n_waiting: int
    skill: PoolSkill | None
    pace: Pace | None
    hours: Span | None
    cost: Cost | None


def get_forecast(*, project: Project) -> ProjectForecast:
    """What is left of the project's HITs. Some forty statements, however large the project."""
    n_places = _count_open_places(project)
    places = _draw_places(project, n_places)
    n_places = n_places if places else 0  # the last may have been submitted between the two
    able = list(list_able(project=project).order_by("pk").values_list("user", flat=True))
    team = set(list_team(project=project).values_list("user", flat=True))
    new = set(list_new(project=project).values_list("user", flat=True))
    crowd, hits = _crowd_and_hits(project, places, able, team | new)
    left = _left_of(project, crowd, hits, _controls_to_come(project, places, hits, team | new, n_places), n_places)
    pace = pace_of(_list_timed(project))
    return ProjectForecast(
        left=left,
        n_places=n_places,
        n_drawn=len(places),
        n_waiting=count_waiting_for_new(project=project, hits=places, team=team, new=new),
        skill=None if project.confidence is None else crowd.skill,
        pace=pace,
        hours=hours_of(left.judgments, pace) if pace else None,
        cost=cost_of_left(left.assignments, project=project),
    )


def cost_of_left(assignments: Span, *, project: Project) -> Cost | None:
    """ConQA's formula: HITs times pay, and the fee on top; None where no pay is set."""
    if project.pay_per_hit is None:
        return None
    pay, fee = Decimal(project.pay_per_hit), Decimal(str(project.pay_fee))
    return Cost(*(cost_of(round(n), pay=pay, fee=fee) for n in (assignments.mean, assignments.low, assignments.high)))


def _open_places(project: Project) -> tuple[QuerySet[Slot], QuerySet[Slot]]:
    """Places that are free, and those somebody holds: each is found by an index of its own."""
    free = Slot.objects.filter(project=project, assignment=None)
    leased = Assignment.objects.filter(project=project, status=AssignmentStatus.LEASED)
    return free.order_by(), Slot.objects.filter(project=project, assignment__in=leased).order_by()


def _count_open_places(project: Project) -> int:
    return sum(places.count() for places in _open_places(project))


def _draw_places(project: Project, n_places: int) -> dict[int, int]:
    """`{HIT id: its open places}` of all unfinished HITs, or of DRAWN of them, the first by buckets of their ids.

    As HITs have `overlap` open places or fewer, the buckets read hold DRAWN of them or more.
    """
    share = min(1.0, DRAWN * max(project.overlap, 1) / max(1, n_places))
    found: Counter[int] = Counter()
    for places in _open_places(project):
        drawn = places if share == 1 else places.annotate(bucket=_bucket("hit_id")).filter(bucket__lt=BUCKETS * share)
        found.update(dict(drawn.values_list("hit").annotate(n=Count("pk"))))
    chosen = sorted(found, key=lambda hit: (hit * SPREAD % BUCKETS, hit))[:DRAWN]
    return {hit: found[hit] for hit in chosen}


def _bucket(name: str) -> Any:
    return Mod(F(name) * Value(SPREAD), Value(BUCKETS), output_field=IntegerField())


def _crowd_and_hits(
    project: Project, places: dict[int, int], able: Sequence[int], everybody: set[int]
) -> tuple[Crowd, list[UnfinishedHit]]:
    """The HITs with their open pairs and the votes on these, and who has judged or is `able` to come. People are told
    by their places in the crowd; `everybody` can come, now or after the quiz, if only to begin."""
    items = HitItem.objects.filter(hit__in=list(places), is_open=True).order_by("pk").values_list("candidate", "hit")
    votes, had = _votes_of(project, list(places)), _had_by(places)
    standings = _graded(project)
    at: defaultdict[int, int] = defaultdict(count().__next__)
    comes = [at[user] for user in able]
    pairs: defaultdict[int, list[list[tuple[Verdict, int]]]] = defaultdict(list)
    for candidate, hit in items:
        pairs[hit].append([(label, at[user]) for label, user in votes[candidate]])
    others = {hit: len(everybody) - len(everybody.intersection(had[hit])) for hit in places}
    hits = [UnfinishedHit(n, pairs[hit], [at[user] for user in had[hit]], others[hit]) for hit, n in places.items()]
    skill, hard = _skill_of(project, list(standings.values()))
    return Crowd([standings.get(user, NOBODY) for user in at], comes, skill, hard=hard), hits


def _had_by(hits: Iterable[int]) -> defaultdict[int, list[int]]:
    """Who does not come again to each HIT."""
    had: defaultdict[int, list[int]] = defaultdict(list)
    turns = Assignment.objects.filter(hit__in=list(hits), status__in=HAD_FOR_GOOD).order_by()
    for hit, user in turns.values_list("hit", "annotator"):
        had[hit].append(user)
    return had


def _votes_of(project: Project, hits: Sequence[int]) -> defaultdict[int, list[tuple[Verdict, int]]]:
    """`{candidate id: [(label, whose)]}` of what counts, the oldest first. By ids of assignments, few at a time: so the
    planner knows how few rows they are, and starts no workers for them, which are long in coming on a busy machine."""
    turns = list(Assignment.objects.filter(hit__in=hits).order_by().values_list("pk", flat=True))
    found: list[tuple[int, int, str, int]] = []
    for first in range(0, len(turns), STEP):
        counted = counted_judgments(project=project).filter(assignment__in=turns[first : first + STEP]).order_by()
        found += counted.values_list("pk", "candidate", "label", "annotator")
    votes: defaultdict[int, list[tuple[Verdict, int]]] = defaultdict(list)
    for _, candidate, label, user in sorted(found):
        votes[candidate].append((cast(Verdict, label), user))
    return votes


def _skill_of(project: Project, people: Sequence[Graded]) -> tuple[PoolSkill, tuple[float, float]]:
    """How often people are right, and the share of pairs that are harder than controls. It makes no difference under
    fixed overlap, where it is not looked for."""
    if project.confidence is None:
        return pool_skill([], n_equal=0, n_twos=0), (0.0, 0.0)
    agreed = _twos_that_agree(project)
    skill = pool_skill(people, **agreed)
    return skill, hard_share(skill, **agreed)


@dataclass(frozen=True)
class _Controls:
    """Hidden controls to come: how many a page wants, and what some of the `n_people` have not met yet."""

    on_a_page: float
    n_people: int
    unmet: Sequence[Unmet]

    def met_by(self, crowd: Crowd, n_pages: float) -> Crowd:
        """The crowd, told how many more each person will have met when half of so many pages are done, and how often
        there is one by the end."""
        wanted = self.on_a_page * n_pages / self.n_people
        by_half = fmean(min(each.share * wanted / 2, each.n) for each in self.unmet)
        there = fmean(min(each.share, each.n / wanted) for each in self.unmet) if wanted else 1.0
        return replace(crowd, n_to_meet=round(by_half), there=there)


def _left_of(
    project: Project, crowd: Crowd, hits: Sequence[UnfinishedHit], controls: _Controls | None, n_places: int
) -> Left:
    """How many controls people meet hangs on how many pages are to come, more than there are places where people
    disagree: a few of the HITs tell that first."""
    rule = _rule_of(project)
    rate = project.control_rate if controls else 0.0
    left_of = partial(left_of_hits, n_places=n_places, control_rate=rate, seed=project.pk)
    if controls:
        first = left_of(hits[:LOOKED_AT_FIRST], rule, controls.met_by(crowd, n_places))
        crowd = controls.met_by(crowd, first.assignments.mean)
    return left_of(hits, rule, crowd)


def _controls_to_come(
    project: Project, places: dict[int, int], hits: Sequence[UnfinishedHit], everybody: set[int], n_places: int
) -> _Controls | None:
    """What some people, drawn by lot, have not met; of a draw of HITs there is as much more as of places. None where
    no controls are in use."""
    if not hits or not project.control_rate or not hidden_controls().filter(project=project).exists():
        return None
    rule = _rule_of(project)
    on_a_page = fmean(_wanted_on(hit, rule, project.control_rate) for hit in hits)
    looked_at = list(places)[:LOOKED_AT_FOR_CONTROLS]
    some = Random(project.pk).sample(sorted(everybody), min(PEOPLE, len(everybody))) or [NEW]
    found = list_unmet(project=project, hits=looked_at, people=some) or [Unmet(0, 0.0)]
    drawn = sum(places[hit] for hit in looked_at) / n_places
    unmet = [replace(each, n=round(each.n / drawn)) for each in found]
    return _Controls(on_a_page, max(project.most_votes, len(everybody)), unmet)


def _wanted_on(hit: UnfinishedHit, rule: Rule, rate: float) -> float:
    """How many controls a page of the HIT wants as it stands: none takes a pair's place in a small team."""
    fewest = min((len(votes) for votes in hit.pairs), default=0)
    may_give_way = bool(are_enough_for_control(hit.n_others, fewest, rule))
    return controls_on_top(len(hit.pairs), rate=rate) or rate * len(hit.pairs) * may_give_way


def _rule_of(project: Project) -> Rule:
    return Rule(project.overlap, project.most_votes, project.confidence)


def _graded(project: Project) -> dict[int, Graded]:
    """By person, what their hidden controls told; of everybody whose judgments count."""
    able = Standing.objects.filter(project=project).exclude(state=StandingState.EXCLUDED).order_by()
    unsure = ControlMeeting.objects.filter(control__project=project, outcome=ControlOutcome.UNSURE).order_by()
    unsure = unsure.exclude(control__state=ControlState.QUARANTINED)
    n_unsure: dict[int, int] = dict(unsure.values_list("annotator").annotate(n=Count("pk")))
    counts = able.values_list("user", "n_graded", "n_failed", "n_submitted")
    return {user: Graded(graded, failed, done, n_unsure.get(user, 0)) for user, graded, failed, done in counts}


def _twos_that_agree(project: Project) -> dict[str, int]:
    """Of how many pairs the first two votes agree, in a draw of HITs, finished ones among them. Later votes are asked
    for where the first disagree, and would tell of these twice."""
    twos = [votes[:2] for votes in _votes_of(project, _draw_hits(project)).values() if len(votes) > 1]
    return {"n_equal": sum(first == second for (first, _), (second, _) in twos), "n_twos": len(twos)}


def _draw_hits(project: Project) -> list[int]:
    """Ids of HITs by lot, between the project's first and last. Those of other projects have no votes of this one."""
    ends = Hit.objects.filter(project=project).aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return []
    ids = range(ends["first"], ends["last"] + 1)
    return Random(project.pk).sample(ids, min(DRAWN_FOR_SKILL, len(ids)))


def _list_timed(project: Project) -> list[Timed]:
    """The newest assignments of the busiest people whose client sent the focus time of every item."""
    newest = [pk for user in _list_busiest(project) for pk in _list_newest(project, user)]
    judged = (
        Judgment.objects.filter(assignment__in=newest, supersedes=None).order_by().values("assignment", "annotator")
    )
    rows = judged.annotate(
        ms_sum=Sum("ms"),
        n=Count("pk"),
        n_timed=Count("ms"),
        n_ordinary=Count("pk", filter=Q(candidate__control=None)),
    )
    return [
        Timed(row["ms_sum"] / 1000, row["n_ordinary"], row["annotator"]) for row in rows if row["n"] == row["n_timed"]
    ]


def _list_busiest(project: Project) -> Iterable[int]:
    busy = Standing.objects.filter(project=project, n_submitted__gt=0).order_by("-n_submitted", "pk")
    return busy.values_list("user", flat=True)[:PEOPLE]


def _list_newest(project: Project, user: int) -> Iterable[Any]:
    done = Assignment.objects.filter(project=project, annotator=user, status__in=DONE)
    return done.order_by("-submitted_at").values_list("pk", flat=True)[:EACH]
