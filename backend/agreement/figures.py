"""All figures of a project from its rows: the parts of a snapshot, plain values with six digits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backend.agreement.models import Part
from backend.agreement.people import describe_people
from backend.agreement.rows import Rows, day_name
from backend.methods.agreement import (
    UNSURE_READINGS,
    AnnotatorFigure,
    Bootstrap,
    CoRatings,
    Figure,
    Reading,
    agreement_of,
    annotator_figures,
    co_ratings,
    pair_figures,
    reading_of,
)
from backend.methods.agreement.cohen import Weights
from backend.methods.consensus import LABELS
from backend.methods.judgments import Judgments

MOST_PAIRS = 20_000  # all pairs of 200 annotators; of more, the pairs that judged most in common
EDITED = ("no", "yes")
BOOTSTRAP = Bootstrap()
VALUE, MISSING, MIDDLE = UNSURE_READINGS
Read = Literal["value", "missing", "middle_linear", "middle_quadratic"]
READS: tuple[Read, ...] = get_args(Read)
READ_AS: dict[Read, tuple[Reading, Weights]] = {
    "value": (VALUE, "nominal"),
    "missing": (MISSING, "nominal"),
    "middle_linear": (MIDDLE, "linear"),
    "middle_quadratic": (MIDDLE, "quadratic"),
}
ALPHAS = ("alpha_nominal", "alpha_ordinal")
Told = tuple[Part, str, Any]  # a part, its value and its figures
Ints = NDArray[np.int64]


def tell_all(rows: Rows) -> Iterator[Told]:
    """Every part of a snapshot."""
    trends: dict[str, list[dict[str, Any]]] = {reading.name: [] for reading in UNSURE_READINGS}
    for part, value, told in _slices(rows):
        yield part, value, plain(told)
        if part == Part.DAY:
            for figure in told["figures"]:
                if figure["measure"] in ALPHAS:
                    trends[figure["reading"]].append(_point(value, figure))
    for reading, points in trends.items():
        yield Part.TREND, reading, plain(points)
    counted = rows.is_counted & rows.is_named
    rated = co_ratings(_judgments(rows, rows.labels, counted, len(LABELS)))
    yield from ((part, value, plain(told)) for part, value, told in _pairs(rows, rated))
    for user, (told, days) in describe_people(rows).items():
        yield Part.ANNOTATOR, str(user), plain(told)
        yield Part.DAYS, str(user), plain(days)


def _point(day: str, figure: dict[str, Any]) -> dict[str, Any]:
    interval = figure["interval"] or {"low": None, "high": None}
    same = {name: figure[name] for name in ("value", "n_items", "n_judgments")}
    return {"day": day, **same, "low": interval["low"], "high": interval["high"], "reason": figure["reason"]}


def _slices(rows: Rows) -> Iterator[Told]:
    counted = np.flatnonzero(rows.is_counted)
    yield Part.OVERALL, "", _slice(rows, counted)
    yield from _by(Part.SOURCE, rows, counted, rows.sources[rows.items[counted]])
    newest = np.zeros(len(rows.pairs), dtype=np.int64)
    np.maximum.at(newest, rows.items[counted], rows.days[counted])
    yield from _by(Part.DAY, rows, counted, newest[rows.items[counted]])
    for kind, edited in rows.edited.items():
        would = np.zeros(len(rows), dtype=np.int64)
        would[edited] = 1
        touched = np.bincount(rows.items[counted], weights=would[counted], minlength=len(rows.pairs)) > 0
        if touched.any():
            told = _slice(rows, counted, labels=would)
            n_judgments = int(touched[rows.items[counted]].sum())
            yield Part.EDIT, kind, told | {"n_judgments": n_judgments, "n_pairs": int(touched.sum())}


def _by(part: Part, rows: Rows, counted: Ints, values: NDArray[Any]) -> Iterator[Told]:
    """A slice for each of the values (n,) of the counted rows."""
    names, places = np.unique(values, return_inverse=True)
    order = np.argsort(places, kind="stable")
    for name, mine in zip(names.tolist(), np.split(counted[order], np.cumsum(np.bincount(places))[:-1]), strict=False):
        yield part, day_name(name) if part == Part.DAY else str(name), _slice(rows, mine)


def _slice(rows: Rows, mine: Ints, *, labels: Ints | None = None) -> dict[str, Any]:
    """The figures of some rows; `labels` (all rows) are whether somebody would edit the pair."""
    said = rows.labels if labels is None else labels
    readings: Sequence[Reading] = UNSURE_READINGS if labels is None else (reading_of(EDITED),)
    pairs, items = np.unique(rows.items[mine], return_inverse=True)
    n_labels = len(LABELS) if labels is None else len(EDITED)
    judgments = Judgments(items, rows.annotators[mine], said[mine], len(pairs), len(rows.people), n_labels)
    figures = agreement_of(
        judgments, clusters=rows.clusters[pairs], readings=readings, bootstrap=BOOTSTRAP, is_named=rows.is_named[mine]
    )
    return {"n_judgments": len(mine), "n_pairs": len(pairs), "figures": [figure.to_json() for figure in figures]}


def _judgments(rows: Rows, labels: Ints, kept: NDArray[np.bool_], n_labels: int) -> Judgments:
    return Judgments(rows.items[kept], rows.annotators[kept], labels[kept], len(rows.pairs), len(rows.people), n_labels)


def _pairs(rows: Rows, rated: CoRatings) -> Iterator[Told]:
    """What every two annotators said, and their kappas under each reading, pair by pair in the same order."""
    largest = rated.of_largest(MOST_PAIRS)
    first, second = rows.people[largest.pairs].reshape(-1, 2).T
    tables = {
        "n_all": len(rated.pairs), "first": first.tolist(), "second": second.tolist(),
        "cells": largest.table().confusions.reshape(-1, len(LABELS) ** 2).tolist(),
    }  # fmt: skip
    yield Part.TABLES, "", tables
    for read, (reading, weights) in READ_AS.items():
        found = pair_figures(largest, reading, weights, clusters=rows.clusters, bootstrap=BOOTSTRAP)
        yield Part.KAPPAS, read, [_kappa(pair.figure) for pair in found]
        means = annotator_figures(rated, reading, weights, clusters=rows.clusters, bootstrap=BOOTSTRAP)
        yield Part.MEANS, read, [_mean(int(rows.people[each.annotator]), each) for each in means]


def _kappa(figure: Figure) -> list[Any]:
    """As `matrix.Tables` reads it; a list, for there may be many thousands."""
    told, drawn = [figure.value, figure.reason, figure.n_items], figure.interval
    return [*told, drawn.low, drawn.high, drawn.undefined_share, drawn.n_groups, drawn.reason] if drawn else told


def _mean(user: int, each: AnnotatorFigure) -> dict[str, Any]:
    figure = each.figure
    return {
        "id": user, "mean": figure.value, "reason": figure.reason, "n_others": each.n_others,
        "n_items": figure.n_items, "prevalence": figure.prevalence,
        "interval": asdict(figure.interval) if figure.interval else None,
    }  # fmt: skip


def plain(told: Any) -> Any:
    """The same with six digits of each number: more would say nothing, and take twice the room."""
    if isinstance(told, dict):
        return {name: plain(value) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [plain(value) for value in told]
    return float(f"{told:.6g}") if isinstance(told, float) else told
