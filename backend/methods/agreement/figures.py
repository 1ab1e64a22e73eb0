"""A figure of agreement with all that is needed to read it: interval, n, prevalence, or why there is none."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from backend.methods.agreement.readings import Counts, Reading

Measure = Literal["cohen", "cohen_linear", "cohen_quadratic", "fleiss", "alpha_nominal", "alpha_ordinal"]
Reason = Literal[
    "no_overlap", "none_counted", "no_names", "one_item", "one_label", "no_two", "unequal_raters", "nominal_only"
]  # fmt: skip
MEASURES: tuple[Measure, ...] = get_args(Measure)
REASONS: dict[Reason, str] = {
    "no_overlap": "No item has two judgments.",
    "none_counted": "No item has two judgments that this reading counts: the others are unsure.",
    "no_names": "No item has two judgments of which it is known whose they are; read Krippendorff's alpha.",
    "one_item": "Of only one item two judgments count here, and chance cannot be told from one.",
    "one_label": "All judgments that count here are the same, so there is nothing that chance could get wrong.",
    "no_two": "Of what counts here, no two people share two items or more and gave them more than one label.",
    "unequal_raters": "Fleiss' kappa needs equally many judgments of every item; read Krippendorff's alpha.",
    "nominal_only": "Fleiss' kappa knows no order of labels; read the ordinal alpha.",
}
NoIntervalReason = Literal[
    "one_cluster", "never_defined", "beyond_largest", "beside_figure", "few_by_chance", "hangs_on_one"
]  # fmt: skip
Method = Literal["bootstrap", "left_out"]
METHODS: tuple[Method, ...] = get_args(Method)
NO_INTERVAL: dict[NoIntervalReason, str] = {
    "one_cluster": "All that two people judged belongs to one image or query, and there is nothing to draw from.",
    "never_defined": "No drawing of the images has a figure.",
    "beside_figure": "Most annotators share too few items, or items of too few images or queries: what is drawn anew "
    "lies beside the truth, not around it.",
    "few_by_chance": "By chance two annotators would differ on fewer than two of the items that they share: these are "
    "too few, or one label is too rare.",
    "hangs_on_one": "Without one of the images or queries there is no figure: an interval would say nothing but that.",
    "beyond_largest": "There are more pairs of annotators than are drawn, and others judged more in common.",
}

SLACK = 1e-9  # of a figure and its replicates, which add the same numbers up in another order


@dataclass(frozen=True)
class Interval:
    """The interval of a figure. `low` and `high` are None for `reason`; `undefined_share` of the replicates had no
    value and were dropped. `n_groups` is how many groups of items were drawn from, with replacement, by the percentile
    bootstrap, or left out, each of them once, for a mean of Cohen's kappas (left_out.py)."""

    low: float | None
    high: float | None
    level: float
    n_replicates: int
    undefined_share: float
    n_groups: int
    seed: int
    reason: NoIntervalReason | None = None
    method: Method = "bootstrap"

    def around(self, value: float) -> Interval:
        """Itself where it holds the figure. Where it does not, what was drawn says nothing of it: no bounds then."""
        if self.low is None or self.high is None or self.low - SLACK <= value <= self.high + SLACK:
            return self
        return replace(self, low=None, high=None, reason="beside_figure")

    def reaching(self, value: float) -> Interval:
        """With its nearer bound at the figure where that lies beside it."""
        if self.low is None or self.high is None:
            return self
        return replace(self, low=min(self.low, value), high=max(self.high, value))


@dataclass(frozen=True)
class Figure:
    """One measure under one reading. `value` is None for `reason`, never 1 or 0 in its place. `n_items` have two
    judgments or more, `n_judgments` are those items' judgments, `prevalence` the share of each label among them."""

    measure: Measure
    reading: str
    value: float | None
    reason: Reason | None
    interval: Interval | None
    n_items: int
    n_judgments: int
    prevalence: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """Plain values, names as here."""
        return asdict(self)


@dataclass(frozen=True)
class Basis:
    """What a figure stands on."""

    n_items: int
    n_judgments: int
    prevalence: dict[str, float]


def basis_of(counts: Counts, times: Counts, reading: Reading) -> Basis:
    """The items with two judgments or more among `counts` (m, k) of the reading; row i stands for `times[i]` items."""
    usable = counts.sum(axis=1) >= 2
    by_label = times[usable] @ counts[usable]
    n = int(by_label.sum())
    shares = by_label / n if n else np.zeros(len(reading.labels))
    return Basis(int(times[usable].sum()), n, dict(zip(reading.labels, shares.tolist(), strict=True)) if n else {})


def number_or_none(value: float) -> float | None:
    """NaN as None."""
    return None if np.isnan(value) else float(value)
