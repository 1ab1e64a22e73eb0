"""A figure of agreement with all that is needed to read it: interval, n, prevalence, or why there is none."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from backend.methods.agreement.readings import Counts, Reading

Measure = Literal[
    "cohen", "cohen_linear", "cohen_quadratic", "fleiss", "alpha_nominal", "alpha_ordinal", "alpha_interval"
]
Reason = Literal[
    "no_overlap", "none_counted", "no_names", "one_item", "one_label", "no_two", "unequal_raters", "nominal_only",
    "nothing_shared", "beyond_largest",
]  # fmt: skip
OF_NUMBERS: Measure = "alpha_interval"  # no figure of a project, whose labels are words
MEASURES: tuple[Measure, ...] = tuple(each for each in get_args(Measure) if each != OF_NUMBERS)
REASONS: dict[Reason, str] = {
    "no_overlap": "No pair has two answers.",
    "none_counted": "No pair has two answers that count here. The others are unsure.",
    "no_names": "No pair has two answers with names. Read Krippendorff's alpha.",
    "one_item": "Only one pair has two answers, which is too few to know chance.",
    "one_label": "All answers are the same, so there is no agreement beyond chance.",
    "no_two": "No two annotators share two pairs with different answers.",
    "unequal_raters": "Fleiss' kappa needs the same number of answers for every pair. Read Krippendorff's alpha.",
    "nominal_only": "Fleiss' kappa has no order of answers. Read the ordinal alpha.",
    "nothing_shared": "The two annotators share no pair.",
    "beyond_largest": "There are too many pairs of annotators. Others share more answers.",
}
NoIntervalReason = Literal[
    "one_cluster", "never_defined", "beyond_largest", "beside_figure", "few_by_chance", "hangs_on_one"
]  # fmt: skip
Method = Literal["bootstrap", "left_out"]
METHODS: tuple[Method, ...] = get_args(Method)
NO_INTERVAL: dict[NoIntervalReason, str] = {
    "one_cluster": "All shared pairs belong to one image or query, so there is no interval.",
    "never_defined": "No sample of the images has a figure.",
    "beside_figure": "Most annotators share too few pairs or too few images, so the interval would be wrong.",
    "few_by_chance": "The two annotators share too few pairs, or one answer is too rare.",
    "hangs_on_one": "The figure depends on one image or query, so an interval is not useful.",
    "beyond_largest": "There are too many pairs of annotators. Others share more answers.",
}


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
