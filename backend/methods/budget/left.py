"""Judgments and assignments left of a project's unfinished HITs, all of them or a sample, with an interval.

A HIT is to be shown as often as the neediest of its open pairs, and every open pair is judged each time. How often
that is hangs on who comes and on what they say, so the work is played through (`playing.py`) with crowds that may be.
Of a sample the totals are ratios to what is known of all HITs, the number of places now open (Cochran, Sampling
Techniques, chapter 6).

The interval holds three things: chance in who comes and what people will say, which evens out over many HITs; not
knowing how good they are, which does not; and chance in which HITs were drawn.

>>> from backend.methods.budget.skill import PoolSkill
>>> hits = [UnfinishedHit(n_places=3, pairs=[[]] * 5)] * 20
>>> nobody = Crowd([], [], PoolSkill(.8, .6, .95, "assumed", 0))
>>> found = left_of_hits(hits, Rule(min_votes=3, max_votes=3), nobody, n_places=60)
>>> found.assignments, found.judgments
(Span(mean=60.0, low=60.0, high=60.0), Span(mean=300.0, low=300.0, high=300.0))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from backend.methods.budget.crowd import Crowd, Floats
from backend.methods.budget.playing import Ints, Rule, UnfinishedHit, play


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
    rule: Rule,
    crowd: Crowd,
    *,
    n_places: int,
    control_rate: float = 0.0,
    level: float = 0.95,
    seed: int = 0,
) -> Left:
    """What is left of all unfinished HITs, `hits` being those drawn and `n_places` the open places of all of them.

    `control_rate` is the share of controls that do come, 0 where there are none. Raises ValueError on a level that is
    none and where no HIT is drawn though places are open.
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
    played = play(hits, rule, crowd, control_rate=control_rate, seed=seed)
    most = _most(hits, rule)
    judgments = _span(played.judgments, places, share, reach, most=sum(map(sum, most)))
    turns = float("inf") if control_rate else sum(max(each, default=0) for each in most)
    return Left(judgments, _span(played.assignments, places, share, reach, most=turns), len(hits) / share)


def _most(hits: Sequence[UnfinishedHit], rule: Rule) -> list[list[int]]:
    """How often each open pair can still be judged; once at least, whatever the rule says of it by now."""
    return [[max(1, rule.max_votes - len(votes)) for votes in hit.pairs] for hit in hits]


def _span(played: Ints, places: Floats, share: float, reach: float, *, most: float) -> Span:
    """The total of all HITs by the ratio of what is left to open places; `played` is (crowds, HITs). It lies between
    the least and the `most` that are possible; of a draw the open places, each of which will be judged, are the least.
    """
    means, n = played.mean(axis=0), len(places)
    mean = means.sum() / share
    chance = _variance(played).sum()
    doubt = max(0.0, float(_variance(played.sum(axis=1))) - chance)
    ratio = means.sum() / places.sum()
    drawn = n / max(1, n - 1) * ((means - ratio * places) ** 2).sum() * (1 - share)
    spread = reach * sqrt(chance / share + (doubt + drawn) / share**2)
    least, most = (float(played.min(axis=0).sum()), most) if share == 1 else (places.sum() / share, float("inf"))
    return Span(float(mean), max(float(least), float(mean - spread)), min(most, float(mean + spread)))


def _variance(values: Ints) -> Floats:
    return np.asarray(values.var(axis=0, ddof=1 if len(values) > 1 else 0))
