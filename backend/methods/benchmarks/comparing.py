"""Which differences between models are real.

Where models answered the same queries: a paired bootstrap and a permutation of signs, both by clusters, for queries of
one image rise and fall together. Where they did not: Mann-Whitney U, one-sided, as ConQA, with Holm's correction for
the number of tests beside the raw p, and the rank-biserial correlation as the size.
Sources: Efron and Tibshirani 1993, ch. 13 and 15; Holm, Scandinavian Journal of Statistics 6, 1979; Kerby,
Comprehensive Psychology 3, 2014.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from backend.methods.ranking.intervals import AT_ONCE, Bootstrap, interval
from backend.methods.ranking.ranking import Floats, Ints

PERMUTATIONS = 2000
LEVEL = 0.05
POWER = 2.8  # 1.96 + 0.84 standard errors: a difference that is found in 80% of the cases


@dataclass(frozen=True)
class Difference:
    """How much more the second model has than the first. `detectable` is the smallest difference that these data show
    in four of five cases."""

    value: float
    low: float | None
    high: float | None
    p: float
    detectable: float
    n: int

    @property
    def is_real(self) -> bool:
        """Whether the difference is not of the size that chance makes."""
        return self.p < LEVEL


def paired(
    first: Floats, second: Floats, clusters: Ints, *, draws: int = 2000, permutations: int = PERMUTATIONS, seed: int = 0
) -> Difference:
    """The difference of two models on the same queries (q,), where `clusters` belong together."""
    changes = {"": second - first}
    return paired_many(changes, clusters, draws=draws, permutations=permutations, seed=seed)[""]


def paired_many(
    changes: Mapping[str, Floats], clusters: Ints, *, draws: int = 2000, permutations: int = PERMUTATIONS, seed: int = 0
) -> dict[str, Difference]:
    """The mean of each change (q,) of one model to another, all by the same draws."""
    if not changes:
        return {}
    numbers, place = np.unique(clusters, return_inverse=True)
    bootstrap = Bootstrap(len(numbers), draws=draws, seed=seed)
    for name, change in changes.items():
        bootstrap.add_mean(name, change, place)
    drawn = bootstrap.run() if len(numbers) > 1 else dict.fromkeys(changes, np.full(1, np.nan))
    sums = np.array([np.bincount(place, weights=each, minlength=len(numbers)) for each in changes.values()], float).T
    by_chance = _by_chance(sums, permutations, seed + 1)
    # The order that was seen is one of all orders, so p is never 0. Sums of equal size may differ in the last bit.
    n_as_large = (by_chance >= np.abs(sums.sum(0)) * (1 - 1e-12) - 1e-12).sum(0)
    found = {}
    for at, (name, change) in enumerate(changes.items()):
        spread = float(np.std(drawn[name])) if len(drawn[name]) > 1 else 0.0
        p = (int(n_as_large[at]) + 1) / (permutations + 1)
        found[name] = Difference(float(change.mean()), *interval(drawn[name]), p, POWER * spread, len(change))
    return found


def _by_chance(sums: Floats, n: int, seed: int) -> Floats:
    """The sizes of sums (clusters, m) where each cluster's sign is drawn, (n, m)."""
    rng, found = np.random.default_rng(seed), []
    step = max(1, AT_ONCE // max(1, len(sums)))
    for start in range(0, n, step):
        signs = rng.integers(0, 2, size=(min(step, n - start), len(sums)), dtype=np.int8) * 2.0 - 1
        found.append(np.abs(signs @ sums))
    return np.concatenate(found)


def level_groups(
    names: Sequence[str], means: Sequence[float], is_real: Mapping[tuple[str, str], bool]
) -> list[list[str]]:
    """Groups of models that are level, the best first: in a group no two differ. A model may be in several groups."""
    order = [name for _, name in sorted(zip(means, names, strict=True), key=lambda each: (-each[0], each[1]))]
    groups: list[list[str]] = []
    for start in range(len(order)):
        stop = start + 1
        while stop < len(order) and not any(_differ(each, order[stop], is_real) for each in order[start:stop]):
            stop += 1
        if not groups or not set(order[start:stop]) <= set(groups[-1]):
            groups.append(order[start:stop])
    return groups


def _differ(one: str, other: str, is_real: Mapping[tuple[str, str], bool]) -> bool:
    return is_real.get((one, other), is_real.get((other, one), False))


def mann_whitney(samples: Mapping[str, Sequence[Floats]]) -> list[dict[str, Any]]:
    """For each measure whether the first sample is less than the second. NaN is left out."""
    rows = []
    for name, pair in samples.items():
        x, y = (np.asarray(each)[~np.isnan(each)] for each in pair)
        row: dict[str, Any] = {"measure": name, "n": [len(x), len(y)]}
        if not len(x) or not len(y):
            rows.append({**row, "p": None, "reason": "empty_sample"})
            continue
        found = stats.mannwhitneyu(x, y, alternative="less")
        means = [float(x.mean()), float(y.mean())]
        row |= {
            "means": means,
            "improvement": (means[1] - means[0]) / means[0] if means[0] else None,
            "u": float(found.statistic),
            "p": float(found.pvalue),
            "rank_biserial": float(1 - 2 * found.statistic / (len(x) * len(y))),
        }
        rows.append(row)
    corrected = holm([row["p"] for row in rows if row["p"] is not None])
    for row in rows:
        row["p_holm"] = None if row["p"] is None else corrected.pop(0)
    return rows


def holm(values: Sequence[float]) -> list[float]:
    """p values corrected for their number by Holm's steps, in their order."""
    order = np.argsort(values, kind="stable")
    sizes = np.asarray(values, float)[order] * np.arange(len(values), 0, -1)
    steps = np.maximum.accumulate(sizes) if len(values) else sizes
    found = np.empty(len(values))
    found[order] = np.minimum(steps, 1.0)
    return found.tolist()
