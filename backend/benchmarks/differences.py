"""How much more one model has than another on the same queries, and which differences are real."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from backend.benchmarks.models import Evaluation, ModelDifference
from backend.benchmarks.selectors import get_table
from backend.methods.benchmarks.comparing import LEVEL, Difference, holm
from backend.methods.benchmarks.comparing_pairs import ScoredPairs, are_same, compare_same, pairs_of
from backend.methods.benchmarks.per_query import Answers, answers_of, differences_of, with_rejected

DRAWS = 2000
SECONDS = 2.0  # that a page waits for differences: the next call goes on
NO_LIMIT = math.inf
# Differences of AUPRC take 11 seconds with 30,000 pairs, and grow with them. A page does not wait longer: it draws less
# often for more pairs. A run always draws as often as `manage.py compare`.
MOST_AT_ONCE, FEW_DRAWS = 30_000, 400
ByName = dict[str, dict[str, Any]]
Answered = Mapping[str, Answers] | ScoredPairs


def is_comparable(one: Evaluation, other: Evaluation) -> bool:
    """Whether the two models answered the same queries, and the ranks of both are there."""
    return bool(
        one.pk != other.pk
        and one.task == other.task
        and one.data_digest == other.data_digest
        and one.stored_as
        and other.stored_as
    )


def differences_to(
    reference: Evaluation, others: Sequence[Evaluation], *, category: str = "", seconds: float = SECONDS
) -> tuple[dict[Any, ByName], bool]:
    """For each of `others` that can be compared: how much more it has than the reference, by `direction.measure`.

    The second value is False where time ran out before all were computed. What was computed is kept.
    """
    others = [other for other in others if is_comparable(reference, other)]
    known = _kept(reference, others, category)
    until = time.monotonic() + seconds
    answers: dict[Any, Answered] = {}
    for other in others:
        if other.pk in known:
            continue
        if answers and time.monotonic() > until:
            break
        for each in (reference, other):
            if each.pk not in answers:
                answers[each.pk] = _answers(each, category)
        known[other.pk] = _compute(reference, other, category, answers, is_patient=seconds == NO_LIMIT)
        if other is not reference:
            del answers[other.pk]
    _mark_real(known)
    return known, len(known) == len(others)


def _kept(reference: Evaluation, others: Sequence[Evaluation], category: str) -> dict[Any, ByName]:
    ids = [other.pk for other in others]
    rows = ModelDifference.objects.filter(category=category)
    found = {row.second_id: row.body for row in rows.filter(first=reference, second__in=ids)}
    turned = {row.first_id: _turned(row.body) for row in rows.filter(second=reference, first__in=ids)}
    return found | turned


def _answers(evaluation: Evaluation, category: str) -> Answered:
    table = get_table(evaluation=evaluation)
    if evaluation.task == "auprc":
        return pairs_of(with_rejected(table, category))
    return answers_of(table, evaluation.result, category=category)


def _compute(
    reference: Evaluation, other: Evaluation, category: str, answers: Mapping[Any, Answered], *, is_patient: bool
) -> ByName:
    one, two = answers[reference.pk], answers[other.pk]
    found: Mapping[str, Difference] = {}
    if isinstance(one, ScoredPairs) and isinstance(two, ScoredPairs):
        if are_same([one, two]) and one.has_both:
            affordable = max(FEW_DRAWS, DRAWS * MOST_AT_ONCE // len(one.scores))
            times = DRAWS if is_patient else min(DRAWS, affordable)
            found = {"pairs.auprc": compare_same(one, two, draws=times, permutations=times)}
    elif not isinstance(one, ScoredPairs) and not isinstance(two, ScoredPairs):
        found = differences_of(one, two, draws=DRAWS)
    body = {name: asdict(each) for name, each in found.items()}
    # One of two equal computations wins; a result that was deleted meanwhile keeps no difference.
    if Evaluation.objects.filter(pk__in=(reference.pk, other.pk)).count() == 2:
        ends = (reference, other) if str(reference.pk) < str(other.pk) else (other, reference)
        kept = body if ends[0] is reference else _turned(body)
        row = ModelDifference(first=ends[0], second=ends[1], category=category, body=kept)
        ModelDifference.objects.bulk_create([row], ignore_conflicts=True)
    return body


def _turned(body: Mapping[str, Mapping[str, Any]]) -> ByName:
    """The same differences, seen from the other model."""

    def minus(value: float | None) -> float | None:
        return None if value is None else 0.0 - value  # -value makes -0.0 of 0.0, and other bytes of the same table

    return {
        name: {**each, "value": minus(each["value"]), "low": minus(each["high"]), "high": minus(each["low"])}
        for name, each in body.items()
    }


def _mark_real(known: Mapping[Any, ByName]) -> None:
    """A difference is real where p is below 5% after Holm's correction for the number of models."""
    for name in {name for body in known.values() for name in body}:
        cells = [body[name] for body in known.values() if name in body]
        for cell, p in zip(cells, holm([cell["p"] for cell in cells]), strict=True):
            cell["is_real"] = p < LEVEL
