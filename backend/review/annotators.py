"""How far every two annotators agree, and each of them with all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, get_args

import numpy as np

from backend.common.errors import NotFound
from backend.methods.agreement import (
    UNSURE_READINGS,
    PairFigure,
    PairTable,
    Reading,
    pair_figures,
)
from backend.methods.agreement.cohen import Weights, kappa, why_undefined
from backend.methods.agreement.kept_tables import TWO_WIDTH, pair_table_of, unpack
from backend.methods.consensus import LABELS
from backend.people.models import User
from backend.projects.models import Project
from backend.review import selectors
from backend.review.agreement import catch_up

Read = Literal["value", "missing", "middle_linear", "middle_quadratic"]
READS: tuple[Read, ...] = get_args(Read)
VALUE, MISSING, MIDDLE = UNSURE_READINGS
READ_AS: dict[Read, tuple[Reading, Weights]] = {
    "value": (VALUE, "nominal"),
    "missing": (MISSING, "nominal"),
    "middle_linear": (MIDDLE, "linear"),
    "middle_quadratic": (MIDDLE, "quadratic"),
}
MOST_DRAWN = 28  # pairs of eight annotators: more intervals are drawn for one annotator at a time
MOST_DRAWN_OF_ONE = 100
MOST_LISTED = 2000  # pairs of 63 annotators; of more, those who judged most in common


@dataclass(frozen=True)
class Kappa:
    """Of two annotators, by id, the smaller first. `interval` is None where it was not asked for."""

    first: int
    second: int
    value: float | None
    reason: str | None
    n_items: int
    interval: dict[str, Any] | None


@dataclass(frozen=True)
class AnnotatorMean:
    """One annotator's mean kappa with the others, weighed by how many pairs both judged; `n_items` adds those up."""

    id: int
    username: str
    display_name: str
    mean: float | None
    n_others: int
    n_items: int


@dataclass(frozen=True)
class AnnotatorAgreement:
    as_of: datetime | None
    n_waiting: int
    annotators: list[AnnotatorMean]
    pairs: list[Kappa]


def read_annotators(*, project: Project, read: Read, annotator: int | None = None) -> AnnotatorAgreement:
    """Every two annotators who judged a pair in common, or one annotator with each other. Raises NotFound where the
    project knows no judgment of that annotator that somebody else judged too. Means are over all; of the pairs
    themselves come those who judged most in common, MOST_LISTED of all or MOST_DRAWN_OF_ONE of one annotator."""
    as_of, n_waiting = catch_up(project=project)
    table = pair_table_of(unpack(selectors.get_overall(project=project).twos, width=TWO_WIDTH), k=len(LABELS))
    reading, weights = READ_AS[read]
    if annotator is not None:
        table = _of_one(table, annotator)
    means = _means(table, reading, weights)
    return AnnotatorAgreement(as_of, n_waiting, means, _kappas(table, reading, weights, is_drawn=annotator is not None))


def _of_one(table: PairTable, person: int) -> PairTable:
    mine = (table.pairs == person).any(axis=1)
    if not mine.any():
        raise NotFound("Nothing that this annotator judged was judged by anybody else yet.")
    return PairTable(table.pairs[mine], table.confusions[mine])


def _means(table: PairTable, reading: Reading, weights: Weights) -> list[AnnotatorMean]:
    """Everybody's mean in one pass over the pairs, weighed as in `mean_kappa`."""
    confusions = reading.of_confusions(table.confusions)
    values, n_items = kappa(confusions, weights), confusions.sum(axis=(1, 2))
    weighed = np.where(np.isnan(values), 0, n_items)
    people, ends = np.unique(table.pairs, return_inverse=True)
    per_pair = np.column_stack([np.nan_to_num(values) * weighed, weighed, np.ones_like(weighed), n_items])
    sums = np.zeros((len(people), 4))
    for end in ends.reshape(-1, 2).T:
        np.add.at(sums, end, per_pair)
    names = User.objects.in_bulk(people.tolist())
    return [_mean(names[person], *of_one) for person, of_one in zip(people.tolist(), sums.tolist(), strict=True)]


def _mean(person: User, total: float, weight: float, n_others: float, n_items: float) -> AnnotatorMean:
    mean = total / weight if weight else None
    return AnnotatorMean(person.pk, person.username, person.shown_name, mean, int(n_others), int(n_items))


def _kappas(table: PairTable, reading: Reading, weights: Weights, *, is_drawn: bool) -> list[Kappa]:
    table = _largest(table, MOST_DRAWN_OF_ONE if is_drawn else MOST_LISTED)
    if is_drawn or len(table.pairs) <= MOST_DRAWN:
        return list(map(_drawn, pair_figures(table, reading, weights)))
    return _values(table, reading, weights)


def _largest(table: PairTable, n: int) -> PairTable:
    """The `n` pairs who judged most in common, in the table's order."""
    if len(table.pairs) <= n:
        return table
    kept = np.sort(np.argsort(-table.confusions.sum(axis=(1, 2)), kind="stable")[:n])
    return PairTable(table.pairs[kept], table.confusions[kept])


def _drawn(pair: PairFigure) -> Kappa:
    figure = pair.figure
    interval = asdict(figure.interval) if figure.interval else None
    return Kappa(pair.first, pair.second, figure.value, figure.reason, figure.n_items, interval)


def _values(table: PairTable, reading: Reading, weights: Weights) -> list[Kappa]:
    confusions = reading.of_confusions(table.confusions)
    values = kappa(confusions, weights)
    return [
        Kappa(first, second, _number(value), why_undefined(confusion), int(confusion.sum()), None)
        for (first, second), confusion, value in zip(_pairs(table), confusions, values, strict=True)
    ]


def _pairs(table: PairTable) -> Sequence[tuple[int, int]]:
    return [(int(first), int(second)) for first, second in table.pairs]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
