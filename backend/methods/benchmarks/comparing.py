"""Which differences between models are real.

Where models answered the same queries: a paired bootstrap, and a permutation that swaps the two models. Both take all
queries of an image together, for these rise and fall together. Where they did not: Mann-Whitney U, one-sided, as ConQA,
with Holm's correction for the number of tests beside the raw p, and the rank-biserial correlation as the size.
Sources: Efron and Tibshirani 1993, ch. 13 and 15; Holm, Scandinavian Journal of Statistics 6, 1979; Kerby,
Comprehensive Psychology 3, 2014.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy import stats

from backend.methods.ranking.intervals import AT_ONCE, Bootstrap, interval, median_of
from backend.methods.ranking.ranking import Floats, Ints

PERMUTATIONS = 2000
LEVEL = 0.05
How = Literal["mean", "median", "median_floor"]
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


@dataclass(frozen=True)
class Sample:
    """The numbers of one model for a measure, (q,), the cluster of each, numbered from 0, and how they become one
    figure. `median_floor` rounds the median down."""

    values: Floats
    clusters: Ints
    how: How = "mean"

    @property
    def figure(self) -> float:
        """The mean or the median."""
        if self.how == "mean":
            return float(self.values.mean())
        median = float(np.median(self.values))
        return float(np.floor(median)) if self.how == "median_floor" else median


def paired(
    first: Floats, second: Floats, clusters: Ints, *, draws: int = 2000, permutations: int = PERMUTATIONS, seed: int = 0
) -> Difference:
    """The difference of the means of two models on the same queries (q,), where `clusters` belong together."""
    place = np.unique(clusters, return_inverse=True)[1]
    both = {"": (Sample(first, place), Sample(second, place))}
    return compare_samples(both, draws=draws, permutations=permutations, seed=seed)[""]


def compare_samples(
    pairs: Mapping[str, tuple[Sample, Sample]],
    *,
    sums: Mapping[str, Sequence[str]] | None = None,
    draws: int = 2000,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> dict[str, Difference]:
    """The difference of two models in each measure, all by the same draws. Both have the same numbers of the same
    clusters. `sums` are measures that add up several others, which are means."""
    if not pairs:
        return {}
    sums = sums or {}
    n = 1 + max(int(each.clusters.max()) for both in pairs.values() for each in both)
    values = {name: two.figure - one.figure for name, (one, two) in pairs.items()}
    values |= {name: sum(values[part] for part in parts) for name, parts in sums.items()}
    drawn = _draw(pairs, n, draws, seed)
    drawn |= {name: np.sum([drawn[part] for part in parts], axis=0) for name, parts in sums.items()}
    n_as_large = _count_as_large(pairs, sums, values, n, permutations, seed + 1)
    found = {}
    for name, value in values.items():
        spread = float(np.std(drawn[name])) if len(drawn[name]) > 1 else 0.0
        # The order that was seen is one of all orders, so p is never 0.
        p = (n_as_large[name] + 1) / (permutations + 1)
        size = min(len(pairs[part][0].values) for part in sums.get(name, (name,)))
        found[name] = Difference(value, *interval(drawn[name]), p, POWER * spread, size)
    return found


def _draw(pairs: Mapping[str, tuple[Sample, Sample]], n: int, draws: int, seed: int) -> dict[str, Floats]:
    """How much more the second model has in each draw of clusters."""
    if n < 2:
        return dict.fromkeys(pairs, np.full(1, np.nan))
    bootstrap = Bootstrap(n, draws=draws, seed=seed)
    for name, both in pairs.items():
        for side, each in enumerate(both):
            if each.how == "mean":
                bootstrap.add_mean(f"{side} {name}", each.values, each.clusters)
            else:
                is_floored = each.how == "median_floor"
                bootstrap.add_median(f"{side} {name}", each.values, each.clusters, floor=is_floored)
    drawn = bootstrap.run()
    return {name: drawn[f"1 {name}"] - drawn[f"0 {name}"] for name in pairs}


def _count_as_large(
    pairs: Mapping[str, tuple[Sample, Sample]],
    sums: Mapping[str, Sequence[str]],
    values: Mapping[str, float],
    n: int,
    permutations: int,
    seed: int,
) -> dict[str, int]:
    """How often a difference is as large as the one that was seen, if chance swaps the models of each cluster."""
    means = {name: _by_cluster(two, n) - _by_cluster(one, n) for name, (one, two) in pairs.items() if one.how == "mean"}
    means |= {name: np.sum([means[part] for part in parts], axis=0) for name, parts in sums.items()}
    medians = {name: _Swapped(*both) for name, both in pairs.items() if both[0].how != "mean"}
    columns = np.array(list(means.values())).reshape(len(means), n).T
    found = dict.fromkeys(values, 0)

    def add(name: str, by_chance: Floats) -> None:
        # Sums of equal size may differ in the last bit.
        found[name] += int((np.abs(by_chance) >= abs(values[name]) * (1 - 1e-12) - 1e-12).sum())

    for signs in _signs(n, permutations, seed):
        for name, column in zip(means, (signs @ columns).T, strict=True):
            add(name, column)
        for name, each in medians.items():
            add(name, each.differences(signs))
    return found


def _by_cluster(sample: Sample, n: int) -> Floats:
    """What each cluster gives to the mean."""
    return np.bincount(sample.clusters, weights=sample.values, minlength=n) / len(sample.values)


def _signs(n_clusters: int, n: int, seed: int) -> Iterator[Floats]:
    """A sign for each cluster, 1 or -1, (b, clusters), some permutations at a time."""
    rng, step = np.random.default_rng(seed), max(1, AT_ONCE // max(1, n_clusters))
    for start in range(0, n, step):
        drawn = rng.integers(0, 2, size=(min(step, n - start), n_clusters), dtype=np.int8)
        yield drawn.astype(np.float64) * 2 - 1


class _Swapped:
    """The numbers of two models in one order, so that the medians after a swap need no sorting."""

    def __init__(self, first: Sample, second: Sample) -> None:
        values = np.r_[first.values, second.values]
        order = np.argsort(values, kind="stable")
        self._values, self._clusters = values[order], np.r_[first.clusters, second.clusters][order]
        self._is_second, self._count = order >= len(first.values), np.arange(1, len(order) + 1)
        self._is_floored = first.how == "median_floor"

    def differences(self, signs: Floats) -> Floats:
        """For each row of signs, the difference of medians where clusters with -1 change sides."""
        found = np.empty((len(signs), 2))
        for at, row in enumerate(signs):
            upto = np.cumsum(self._is_second ^ (row < 0)[self._clusters])
            found[at] = median_of(self._values, upto), median_of(self._values, self._count - upto)
        found = np.floor(found) if self._is_floored else found
        return np.asarray(found[:, 0] - found[:, 1])


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
