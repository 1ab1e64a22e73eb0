"""Which differences between models in AUPRC are real.

On the same pairs: the bootstrap draws images, the same for both models, and the permutation swaps the two models'
ranks of all pairs of an image. Ranks are swapped, not scores, since models have different scales. On different pairs:
two bootstraps, and what is compared is the value above chance, for chance differs between data sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from scipy import stats

from backend.methods.benchmarks.comparing import PERMUTATIONS, POWER, Difference
from backend.methods.ranking.intervals import AT_ONCE, interval
from backend.methods.ranking.ranking import Bools, Floats, Ints
from backend.methods.relevance.auprc import average_precision, averages, draw_averages, draw_prevalence, ends_of


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
    def has_both(self) -> bool:
        """Whether there are accepted and rejected pairs."""
        return 0 < int(self.is_accepted.sum()) < len(self.is_accepted)

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
    drawn = [draw_averages(each.scores, clusters, is_accepted, draws=draws, seed=seed) for each in (first, second)]
    value = second.auprc - first.auprc
    n_as_large = sum(
        int((np.abs(by_chance) >= abs(value) - 1e-12).sum())
        for by_chance in _swapped(first, second, permutations, seed + 1)
    )
    # The order that was seen is one of all orders, so p is never 0.
    p = (n_as_large + 1) / (permutations + 1)
    return _difference(value, drawn[1] - drawn[0], p, len(clusters))


def _swapped(first: ScoredPairs, second: ScoredPairs, n: int, seed: int) -> Iterator[Floats]:
    """The difference where the models' ranks of all pairs of an image are swapped by chance, some draws at a time.

    The ranks of both models lie in one order, and a draw takes one of the two of each pair: so nothing is sorted again.
    """
    rng = np.random.default_rng(seed)
    ranks = np.concatenate([stats.rankdata(each.scores) for each in (first, second)])
    order = np.argsort(-ranks, kind="stable")
    ends = ends_of(-ranks[order])
    is_second = order >= len(first.scores)
    right = np.tile(first.is_accepted, 2)[order].astype(float)
    clusters = np.tile(first.clusters, 2)[order]
    step = max(1, AT_ONCE // (8 * len(order)))
    for start in range(0, n, step):
        swaps = rng.integers(0, 2, (min(step, n - start), int(clusters.max()) + 1), dtype=np.int8).astype(bool)
        chosen = swaps[:, clusters] ^ is_second
        yield averages(right, chosen.astype(float), ends) - averages(right, (~chosen).astype(float), ends)


def compare_apart(first: ScoredPairs, second: ScoredPairs, *, draws: int, seed: int = 0) -> Difference:
    """How much more above chance the second model has, on other pairs."""
    drawn = []
    for at, each in enumerate((first, second)):
        how = {"draws": draws, "seed": seed + at}
        values = draw_averages(each.scores, each.clusters, each.is_accepted, **how)
        drawn.append(_above_chance(values, draw_prevalence(each.clusters, each.is_accepted, **how)))
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
