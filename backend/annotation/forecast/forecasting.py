"""What is left to do on a project: judgments, HITs to hand out, hours and money, with intervals.

Places that nobody has submitted on are counted by the indexes over them. What they are worth depends on the votes of
the pairs behind them, and those are read for all unfinished HITs where they are few and for a draw of them elsewhere,
so that the answer takes as long at ten million judgments as at a hundred thousand.

What people skip or return is handed out again and costs nothing here. Pairs that are in no HIT yet are not in it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any

from django.db.models import Count, F, IntegerField, Max, Min, Q, QuerySet, Sum, Value
from django.db.models.functions import Mod

from backend.annotation.controls.drawing import SPARE, hidden_controls
from backend.annotation.forecast.waiting import count_waiting_for_new, list_team
from backend.annotation.models import (
    DONE,
    Assignment,
    AssignmentStatus,
    Hit,
    HitItem,
    Judgment,
    Slot,
    Standing,
    StandingState,
)
from backend.annotation.selectors import counted_judgments
from backend.methods.budget import cost_of
from backend.methods.budget.left import Left, Span, UnfinishedHit, left_of_hits
from backend.methods.budget.needs import Rule
from backend.methods.budget.pace import Pace, Timed, hours_of, pace_of
from backend.methods.budget.skill import Graded, PoolSkill, believed_skill, pool_skill
from backend.methods.consensus import LABELS, Votes
from backend.projects.models import Project

DRAWN = 200  # unfinished HITs that are looked into; fewer are all looked into
DRAWN_FOR_SKILL = 50  # HITs in which agreement is looked for, where controls tell nothing
BUCKETS, SPREAD = 65_536, 40_503  # ids times an odd number: buckets in which neighbours lie far apart
NO_VOTES = Votes()
STEP = 100  # assignments whose judgments are read at once
PEOPLE, EACH = 10, 40  # whose newest assignments tell the pace, and how many of each


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
    """What is left of the project's HITs. About twenty statements, however large the project."""
    n_places = _count_open_places(project)
    places = _draw_places(project, n_places)
    has_controls = bool(project.control_rate) and hidden_controls().filter(project=project).exists()
    rules, skill = _rules(project, learns=has_controls)
    rate = _rate_that_comes(project) if has_controls else 0.0
    left = left_of_hits(_unfinished(project, places), rules, n_places=n_places, control_rate=rate)
    pace = pace_of(_list_timed(project))
    return ProjectForecast(
        left=left,
        n_places=n_places,
        n_drawn=len(places),
        n_waiting=count_waiting_for_new(project=project, hits=places),
        skill=skill,
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


def _unfinished(project: Project, places: dict[int, int]) -> list[UnfinishedHit]:
    """The HITs with their open pairs by votes. One statement for the pairs, one for their votes."""
    items = HitItem.objects.filter(hit__in=list(places), is_open=True).order_by()
    votes = _votes_of(project, list(places))
    states: dict[int, Counter[Votes]] = defaultdict(Counter)
    for candidate, hit in items.values_list("candidate", "hit"):
        states[hit][votes.get(candidate, NO_VOTES)] += 1
    return [UnfinishedHit(n, states[hit]) for hit, n in places.items()]


def _votes_of(project: Project, hits: Sequence[int]) -> dict[int, Votes]:
    """`{candidate id: votes}` of what counts. By ids of assignments, few at a time: so the planner knows how few rows
    they are, and starts no workers for them, which are long in coming on a busy machine."""
    turns = list(Assignment.objects.filter(hit__in=hits).order_by().values_list("pk", flat=True))
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for first in range(0, len(turns), STEP):
        counted = counted_judgments(project=project).filter(assignment__in=turns[first : first + STEP]).order_by()
        for candidate, label in counted.values_list("candidate", "label"):
            votes[candidate][label] += 1
    return {candidate: Votes(**said) for candidate, said in votes.items()}


def _rules(project: Project, *, learns: bool) -> tuple[list[Rule], PoolSkill | None]:
    """The rule at the pool's skill, then at the ends of its interval; one rule where skill makes no difference. It
    `learns` whom to believe where hidden controls are to come."""
    if project.confidence is None:
        return [Rule(project.overlap, project.overlap)], None
    people = _list_graded(project)
    skill = pool_skill(people, n_equal=0, n_twos=0)
    if skill.source != "controls":
        skill = pool_skill(people, **_twos_that_agree(project))
    skills = _skills(people, skill, learns=learns)
    return [Rule(project.overlap, project.most_votes, project.confidence, *each) for each in skills], skill


def _skills(people: Sequence[Graded], skill: PoolSkill, *, learns: bool) -> list[tuple[float, float]]:
    """How often people are right, and what the stop rule believes of them: the likeliest of both, then their ends.

    Beliefs follow what controls tell. Where some are to come, the rule ends up between what it believes today and what
    is so, and how near decides whether two people who agree are enough. So both are ends.
    """
    now = believed_skill(people)
    if not learns:
        return [(each, now) for each in (skill.value, skill.low, skill.high)]
    ends = [(each, believed) for believed in dict.fromkeys((now, skill.value)) for each in (skill.low, skill.high)]
    return [(skill.value, believed_skill(people, to_come=skill)), *ends]


def _rate_that_comes(project: Project) -> float:
    """The share of hidden controls that take a pair's place: none does in too small a team."""
    return project.control_rate if list_team(project=project).count() >= project.most_votes + SPARE else 0.0


def _list_graded(project: Project) -> list[Graded]:
    able = Standing.objects.filter(project=project).exclude(state=StandingState.EXCLUDED).order_by()
    return [Graded(*row) for row in able.values_list("n_graded", "n_failed", "n_submitted")]


def _twos_that_agree(project: Project) -> dict[str, int]:
    """How many twos of votes on a pair there are and how many agree, in a draw of HITs, finished ones among them."""
    votes = _votes_of(project, _draw_hits(project)).values()
    n_equal = sum(_twos(votes_of.of(label)) for votes_of in votes for label in LABELS)
    return {"n_equal": n_equal, "n_twos": sum(_twos(votes_of.total) for votes_of in votes)}


def _draw_hits(project: Project) -> list[int]:
    """Ids of HITs by lot, between the project's first and last. Those of other projects have no votes of this one."""
    ends = Hit.objects.filter(project=project).aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return []
    ids = range(ends["first"], ends["last"] + 1)
    return Random(project.pk).sample(ids, min(DRAWN_FOR_SKILL, len(ids)))


def _twos(n: int) -> int:
    return n * (n - 1) // 2


def _list_timed(project: Project) -> list[Timed]:
    """The newest assignments of the busiest people whose client sent the focus time of every item."""
    newest = [pk for user in _list_busiest(project) for pk in _list_newest(project, user)]
    judged = Judgment.objects.filter(assignment__in=newest, supersedes=None).order_by().values("assignment")
    rows = judged.annotate(
        ms_sum=Sum("ms"),
        n=Count("pk"),
        n_timed=Count("ms"),
        n_ordinary=Count("pk", filter=Q(candidate__control=None)),
    )
    return [Timed(row["ms_sum"] / 1000, row["n_ordinary"]) for row in rows if row["n"] == row["n_timed"]]


def _list_busiest(project: Project) -> Iterable[int]:
    busy = Standing.objects.filter(project=project, n_submitted__gt=0).order_by("-n_submitted", "pk")
    return busy.values_list("user", flat=True)[:PEOPLE]


def _list_newest(project: Project, user: int) -> Iterable[Any]:
    done = Assignment.objects.filter(project=project, annotator=user, status__in=DONE)
    return done.order_by("-submitted_at").values_list("pk", flat=True)[:EACH]
