"""Every figure of agreement under every reading of `unsure`: the three are always reported together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from backend.methods.agreement.bootstrap import DEFAULT, Bootstrap
from backend.methods.agreement.count_table import CountTable
from backend.methods.agreement.figures import Figure
from backend.methods.agreement.over_items import alpha_figure, fleiss_figure
from backend.methods.agreement.over_pairs import beside_unnamed, mean_kappa_figure, weights_of
from backend.methods.agreement.pair_table import CoRatings, co_ratings
from backend.methods.agreement.readings import UNSURE_READINGS, Reading
from backend.methods.judgments import Judgments


def agreement_over_items(
    table: CountTable, *, readings: Sequence[Reading] = UNSURE_READINGS, bootstrap: Bootstrap = DEFAULT
) -> tuple[Figure, ...]:
    """Fleiss and Krippendorff for each reading. The columns of `table.counts` are consensus.LABELS by default."""
    return tuple(
        of_one(table, reading, bootstrap=bootstrap) for reading in readings for of_one in (fleiss_figure, alpha_figure)
    )


def agreement_over_pairs(
    rated: CoRatings,
    *,
    clusters: ArrayLike | None = None,
    readings: Sequence[Reading] = UNSURE_READINGS,
    bootstrap: Bootstrap = DEFAULT,
) -> tuple[Figure, ...]:
    """The mean Cohen kappa for each reading: unweighted, or linear and quadratic where labels have an order."""
    return tuple(
        mean_kappa_figure(rated, reading, weights, clusters=clusters, bootstrap=bootstrap)
        for reading in readings
        for weights in weights_of(reading)
    )


def agreement_of(
    judgments: Judgments,
    *,
    clusters: ArrayLike | None = None,
    readings: Sequence[Reading] = UNSURE_READINGS,
    bootstrap: Bootstrap = DEFAULT,
    is_named: NDArray[np.bool_] | None = None,
) -> tuple[Figure, ...]:
    """All of them from judgments; `clusters` (n_items,) are whole numbers, such as those of the items' images.

    `is_named` (n,) are the judgments whose annotators are known; the others count among the items and in no two people.
    """
    table = CountTable.of_items(judgments.counts(), clusters=clusters)
    named = judgments if is_named is None else judgments.only(is_named)
    over_pairs = agreement_over_pairs(co_ratings(named), clusters=clusters, readings=readings, bootstrap=bootstrap)
    n_twice, of_name = table.n_judged_twice(), {reading.name: reading for reading in readings}
    means = (
        beside_unnamed(figure, n_items=table.n_comparable(of_name[figure.reading]), n_judged_twice=n_twice)
        for figure in over_pairs
    )
    return (*means, *agreement_over_items(table, readings=readings, bootstrap=bootstrap))
