"""Cohen's kappa of each two annotators, and the mean over all pairs, each with its interval or the reason for none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backend.methods.agreement import cohen
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap
from backend.methods.agreement.figures import Figure, Interval, Measure, Reason, number_or_none
from backend.methods.agreement.left_out import MeanIntervals, mean_intervals
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


@dataclass(frozen=True)
class AnnotatorFigure:
    """The mean kappa of one annotator with `n_others`, the annotators with a kappa, of `n_sharing` who judged the same
    items. `only` is who that is, where it is a single one: the mean is that pair's kappa, interval and all, unless
    others share so little with them that it may be luck."""

    annotator: int
    n_others: int
    n_sharing: int
    only: int | None
    figure: Figure


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
        PairFigure(first, second, _pair_figure(confusion, value, is_shared, reading, weights))
        for (first, second), confusion, value, is_shared in zip(
            table.pairs.tolist(),
            confusions,
            cohen.kappa(confusions, weights).tolist(),
            np.asarray(table.confusions.any(axis=(1, 2))).tolist(),
            strict=True,
        )
    )


def _pair_figure(confusion: Ints, value: float, is_shared: bool, reading: Reading, weights: cohen.Weights) -> Figure:
    known, n_items = number_or_none(value), int(confusion.sum())
    reason = _why_no_kappa(n_items, is_shared) if known is None else None
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
    is_shared, n_items = bool(len(rated.items)), len(np.unique(read.items))
    figure = _mean_figure(read.table().confusions, reading, weights, is_shared=is_shared, n_items=n_items)
    if figure.value is None:
        return figure
    interval = _interval_of_mean(read, _clusters_of(read.items, clusters), weights, bootstrap)
    return replace(figure, interval=interval.reaching(figure.value))


def _interval_of_mean(read: CoRatings, clusters: Ints, weights: cohen.Weights, bootstrap: Bootstrap) -> Interval:
    """That of the mean over all pairs; of a single pair's kappa it is the pair's own. Where several pairs share so few
    items that one alone has a kappa by luck, there is none."""
    known = np.flatnonzero(~np.isnan(cohen.kappa(read.table().confusions, weights)))
    owners = np.zeros((len(read.pairs), 1), dtype=np.int64)
    of_mean = mean_intervals(read, clusters, weights, owners=owners, bootstrap=bootstrap).at(0)
    is_luck = of_mean.low is None and len(np.unique(read.pair_of)) > 1
    if len(known) != 1 or is_luck:
        return of_mean
    mine = read.pair_of == known[0]
    return draw_pair_intervals(read.only(mine), clusters[mine], weights, bootstrap=bootstrap).at(int(known[0]))


def annotator_figures_of_table(
    table: PairTable, reading: Reading, weights: cohen.Weights
) -> tuple[AnnotatorFigure, ...]:
    """Everybody's mean over their pairs, weighed by overlap, in one pass and without intervals. `n_items` counts an
    item once for each other annotator who judged it too, and `n_judgments` twice."""
    confusions = reading.of_confusions(table.confusions)
    values, shared = cohen.kappa(confusions, weights), confusions.sum(axis=(1, 2))
    weighed, said = np.where(np.isnan(values), 0, shared), confusions.sum(axis=1) + confusions.sum(axis=2)
    people, ends = np.unique(table.pairs, return_inverse=True)
    is_shared = table.confusions.any(axis=(1, 2))
    terms = np.column_stack([np.nan_to_num(values) * weighed, weighed, weighed > 0, shared > 0, is_shared, said])
    ends = ends.reshape(-1, 2)
    sums, only = np.zeros((len(people), terms.shape[1])), np.zeros_like(people)
    for mine, theirs in ((0, 1), (1, 0)):
        np.add.at(sums, ends[:, mine], terms)
        only[ends[weighed > 0, mine]] = table.pairs[weighed > 0, theirs]
    rows = zip(people.tolist(), only.tolist(), sums.tolist(), strict=True)
    return tuple(_annotator_figure(*row, reading, weights) for row in rows)


def _annotator_figure(
    annotator: int, only: int, sums: list[float], reading: Reading, weights: cohen.Weights
) -> AnnotatorFigure:
    total, weight, n_others, n_sharing, n_shared, *said = sums
    value = total / weight if weight else None
    n_said = int(sum(said))
    reason = None if weight else _why_no_mean(n_said, n_shared > 0)
    prevalence = dict(zip(reading.labels, (n / n_said for n in said), strict=True)) if n_said else {}
    figure = Figure(MEASURE[weights], reading.name, value, reason, None, n_said // 2, n_said, prevalence)
    return AnnotatorFigure(annotator, int(n_others), int(n_sharing), only if n_others == 1 else None, figure)


def annotator_intervals(
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap = DEFAULT,
) -> MeanIntervals:
    """Those of each annotator's mean kappa with all others, weighed by overlap, by the numbers in `rated.pairs`."""
    read = rated.read(reading)
    return mean_intervals(
        read, _clusters_of(read.items, clusters), weights, owners=np.asarray(read.pairs), bootstrap=bootstrap
    )


def annotator_figures(
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap = DEFAULT,
) -> tuple[AnnotatorFigure, ...]:
    """Everybody's mean with its interval. A mean of one single kappa has the interval of that pair, unless others share
    so little that this one may be luck, as in `mean_kappa_figure`."""
    means = annotator_intervals(rated, reading, weights, clusters=clusters, bootstrap=bootstrap)
    figures = annotator_figures_of_table(rated.table(), reading, weights)
    singles = {tuple(sorted((each.annotator, each.only))) for each in figures if each.only is not None}
    of_pairs = _intervals_of(singles, rated, reading, weights, clusters, bootstrap)
    found = []
    for each in figures:
        if each.figure.value is not None:
            interval = means.at(each.annotator).reaching(each.figure.value)
            is_luck = each.n_sharing > 1 and interval.low is None
            if each.only is not None and not is_luck:
                interval = of_pairs[min(each.annotator, each.only), max(each.annotator, each.only)]
            each = replace(each, figure=replace(each.figure, interval=interval))
        found.append(each)
    return tuple(found)


def _intervals_of(
    wanted: Collection[tuple[int, ...]],
    rated: CoRatings,
    reading: Reading,
    weights: cohen.Weights,
    clusters: ArrayLike | None,
    bootstrap: Bootstrap,
) -> dict[tuple[int, int], Interval]:
    places = {(first, second): at for at, (first, second) in enumerate(rated.pairs.tolist())}
    is_wanted = np.isin(np.arange(len(rated.pairs)), [places[first, second] for first, second in wanted])
    drawn = pair_intervals(
        rated.only(is_wanted[rated.pair_of]), reading, weights, clusters=clusters, bootstrap=bootstrap
    )
    return {pair: drawn.at(at) for pair, at in places.items() if is_wanted[at]}


def mean_kappa_of_table(
    table: PairTable, reading: Reading, weights: cohen.Weights, *, n_items: int, n_judged_twice: int = 0
) -> Figure:
    """The same mean from tables alone, without an interval. An item
    stands in the table of each pair that judged it; how many there are, `n_items`, comes from the table of counts.
    Votes without names stand there too: beside some, the figure's `n_items` is what there are at most, and what nobody
    with a name has said is not what nobody said; `n_judged_twice` are those that the reading counts and those it does
    not."""
    confusions, is_shared = reading.of_confusions(table.confusions), bool(table.confusions.any())
    n_most = min(n_items, int(confusions.sum()))
    figure = _mean_figure(confusions, reading, weights, is_shared=is_shared, n_items=n_most)
    return beside_unnamed(figure, n_items=n_items, n_judged_twice=n_judged_twice)


def beside_unnamed(figure: Figure, *, n_items: int, n_judged_twice: int) -> Figure:
    """The mean kappa with the reason that is true where votes without names stand beside those of people. `n_items`
    have two votes that the reading counts, `n_judged_twice` two votes at all, whoever gave them."""
    reasons: dict[Reason | None, Reason] = {}
    if n_items:
        reasons = {"no_overlap": "no_names", "none_counted": "no_two"}
    elif n_judged_twice:
        reasons = {"no_overlap": "none_counted"}
    return replace(figure, reason=reasons.get(figure.reason, figure.reason))


def _mean_figure(
    confusions: Ints, reading: Reading, weights: cohen.Weights, *, is_shared: bool, n_items: int
) -> Figure:
    """The mean of the kappas of tables under a reading, without an interval; `is_shared` as in `_why_nothing`."""
    value = number_or_none(float(cohen.mean_kappa(confusions, weights))) if len(confusions) else None
    n_said = 2 * int(confusions.sum())
    reason = _why_no_mean(n_said, is_shared) if value is None else None
    prevalence = _prevalence(confusions.sum(axis=0), reading)
    return Figure(MEASURE[weights], reading.name, value, reason, None, n_items, n_said, prevalence)


def _why_no_kappa(n_items: int, is_shared: bool) -> Reason:
    """Why two people who share so many items have none."""
    if n_items < 2:
        return "one_item" if n_items else _why_nothing(is_shared)
    return "one_label"


def _why_no_mean(n_said: int, is_shared: bool) -> Reason:
    """Why there is no mean where so much was said of shared items: each two have a reason of their own, and none of
    these need be true of all."""
    return "no_two" if n_said else _why_nothing(is_shared)


def _why_nothing(is_shared: bool) -> Reason:
    """Why a reading counts nothing that two said of one item; `is_shared` says whether anything was, read or left
    out."""
    return "none_counted" if is_shared else "no_overlap"


def _prevalence(confusion: Ints, reading: Reading) -> dict[str, float]:
    said = confusion.sum(axis=0) + confusion.sum(axis=1)
    return dict(zip(reading.labels, (said / said.sum()).tolist(), strict=True)) if said.sum() else {}


def _clusters_of(items: Ints, clusters: ArrayLike | None) -> Ints:
    return items if clusters is None else np.asarray(clusters)[items]
