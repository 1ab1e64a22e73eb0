"""Position bias: answers that follow the place of an option or of an item on the screen, and not the item.

Options and items are drawn in a new order for every assignment, and the order is stored. Whoever reads picks each
option place equally often, whatever the labels' shares, and answers the same in the first place as in the last. Where
the options were not drawn anew, places follow labels; `expected_places` says how often each place would be picked by
somebody who picks by label alone, so that nobody is accused of the buttons' order.

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


def expected_places(labels: Sequence[int], options: Sequence[Sequence[int]]) -> tuple[float, ...]:
    """The share of each place among answers that go by label alone: `options` are the labels in the order of the
    buttons, per answer. Raises ValueError without an answer, or where a label has no button."""
    if not labels or len(labels) != len(options):
        raise ValueError("Each answer needs the order of its options, and there must be one.")
    shown = np.asarray(options, dtype=np.int64)
    shares = np.bincount(np.asarray(labels), minlength=shown.shape[1]) / len(labels)
    if len(shares) > shown.shape[1]:
        raise ValueError("A label that was given has no button.")
    return tuple(float(share) for share in shares[shown].mean(axis=0))


def option_bias(places: Sequence[int], *, n_options: int, expected: Sequence[float] | None = None) -> Bias:
    """Whether one annotator picks a place on the screen: `places` are where the chosen options stood, 0 the first.

    Chi-square against `expected` shares, equal ones by default; below five expected in a place the most exceeded one by
    a binomial test, times the number of places (Bonferroni). Raises ValueError on a place that no option has.
    """
    if n_options < 2 or any(not 0 <= place < n_options for place in places):
        raise ValueError(f"A place lies between 0 and {n_options - 1}, and there are at least two.")
    n = len(places)
    if not n:
        return NOTHING
    shares = np.full(n_options, 1 / n_options) if expected is None else np.asarray(expected, dtype=np.float64)
    is_possible = shares > 0
    counts = np.bincount(np.asarray(places, dtype=np.int64), minlength=n_options)[is_possible]
    return _against(counts, shares[is_possible], n_options)


def _against(counts: np.ndarray, shares: np.ndarray, n_options: int) -> Bias:
    n = int(counts.sum())
    if len(counts) < 2:  # one place was all there was to pick
        return Bias("none", 0.0, 0, 0.0, n, None)
    chi = chisquare(counts, shares / shares.sum() * n)
    effect = float(np.sqrt(chi.statistic / (n * (n_options - 1))))
    if n * shares.min() >= FEWEST_EXPECTED:
        return Bias("chi_square", float(chi.statistic), len(counts) - 1, effect, n, float(chi.pvalue))
    most = int((counts - n * shares).argmax())
    test = binomtest(int(counts[most]), n, float(min(1.0, shares[most])), alternative="greater")
    return Bias("binomial", float(counts[most]), len(counts) - 1, effect, n, min(1.0, len(counts) * float(test.pvalue)))


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
