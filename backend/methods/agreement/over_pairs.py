"""Cohen's kappa of each two annotators, and the mean over all pairs, each with its interval or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from backend.methods.agreement import cohen
from backend.methods.agreement.bootstrap import percentile_interval, sum_groups
from backend.methods.agreement.figures import Figure, Interval, Measure, Reason, number_or_none
from backend.methods.agreement.over_items import DEFAULT, Bootstrap
from backend.methods.agreement.pair_table import CoRatings, PairTable
from backend.methods.agreement.readings import Reading

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MEASURE: dict[cohen.Weights, Measure] = {
    "nominal": "cohen",
    "linear": "cohen_linear",
    "quadratic": "cohen_quadratic",
}


@dataclass(frozen=True)
class PairFigure:
    """The kappa of two annotators."""

    first: int
    second: int
    figure: Figure

    def drawn(self, interval: Interval) -> PairFigure:
        """The same with an interval."""
        return replace(self, figure=replace(self.figure, interval=interval))


def weights_of(reading: Reading) -> tuple[cohen.Weights, ...]:
    """Unweighted without an order of labels, linear and quadratic with one."""
    return ("linear", "quadratic") if reading.is_ordered else ("nominal",)


def pair_figures(
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap = DEFAULT,
) -> tuple[PairFigure, ...]:
    """Each pair's kappa, its interval over the items that both judged, drawn in `clusters` (n_items,)."""
    cells, kept = _cells_of_reading(rated, reading)
    where = _clusters_of(rated.items[kept], clusters)
    order = np.argsort(rated.pair_of[kept], kind="stable")
    ends = np.searchsorted(rated.pair_of[kept][order], np.arange(len(rated.pairs) + 1))
    draw = partial(_draw_kappa, k=len(reading.labels), weights=weights, bootstrap=bootstrap)
    return tuple(
        pair.drawn(draw(cells[order[start:end]], where[order[start:end]])) if pair.figure.value is not None else pair
        for pair, (start, end) in zip(
            pair_figures_of_table(rated.table(), reading, weights), pairwise(ends.tolist()), strict=True
        )
    )


def _draw_kappa(cells: Ints, clusters: Ints, *, k: int, weights: cohen.Weights, bootstrap: Bootstrap) -> Interval:
    statistic = partial(_kappa_of, k=k, weights=weights)
    return percentile_interval(sum_groups(_one_hot(cells, k * k), clusters), statistic, **vars(bootstrap))


def pair_figures_of_table(table: PairTable, reading: Reading, weights: cohen.Weights) -> tuple[PairFigure, ...]:
    """The same kappas from tables alone, without intervals: a table does not know which items share an image."""
    confusions = reading.of_confusions(table.confusions)
    return tuple(
        PairFigure(first, second, _pair_figure(confusion, value, reading, weights))
        for (first, second), confusion, value in zip(
            table.pairs.tolist(), confusions, cohen.kappa(confusions, weights).tolist(), strict=True
        )
    )


def _pair_figure(confusion: Ints, value: float, reading: Reading, weights: cohen.Weights) -> Figure:
    known, n_items = number_or_none(value), int(confusion.sum())
    reason = cohen.why_undefined(confusion) if known is None else None
    prevalence = _prevalence(confusion, reading)
    return Figure(MEASURE[weights], reading.name, known, reason, None, n_items, 2 * n_items, prevalence)


def mean_kappa_figure(
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap = DEFAULT,
) -> Figure:
    """The mean kappa over pairs, weighed by overlap, and its interval over items drawn in `clusters` (n_items,).

    `n_judgments` counts a judgment once for each pair that it belongs to.
    """
    confusions = reading.of_confusions(rated.table().confusions)
    n_twos, prevalence = int(confusions.sum()), _prevalence(confusions.sum(axis=0), reading)
    cells, kept = _cells_of_reading(rated, reading)
    items = rated.items[kept]
    measure, n_items = MEASURE[weights], len(np.unique(items))
    value = number_or_none(float(cohen.mean_kappa(confusions, weights))) if len(confusions) else None
    if value is None:
        return Figure(measure, reading.name, None, _why(confusions), None, n_items, 2 * n_twos, prevalence)
    width = int(confusions.size)
    sums = sum_groups(
        _one_hot(rated.pair_of[kept] * (width // len(confusions)) + cells, width), _clusters_of(items, clusters)
    )
    statistic = partial(_mean_of, n_pairs=len(confusions), k=len(reading.labels), weights=weights)
    interval = percentile_interval(sums, statistic, **vars(bootstrap))
    return Figure(measure, reading.name, value, None, interval, n_items, 2 * n_twos, prevalence)


def mean_kappa_of_table(table: PairTable, reading: Reading, weights: cohen.Weights) -> Figure:
    """The same mean from tables alone, without an interval: what a dashboard shows between two snapshots."""
    confusions = reading.of_confusions(table.confusions)
    n_twos, prevalence = int(confusions.sum()), _prevalence(confusions.sum(axis=0), reading)
    value = number_or_none(float(cohen.mean_kappa(confusions, weights))) if len(confusions) else None
    reason = _why(confusions) if value is None else None
    return Figure(MEASURE[weights], reading.name, value, reason, None, n_twos, 2 * n_twos, prevalence)


def _why(confusions: Ints) -> Reason:
    overlap = confusions.sum(axis=(-2, -1)).max(initial=0)
    return "no_overlap" if not overlap else "one_item" if overlap == 1 else "one_label"


def _prevalence(confusion: Ints, reading: Reading) -> dict[str, float]:
    said = confusion.sum(axis=0) + confusion.sum(axis=1)
    return dict(zip(reading.labels, (said / said.sum()).tolist(), strict=True)) if said.sum() else {}


def _cells_of_reading(rated: CoRatings, reading: Reading) -> tuple[Ints, NDArray[np.bool_]]:
    """The cells under the reading, and which of the rows it keeps."""
    place = np.full(rated.n_labels, -1)
    place[list(reading.columns)] = np.arange(len(reading.columns))
    first, second = place[rated.cells // rated.n_labels], place[rated.cells % rated.n_labels]
    kept = (first >= 0) & (second >= 0)
    return (first * len(reading.labels) + second)[kept], kept


def _clusters_of(items: Ints, clusters: ArrayLike | None) -> Ints:
    return items if clusters is None else np.asarray(clusters)[items]


def _one_hot(columns: Ints, width: int) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(columns)), (np.arange(len(columns)), columns)), shape=(len(columns), width))


def _mean_of(sums: Floats, *, n_pairs: int, k: int, weights: cohen.Weights) -> Any:
    return cohen.mean_kappa(sums.reshape(-1, n_pairs, k, k), weights)


def _kappa_of(sums: Floats, *, k: int, weights: cohen.Weights) -> Floats:
    return cohen.kappa(sums.reshape(-1, k, k), weights)
