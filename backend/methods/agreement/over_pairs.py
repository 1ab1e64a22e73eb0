"""Cohen's kappa of each two annotators, and the mean over all pairs, each with its interval or the reason for none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from backend.methods.agreement import cohen
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap, percentile_interval, sum_groups
from backend.methods.agreement.figures import Figure, Measure, Reason, number_or_none
from backend.methods.agreement.pair_intervals import PairIntervals, draw_pair_intervals
from backend.methods.agreement.pair_table import CoRatings, PairTable
from backend.methods.agreement.readings import Reading

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MEASURE: dict[cohen.Weights, Measure] = {
    "nominal": "cohen",
    "linear": "cohen_linear",
    "quadratic": "cohen_quadratic",
}

# Of more pairs of annotators than this, the mean wants so many items that two share: tests/methods/test_sparse_kappa.py
# holds the intervals on either side against a truth that is known.
FEW_PAIRS, FEWEST_SHARED = 10, 15


@dataclass(frozen=True)
class PairFigure:
    """The kappa of two annotators."""

    first: int
    second: int
    figure: Figure


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
    drawn = pair_intervals(rated, reading, weights, clusters=clusters, bootstrap=bootstrap)
    return tuple(
        pair if pair.figure.value is None else replace(pair, figure=replace(pair.figure, interval=drawn.at(place)))
        for place, pair in enumerate(pair_figures_of_table(rated.table(), reading, weights))
    )


def pair_intervals(
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap = DEFAULT,
) -> PairIntervals:
    """The intervals alone, in arrays: of many thousand pairs."""
    read = rated.read(reading)
    return draw_pair_intervals(read, _clusters_of(read.items, clusters), weights, bootstrap=bootstrap)


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
    read = rated.read(reading)
    confusions = read.table().confusions
    n_twos, prevalence = int(confusions.sum()), _prevalence(confusions.sum(axis=0), reading)
    measure, n_items = MEASURE[weights], len(np.unique(read.items))
    value = number_or_none(float(cohen.mean_kappa(confusions, weights))) if len(confusions) else None
    if value is None:
        return Figure(measure, reading.name, None, _why(confusions), None, n_items, 2 * n_twos, prevalence)
    columns = read.cells * len(confusions) + read.pair_of
    sums = sum_groups(_one_hot(columns, confusions.size), _clusters_of(read.items, clusters))
    statistic = partial(_mean_of, n_pairs=len(confusions), k=len(reading.labels), weights=weights)
    interval = percentile_interval(sums, statistic, **vars(bootstrap)).around(value)
    interval = interval.without_bounds() if _share_too_few(confusions) else interval
    return Figure(measure, reading.name, value, None, interval, n_items, 2 * n_twos, prevalence)


def _share_too_few(confusions: Ints) -> bool:
    """Whether many annotators share few items, in the mean over what they share. The kappa of a handful of items is
    biased; the mean of many such kappas is so too, and its interval is narrow around the wrong place."""
    shared = confusions.sum(axis=(1, 2))
    return len(shared) > FEW_PAIRS and float(shared @ shared) < FEWEST_SHARED * shared.sum()


def mean_kappa_of_table(table: PairTable, reading: Reading, weights: cohen.Weights, *, n_items: int) -> Figure:
    """The same mean from tables alone, without an interval: what a dashboard shows between two snapshots. An item
    stands in the table of each pair that judged it; how many there are, `n_items`, comes from the table of counts.
    Votes without names stand there too: beside some, the figure's `n_items` is what there are at most."""
    confusions = reading.of_confusions(table.confusions)
    n_twos, prevalence = int(confusions.sum()), _prevalence(confusions.sum(axis=0), reading)
    value = number_or_none(float(cohen.mean_kappa(confusions, weights))) if len(confusions) else None
    reason = _why(confusions) if value is None else None
    if reason == "no_overlap" and n_items:
        reason = "no_names"
    return Figure(MEASURE[weights], reading.name, value, reason, None, min(n_items, n_twos), 2 * n_twos, prevalence)


def _why(confusions: Ints) -> Reason:
    overlap = confusions.sum(axis=(-2, -1)).max(initial=0)
    return "no_overlap" if not overlap else "one_item" if overlap == 1 else "one_label"


def _prevalence(confusion: Ints, reading: Reading) -> dict[str, float]:
    said = confusion.sum(axis=0) + confusion.sum(axis=1)
    return dict(zip(reading.labels, (said / said.sum()).tolist(), strict=True)) if said.sum() else {}


def _clusters_of(items: Ints, clusters: ArrayLike | None) -> Ints:
    return items if clusters is None else np.asarray(clusters)[items]


def _one_hot(columns: Ints, width: int) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(columns)), (np.arange(len(columns)), columns)), shape=(len(columns), width))


def _mean_of(sums: Floats, *, n_pairs: int, k: int, weights: cohen.Weights) -> Any:
    """Of totals (b, d), whose columns are cell by cell and in each pair by pair."""
    return cohen.mean_kappa_by_cell(sums.T.reshape(k, k, n_pairs, -1), weights)
