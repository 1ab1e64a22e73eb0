"""A panel's votes on the chosen captions, model after model; the last one makes the category."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count

from backend.curation.models import Difficulty, ModelScore, Rater, SelectionItem, SelectionStatus
from backend.curation.policies import bin_votes
from backend.methods.difficulty import Vote, rate, vote
from backend.projects.models import Project
from backend.runs.models import Run


@dataclass(frozen=True)
class Seat:
    """A rater's place in the panel, 1 to `n_models`; who sits last breaks ties. Those behind it are extra models: their
    votes are kept and count for no category."""

    rater: Rater
    position: int
    n_models: int

    @property
    def is_last(self) -> bool:
        return self.position == self.n_models

    @property
    def is_in_panel(self) -> bool:
        return self.position <= self.n_models


def get_rater(*, name: str, digest: str, record: Mapping[str, Any]) -> Rater:
    """The rater of these weights and this calibration record, plain values with the `threshold` among them."""
    kept = {"threshold": record["threshold"], "calibration": dict(record)}
    rater, _ = Rater.objects.get_or_create(name=name, digest=digest, record=_digest(record), defaults=kept)
    return rater


def find_rater(*, name: str, digest: str, record: Mapping[str, Any]) -> Rater | None:
    """The rater of these weights and this record, where it has ever voted."""
    return Rater.objects.filter(name=name, digest=digest, record=_digest(record)).first()


def has_votes_of(*, project: Project, raters: Sequence[Rater | None]) -> bool:
    """Whether every chosen caption of the project was rated by exactly this panel, in this order."""
    items = SelectionItem.objects.filter(
        selection__image__project=project, selection__status=SelectionStatus.SELECTED
    ).order_by()
    rated = items.filter(difficulty__n_models=len(raters)).exclude(difficulty__category="").count()
    if not rated or rated != items.count() or None in raters:
        return False
    scores = ModelScore.objects.filter(difficulty__item__in=items, is_in_panel=True).order_by()
    places = set(scores.values_list("position", "rater").annotate(n=Count("pk")))
    return places == {(place, rater.pk, rated) for place, rater in enumerate(raters, start=1) if rater}


@transaction.atomic
def take_over_votes(*, run: Run, policy: str) -> Counter[str]:
    """Keep the panel's votes for this run under `policy`, and forget those of extra models. Returns the categories."""
    rows = Difficulty.objects.filter(item__selection__image__project=run.project).order_by()
    ModelScore.objects.filter(difficulty__in=rows, is_in_panel=False).delete()
    rows.update(run=run)
    bin_votes(rows, policy)
    return Counter(rows.values_list("category", flat=True))


def _digest(record: Mapping[str, Any]) -> str:
    text = json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def record_scores(*, run: Run, seat: Seat, scores: Mapping[int, float | None], policy: str) -> Counter[str]:
    """Keep what one model said of chosen captions, by item id; None where it could not say anything.

    The first seat takes the place of an earlier panel's votes. The last one makes the categories: returns how many
    captions came out easy, medium, hard and unrated, nothing before. A caption that was chosen anew meanwhile and has
    lost its item is left out; a new item that some seats have not seen comes out unrated. An extra model adds its vote
    to what is rated already.
    """
    there = SelectionItem.objects.select_for_update().filter(pk__in=scores).order_by("pk")
    items = list(there.values_list("pk", flat=True))
    if seat.position == 1:
        Difficulty.objects.filter(item__in=items).delete()
    opened = _open(run, items, policy) if seat.is_in_panel else _rated(items)
    ModelScore.objects.bulk_create(_score(row, seat, scores[item]) for item, row in opened.items())
    return _make_categories(list(opened.values()), seat.n_models) if seat.is_last else Counter()


def _open(run: Run, items: Sequence[int], policy: str) -> dict[int, Difficulty]:
    """The difficulty of each item, from here on this run's."""
    fresh = [Difficulty(item_id=item, policy=policy) for item in items]
    Difficulty.objects.bulk_create(fresh, ignore_conflicts=True)
    rows = Difficulty.objects.filter(item__in=items)
    rows.update(run=run, policy=policy)
    return {row.item_id: row for row in rows}


def _rated(items: Sequence[int]) -> dict[int, Difficulty]:
    """What the panel said of the items, without those that were chosen after it was asked."""
    return {row.item_id: row for row in Difficulty.objects.filter(item__in=items).exclude(category="")}


def _score(difficulty: Difficulty, seat: Seat, score: float | None) -> ModelScore:
    cast = vote(score, seat.rater.threshold)
    place = {"position": seat.position, "is_in_panel": seat.is_in_panel}
    return ModelScore(difficulty=difficulty, rater=seat.rater, score=score, vote=cast, **place)


def _make_categories(rows: Sequence[Difficulty], n_models: int) -> Counter[str]:
    cast: dict[int, dict[int, Vote]] = {row.pk: {} for row in rows}
    scores = ModelScore.objects.filter(difficulty__in=rows).order_by()
    for difficulty_id, position, said in scores.values_list("difficulty_id", "position", "vote"):
        cast[difficulty_id][position] = said
    for row in rows:
        rating = rate([cast[row.pk].get(place) for place in range(1, n_models + 1)], policy=row.policy)
        row.category, row.n_votes = rating.category, rating.n_votes
        row.n_models, row.tie_breaker_vote = n_models, cast[row.pk].get(n_models)
    Difficulty.objects.bulk_update(rows, ["category", "n_votes", "n_models", "tie_breaker_vote"])
    return Counter(row.category for row in rows)
