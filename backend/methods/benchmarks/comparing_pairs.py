"""Which differences between models in AUPRC are real.

On the same pairs: the bootstrap draws images, the same for both models, and the permutation swaps the two models'
ranks of all pairs of an image. Ranks are swapped, not scores, since models have different scales. On different pairs:
two bootstraps, and what is compared is the value above chance, for chance differs between data sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy import stats

from backend.methods.benchmarks.comparing import PERMUTATIONS, POWER, Difference
from backend.methods.ranking.intervals import interval
from backend.methods.ranking.ranking import Bools, Floats, Ints
from backend.methods.relevance.auprc import average_precision, draw_averages


@dataclass(frozen=True)
class ScoredPairs:
    """Accepted and rejected pairs with the scores of one model, by image and text."""

    images: Sequence[str]
    texts: Sequence[str]
    is_accepted: Bools
    scores: Floats

    @property
    def clusters(self) -> Ints:
        """The number of each pair's image."""
        found: Ints = np.unique(np.array(self.images), return_inverse=True)[1]
        return found

    @property
    def auprc(self) -> float:
        """Average precision."""
        return average_precision(self.scores, self.is_accepted)

    @property
    def above_chance(self) -> float:
        """Average precision over the prevalence: 0 is chance, 1 is perfect."""
        return float(_above_chance(np.array(self.auprc), self.is_accepted.mean()))


def pairs_of(table: pa.Table) -> ScoredPairs:
    """The pairs of per_query.parquet, sorted by image and text."""
    sorted_table = table.sort_by([("image", "ascending"), ("text", "ascending")])
    return ScoredPairs(
        sorted_table.column("image").to_pylist(),
        sorted_table.column("text").to_pylist(),
        sorted_table.column("accepted").to_numpy(),
        sorted_table.column("score").to_numpy(),
    )


def are_same(pairs: Sequence[ScoredPairs]) -> bool:
    """Whether all models scored the same pairs."""
    first = pairs[0]
    return all(
        (each.images, each.texts) == (first.images, first.texts) and np.array_equal(each.is_accepted, first.is_accepted)
        for each in pairs
    )


def compare_same(
    first: ScoredPairs, second: ScoredPairs, *, draws: int, permutations: int = PERMUTATIONS, seed: int = 0
) -> Difference:
    """How much more AUPRC the second model has, on the same pairs."""
    clusters, is_accepted = first.clusters, first.is_accepted
    drawn = [draw_averages(each.scores, clusters, is_accepted, draws=draws, seed=seed)[0] for each in (first, second)]
    value = second.auprc - first.auprc
    ranks = [stats.rankdata(each.scores) for each in (first, second)]
    rng, n_as_large = np.random.default_rng(seed + 1), 0
    for _ in range(permutations):
        is_swapped = rng.integers(0, 2, clusters.max() + 1).astype(bool)[clusters]
        one, other = (np.where(is_swapped, ranks[1 - at], ranks[at]) for at in (0, 1))
        change = average_precision(other, is_accepted) - average_precision(one, is_accepted)
        n_as_large += abs(change) >= abs(value) - 1e-12
    # The order that was seen is one of all orders, so p is never 0.
    p = (n_as_large + 1) / (permutations + 1)
    return _difference(value, drawn[1] - drawn[0], p, len(clusters))


def compare_apart(first: ScoredPairs, second: ScoredPairs, *, draws: int, seed: int = 0) -> Difference:
    """How much more above chance the second model has, on other pairs."""
    drawn = []
    for at, each in enumerate((first, second)):
        averages, prevalence = draw_averages(each.scores, each.clusters, each.is_accepted, draws=draws, seed=seed + at)
        drawn.append(_above_chance(averages, prevalence))
    change = drawn[1] - drawn[0]
    n_against = min(int((change <= 0).sum()), int((change >= 0).sum()))
    p = min(1.0, 2 * (n_against + 1) / (len(change) + 1))
    value = second.above_chance - first.above_chance
    return _difference(value, change, p, len(first.scores) + len(second.scores))


def _above_chance(averages: Floats, prevalence: Floats | float) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((averages - prevalence) / (1 - prevalence))


def _difference(value: float, drawn: Floats, p: float, n: int) -> Difference:
    spread = float(np.nanstd(drawn)) if np.isfinite(drawn).sum() > 1 else 0.0
    return Difference(value, *interval(drawn), p, POWER * spread, n)
