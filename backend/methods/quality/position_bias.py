"""Position bias: answers that follow the place of an option or of an item on the screen, and not the item.

Options and items are drawn in a new order for every assignment, and the order is stored. Whoever reads picks each
option place equally often, whatever the labels' shares, and answers the same in the first place as in the last.

>>> option_bias([0] * 18 + [1, 2], n_options=3).p_value < 1e-4
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.stats import binomtest, chi2_contingency, chisquare

FEWEST_EXPECTED = 5  # per cell, for chi-square (Cochran 1954)


@dataclass(frozen=True)
class Bias:
    """`statistic` is chi-square with `degrees` of freedom, or, on too few answers for it, the count of the commonest
    place. `effect` is Cramer's V, 0 without bias and 1 at its most. No `p_value` where nothing can be told."""

    test: Literal["chi_square", "binomial", "none"]
    statistic: float
    degrees: int
    effect: float
    n: int
    p_value: float | None


NOTHING = Bias("none", 0.0, 0, 0.0, 0, None)


def option_bias(places: Sequence[int], *, n_options: int) -> Bias:
    """Whether one annotator picks a place on the screen: `places` are where the chosen options stood, 0 the first.

    Chi-square against equal shares; below five expected per place the commonest one by a binomial test, times the
    number of places (Bonferroni). Raises ValueError on a place that no option has.
    """
    if n_options < 2 or any(not 0 <= place < n_options for place in places):
        raise ValueError(f"A place lies between 0 and {n_options - 1}, and there are at least two.")
    n = len(places)
    if not n:
        return NOTHING
    counts = np.bincount(np.asarray(places, dtype=np.int64), minlength=n_options)
    chi = chisquare(counts)
    effect = float(np.sqrt(chi.statistic / (n * (n_options - 1))))
    if n >= FEWEST_EXPECTED * n_options:
        return Bias("chi_square", float(chi.statistic), n_options - 1, effect, n, float(chi.pvalue))
    most = int(counts.max())
    p_value = min(1.0, n_options * float(binomtest(most, n, 1 / n_options, alternative="greater").pvalue))
    return Bias("binomial", float(most), n_options - 1, effect, n, p_value)


def item_bias(places: Sequence[int], labels: Sequence[int]) -> Bias:
    """Whether an annotator's label depends on the item's place in the HIT, by chi-square on places against labels.

    Rare labels are laid together, and places as the first and the second half, until five are expected in each cell;
    where that cannot be had nothing is told. Raises ValueError where the two differ in length.
    """
    if len(places) != len(labels):
        raise ValueError("Each label needs the place of its item.")
    table = _table(np.asarray(places, dtype=np.int64), np.asarray(labels, dtype=np.int64))
    if table is None:
        return Bias("none", 0.0, 0, 0.0, len(places), None)
    found = chi2_contingency(table, correction=False)
    effect = float(np.sqrt(found.statistic / (table.sum() * (min(table.shape) - 1))))
    return Bias("chi_square", float(found.statistic), int(found.dof), effect, len(places), float(found.pvalue))


def _table(places: np.ndarray, labels: np.ndarray) -> np.ndarray | None:
    """The finest table with enough in each cell: places or halves, against labels or the commonest and the rest."""
    if not len(places):
        return None
    halves = (places >= (places.max() + 1) / 2).astype(np.int64)
    commonest = (labels == np.bincount(labels).argmax()).astype(np.int64)
    for rows, columns in ((places, labels), (halves, labels), (halves, commonest)):
        table = np.zeros((rows.max() + 1, columns.max() + 1))
        np.add.at(table, (rows, columns), 1)
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) > 1 and np.outer(table.sum(1), table.sum(0)).min() / table.sum() >= FEWEST_EXPECTED:
            return table
    return None
