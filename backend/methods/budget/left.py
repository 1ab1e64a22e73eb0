"""Judgments and assignments left of a project's unfinished HITs, all of them or a sample, with an interval.

A HIT is to be shown as often as the neediest of its open pairs, and every open pair is judged each time: the largest
of the pairs' needs, independent of each other. With hidden controls it is more: on a page of few pairs now and then one
leaves its place to a control (`methods.assignment`) and has its turn on a later page. Of a sample the totals are ratios
to what is known of all HITs, the number of places now open (Cochran, Sampling Techniques, chapter 6).

The interval holds three things: chance in what people will say, chance in which HITs were drawn, and not knowing the
pool's skill, for which it is worked out at both ends of the skill's own interval as well.

>>> hits = [UnfinishedHit(n_places=3, states={Votes(): 5})] * 20
>>> found = left_of_hits(hits, [Rule(min_votes=3, max_votes=3)], n_places=60)
>>> found.assignments, found.judgments
(Span(mean=60.0, low=60.0, high=60.0), Span(mean=300.0, low=300.0, high=300.0))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from backend.methods.assignment import controls_on_top
from backend.methods.budget.needs import Chances, Needs, Rule, moments, most_of, pages_until
from backend.methods.consensus import Votes

Floats = NDArray[np.float64]
ONE_MORE: Chances = (0.0, 1.0)


@dataclass(frozen=True)
class UnfinishedHit:
    """A HIT with places that nobody has submitted on, and its open pairs, counted by their votes."""

    n_places: int
    states: Mapping[Votes, int]


@dataclass(frozen=True)
class Span:
    """A mean with its interval."""

    mean: float
    low: float
    high: float


NOTHING = Span(0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Left:
    """What is left; `n_hits` are the unfinished ones, estimated where only some were drawn."""

    judgments: Span
    assignments: Span
    n_hits: float


def left_of_hits(
    hits: Sequence[UnfinishedHit],
    rules: Sequence[Rule],
    *,
    n_places: int,
    control_rate: float = 0.0,
    level: float = 0.95,
) -> Left:
    """What is left of all unfinished HITs, `hits` being those drawn and `n_places` the open places of all of them.

    `control_rate` is the share of controls that do come, 0 where there are none. `rules` are the rule at the pool's
    skill and, where that is an estimate, at both ends of its interval. Raises ValueError on a level that is none and
    where no HIT is drawn though places are open.
    """
    if not 0 < level < 1:
        raise ValueError(f"A level lies between 0 and 1, unlike {level}.")
    places = np.array([hit.n_places for hit in hits], dtype=np.float64)
    if not n_places:
        return Left(NOTHING, NOTHING, 0.0)
    if not places.sum():
        raise ValueError("Places are open, but no HIT that has one was drawn.")
    share = min(1.0, float(places.sum()) / n_places)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    found = [_totals(hits, Needs(rule), control_rate, places, share, reach) for rule in rules]
    return Left(_widest([each[0] for each in found]), _widest([each[1] for each in found]), len(hits) / share)


def _totals(
    hits: Sequence[UnfinishedHit], needs: Needs, control_rate: float, places: Floats, share: float, reach: float
) -> tuple[Span, Span]:
    """Judgments and assignments under one rule."""
    judged, turns = zip(*(_of_hit(hit, needs, control_rate) for hit in hits), strict=True)
    return tuple(_span(np.array(each), places, share, reach) for each in (judged, turns))  # type: ignore[return-value]


def _of_hit(hit: UnfinishedHit, needs: Needs, control_rate: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """(mean, variance, least, most) of the HIT's judgments and of its assignments."""
    of_pairs = [(_of_open(needs(votes)), times) for votes, times in hit.states.items()]
    every = [chances for chances, times in of_pairs for _ in range(times)]
    shown = _chances_shown(every, control_rate)
    turns = most_of([pages_until(chances, shown) for chances in every]) if every else (1.0,)
    sums = [sum(times * moments(chances)[part] for chances, times in of_pairs) for part in (0, 1)]
    most = sum(times * (len(chances) - 1) for chances, times in of_pairs)
    least = sum(times * _least(chances) for chances, times in of_pairs)
    return (*sums, least, most), (*moments(turns), _least(turns), len(turns) - 1)


def _chances_shown(every: Sequence[Chances], control_rate: float) -> tuple[float, ...]:
    """For each page to come, and all after the last: how likely a pair that is open by then stands on it.

    Where so few are open that no control comes on top, one takes the place of a pair as often as the rate says.
    """
    n_pages = max(map(len, every), default=1) - 1
    n_open = [round(sum(sum(chances[page:]) for chances in every)) for page in range(1, n_pages + 1)]
    return tuple(1.0 if controls_on_top(max(1, n), rate=control_rate) else 1.0 - control_rate for n in (*n_open, 1))


def _of_open(chances: Chances) -> Chances:
    """A pair that is open is judged once more at least, whatever the pool's mean skill says of it."""
    return chances if len(chances) > 1 else ONE_MORE


def _least(chances: Chances) -> int:
    return next(n for n, chance in enumerate(chances) if chance > 0)


def _span(of_hits: Floats, places: Floats, share: float, reach: float) -> Span:
    """The total of all HITs by the ratio of what is left to open places; of_hits (n, 4) as `_of_hit` gives them."""
    means, variances, least, most = of_hits.T
    n = len(means)
    ratio = means.sum() / places.sum()
    drawn = n / max(1, n - 1) * ((means - ratio * places) ** 2).sum() * (1 - share) / share**2
    spread = reach * sqrt(variances.sum() / share + drawn)
    mean = means.sum() / share
    if share < 1:
        return Span(float(mean), max(0.0, float(mean - spread)), float(mean + spread))
    return Span(
        float(mean), max(float(least.sum()), float(mean - spread)), min(float(most.sum()), float(mean + spread))
    )


def _widest(spans: Sequence[Span]) -> Span:
    """The first span's mean within the ends of all."""
    return Span(spans[0].mean, min(each.low for each in spans), max(each.high for each in spans))
