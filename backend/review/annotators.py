"""How far every two annotators agree, and each of them with all others."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from backend.common.errors import NotFound
from backend.methods.agreement import (
    UNSURE_READINGS,
    AnnotatorFigure,
    PairFigure,
    PairTable,
    Reading,
    annotator_figures_of_table,
    pair_figures_of_table,
)
from backend.methods.agreement.cohen import Weights
from backend.methods.agreement.kept_tables import TWO_WIDTH, pair_table_of, unpack
from backend.methods.consensus import LABELS
from backend.people.models import User
from backend.projects.models import Project
from backend.review import drawing, selectors
from backend.review.agreement import catch_up
from backend.review.pair_draws import PairDraws, intervals_of

Read = Literal["value", "missing", "middle_linear", "middle_quadratic"]
READS: tuple[Read, ...] = get_args(Read)
VALUE, MISSING, MIDDLE = UNSURE_READINGS
READ_AS: dict[Read, tuple[Reading, Weights]] = {
    "value": (VALUE, "nominal"),
    "missing": (MISSING, "nominal"),
    "middle_linear": (MIDDLE, "linear"),
    "middle_quadratic": (MIDDLE, "quadratic"),
}
MOST_PEOPLE = 63  # in one matrix: their pairs are 1,953


@dataclass(frozen=True)
class Kappa:
    """Of two annotators, by id, the smaller first. `interval` is None without a value, and until it is drawn."""

    first: int
    second: int
    value: float | None
    reason: str | None
    n_items: int
    prevalence: dict[str, float]
    interval: dict[str, Any] | None


@dataclass(frozen=True)
class AnnotatorMean:
    """One annotator's mean kappa with the others, weighed by how many pairs both judged; `n_items` adds those up, and
    `n_others` counts with whom there is a kappa. `interval` is None without a mean, and until it is drawn."""

    id: int
    username: str
    display_name: str
    mean: float | None
    reason: str | None
    n_others: int
    n_items: int
    prevalence: dict[str, float]
    interval: dict[str, Any] | None


@dataclass(frozen=True)
class AnnotatorAgreement:
    """As of `as_of`; `draws` says of how many judgments the intervals are, and when."""

    as_of: datetime | None
    n_waiting: int
    annotators: list[AnnotatorMean]
    pairs: list[Kappa]
    draws: dict[str, Any] | None


def read_annotators(*, project: Project, read: Read, annotator: int | None = None) -> AnnotatorAgreement:
    """Every two annotators who judged a pair in common, or one annotator with each other. Raises NotFound where the
    project knows no judgment of that annotator that somebody else judged too. Means are over all; the pairs themselves
    are those of one annotator, or among the MOST_PEOPLE who judged most in common with others."""
    as_of, n_waiting = catch_up(project=project)
    overall = selectors.get_overall(project=project)
    drawing.draw_few(overall=overall, tables=[overall])
    table = pair_table_of(unpack(overall.twos, width=TWO_WIDTH), k=len(LABELS))
    reading, weights = READ_AS[read]
    listed = table.of_busiest(MOST_PEOPLE) if annotator is None else _of_one(table, annotator)
    is_of_now = drawing.is_of_now(overall, overall)
    drawn = intervals_of(overall.pair_draws if is_of_now else b"", reading, weights)
    kappas, means = _kappas(listed, reading, weights, drawn), _means(table, reading, weights, drawn)
    return AnnotatorAgreement(as_of, n_waiting, means, kappas, drawing.draws_of(overall, overall))


def _of_one(table: PairTable, person: int) -> PairTable:
    mine = (table.pairs == person).any(axis=1)
    if not mine.any():
        raise NotFound("No other annotator answered the same pairs yet.", code="no_shared_answers")
    return PairTable(table.pairs[mine], table.confusions[mine])


def _means(table: PairTable, reading: Reading, weights: Weights, drawn: PairDraws) -> list[AnnotatorMean]:
    """Everybody's, weighed as in `mean_kappa`."""
    found = annotator_figures_of_table(table, reading, weights)
    names = User.objects.in_bulk([one.annotator for one in found])
    return [_mean(names[one.annotator], one, drawn) for one in found]


def _mean(person: User, found: AnnotatorFigure, drawn: PairDraws) -> AnnotatorMean:
    figure = found.figure
    interval = None if figure.value is None else _interval_of_mean(found, drawn)
    return AnnotatorMean(
        person.pk, person.username, person.shown_name, figure.value, figure.reason,
        found.n_others, figure.n_items, figure.prevalence, interval,
    )  # fmt: skip


def _interval_of_mean(found: AnnotatorFigure, drawn: PairDraws) -> dict[str, Any] | None:
    """That of the pair, where there is but one with a kappa: it must not stand there twice in two ways. Not where that
    one has a kappa by luck, as in `mean_kappa_figure`."""
    of_mean = drawn.of_mean(found.annotator)
    is_luck = found.n_sharing > 1 and (of_mean is None or of_mean["low"] is None)
    if found.only is None or is_luck:
        return of_mean
    return drawn.of(min(found.annotator, found.only), max(found.annotator, found.only))


def _kappas(table: PairTable, reading: Reading, weights: Weights, drawn: PairDraws) -> list[Kappa]:
    return [_kappa(pair, drawn.of(pair.first, pair.second)) for pair in pair_figures_of_table(table, reading, weights)]


def _kappa(pair: PairFigure, drawn: dict[str, Any] | None) -> Kappa:
    figure = pair.figure
    interval = None if figure.value is None else drawn
    return Kappa(pair.first, pair.second, figure.value, figure.reason, figure.n_items, figure.prevalence, interval)
