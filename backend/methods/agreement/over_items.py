"""Fleiss' kappa and Krippendorff's alpha of a table of counts, each with its interval or the reason why it has none.

Every judged item is drawn, also one that a single person judged or that a reading leaves nothing of: how many items can
be compared is chance, too, and all readings of one table draw the same. So the worked interval of SCIENCE 3 comes out.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import fleiss, krippendorff
from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap, Statistic, percentile_interval, sum_groups
from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.figures import Figure, Measure, Reason, basis_of, number_or_none
from backend.methods.agreement.readings import Reading

Floats = NDArray[np.float64]
MEASURE_OF: dict[krippendorff.Distance, Measure] = {
    "nominal": "alpha_nominal", "ordinal": "alpha_ordinal", "interval": "alpha_interval",
}  # fmt: skip


def alpha_figure(table: CountTable, reading: Reading, *, bootstrap: Bootstrap = DEFAULT) -> Figure:
    """Krippendorff's alpha, ordinal where the reading has an order, nominal elsewhere; none for one item, of which the
    formula gives 0 whatever was said: all that differs differs within it."""
    return _alpha(table, reading, "ordinal" if reading.is_ordered else "nominal", (), bootstrap)


def interval_figure(table: CountTable, reading: Reading, *, bootstrap: Bootstrap = DEFAULT) -> Figure:
    """Krippendorff's alpha of labels that are numbers, by how far apart they are. Raises ValueError on other labels."""
    return _alpha(table, reading, "interval", tuple(map(float, reading.labels)), bootstrap)


def _alpha(
    table: CountTable,
    reading: Reading,
    distance: krippendorff.Distance,
    values: tuple[float, ...],
    bootstrap: Bootstrap,
) -> Figure:
    read = table.read(reading)
    measure: Measure = MEASURE_OF[distance]
    statistic = partial(_alpha_of, k=len(reading.labels), distance=distance, values=values)
    terms = krippendorff.coincidences(read.counts).reshape(len(read.counts), len(reading.labels) ** 2)
    return _figure(measure, reading, read, terms, statistic, bootstrap, _too_few(table, reading))


def fleiss_figure(table: CountTable, reading: Reading, *, bootstrap: Bootstrap = DEFAULT) -> Figure:
    """Fleiss' kappa; none for an order of labels, which it does not know, for items of unequal judgments, and for one
    item, where the formula gives -1 / (n - 1) for its n judgments whatever they are."""
    read = table.read(reading)
    n_raters = fleiss.raters_per_item(read.counts)
    refusal: Reason | None = "nominal_only" if reading.is_ordered else "unequal_raters" if n_raters is None else None
    refusal = refusal or _too_few(table, reading)
    statistic = partial(fleiss.kappa, n_raters=n_raters or 0)
    return _figure("fleiss", reading, read, fleiss.contributions(read.counts), statistic, bootstrap, refusal)


def _too_few(table: CountTable, reading: Reading) -> Reason | None:
    """Both formulas say the same of any single item: that it was one. And where a reading leaves out what was said, it
    would not be true that nobody had judged."""
    n = table.n_comparable(reading)
    if n == 0 and table.n_judged_twice():
        return "none_counted"
    return "one_item" if n == 1 else None


def _figure(
    measure: Measure,
    reading: Reading,
    table: CountTable,
    terms: Floats,
    statistic: Statistic,
    bootstrap: Bootstrap,
    refusal: Reason | None = None,
) -> Figure:
    """The figure of a statistic of the sums of `terms` (m, d), what one item of each row adds."""
    basis = basis_of(table.counts, table.times, reading)
    weighed = terms * table.times[:, None]
    value = np.nan if refusal else float(statistic(weighed.sum(axis=0)[None])[0])
    if np.isnan(value):
        reason = refusal or ("no_overlap" if not basis.n_items else "one_label")
        return Figure(measure, reading.name, None, reason, None, **vars(basis))
    interval = percentile_interval(sum_groups(weighed, table.clusters), statistic, **vars(bootstrap))
    return Figure(measure, reading.name, number_or_none(value), None, interval, **vars(basis))


def _alpha_of(sums: Floats, *, k: int, distance: krippendorff.Distance, values: tuple[float, ...]) -> Any:
    return krippendorff.alpha(sums.reshape(-1, k, k), distance, values)
