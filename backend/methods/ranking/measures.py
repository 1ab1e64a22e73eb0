"""The measures of retrieval for each query, as expected values over all orders of equal scores.

Names and row numbers must not decide a comparison, and embeddings in half precision tie most queries. So each measure
is the mean over all orders of the items that score the same (McSherry and Najork, Computing information retrieval
performance measures efficiently in the presence of tied scores, ECIR 2008). Without ties it is the usual measure.

With R right items at ranks r1 < r2 < ...:  hit@k = [r1 <= k];  recall@k = #{r <= k} / min(k, R);
recall_all@k = #{r <= k} / R, the recall of trec_eval and ranx, which cannot reach 1 where k < R;
map = (1/R) sum j/rj;  map@R = the same over rj <= R;  r_precision = #{r <= R} / R;  mrr = 1/r1;
ndcg = sum 1/log2(r+1) / sum over i <= R of 1/log2(i+1);  ndcg@k = both sums cut at k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.methods.ranking.ranking import Bools, Floats, Groups, Ints, Ranking, Ties

KS = (1, 5, 10)


@dataclass(frozen=True)
class PerQuery:
    """Measures of the queries that have a right item, and ranks of all right items."""

    queries: Ints  # (q,), ascending
    values: dict[str, Floats]  # name -> (q,)
    rank_best: Floats  # (q,), expected rank of the first right item; NaN where it has none
    rank_all: Floats  # (p,), expected rank of each right item, in the order of the ranking; NaN where it has none
    is_tied: Bools  # (q,), a wrong item scores as much as a right one


def measure(ranking: Ranking, *, ties: Ties = "expected", ks: Sequence[int] = KS) -> PerQuery:
    """The measures of each query. Raises RankingError where `ties` asks for an order that is not there."""
    is_tied = _is_tied(ranking)
    work = _Work(ranking.resolve(ties))
    n_right = work.n_right
    values: dict[str, Floats] = {f"hit@{k}": work.hit(np.full(len(n_right), k)) for k in ks}
    for k in ks:
        found = work.found(np.full(len(n_right), k))
        values[f"recall@{k}"], values[f"recall_all@{k}"] = found / np.minimum(k, n_right), found / n_right
    no_end = np.full(len(n_right), work.ranking.n_items)
    values["map"] = work.precisions(no_end) / n_right
    values["map@R"] = work.precisions(n_right) / n_right
    values["r_precision"] = work.found(n_right) / n_right
    values["mrr"] = work.reciprocal()
    values["ndcg"] = work.gain(no_end)
    for k in ks:
        values[f"ndcg@{k}"] = work.gain(np.full(len(n_right), k))
    return PerQuery(work.queries, values, work.best(), work.all(), is_tied)


def _is_tied(ranking: Ranking) -> Bools:
    mixed = (ranking.tied > Groups(ranking).size) & ranking.ranked
    queries, place = np.unique(ranking.query, return_inverse=True)
    return np.bincount(place, weights=mixed, minlength=len(queries)) > 0


class _Work:
    """Sums over the right items of each query, by groups of equal scores: a group starts after `above` items, has
    `tied` items of which `size` are right, and `ahead` right items score higher."""

    def __init__(self, ranking: Ranking) -> None:
        self.ranking, groups = ranking, Groups(ranking)
        self.queries, self.of = np.unique(ranking.query, return_inverse=True)
        self.n_right = np.bincount(self.of, minlength=len(self.queries))
        self.above, self.tied = ranking.above, ranking.tied
        self.ranked = ranking.ranked
        self.size, self.ahead = groups.size, groups.ahead
        self.first = np.flatnonzero(groups.is_first_of_query)
        # Sums of 1/i and of 1/log2(i+1) over the first ranks, so that a group is one difference.
        i = np.arange(1, ranking.n_items + 1, dtype=np.float64)
        self._harmonic = np.r_[0.0, np.cumsum(1 / i)]
        self._discount = np.r_[0.0, np.cumsum(1 / np.log2(i + 1))]

    def _add(self, of_items: Floats) -> Floats:
        weights = np.where(self.ranked, of_items, 0.0)
        return np.bincount(self.of, weights=weights, minlength=len(self.queries)).astype(np.float64)

    def _inside(self, limit: Ints) -> Ints:
        """How many places of each item's group are among the first `limit` ranks of its query."""
        return np.asarray(np.clip(limit[self.of] - self.above, 0, self.tied))

    def found(self, limit: Ints) -> Floats:
        """Right items among the first `limit` ranks."""
        return self._add(self._inside(limit) / self.tied)

    def hit(self, limit: Ints) -> Floats:
        """Whether a right item is among the first `limit` ranks."""
        above, tied, size = self._of_first()
        places = np.clip(limit - above, 0, tied)
        missed = np.ones(len(self.queries))  # C(tied - size, places) / C(tied, places)
        for at in range(int(size.max()) if len(size) else 0):
            goes = at < size
            missed[goes] *= np.maximum(tied[goes] - places[goes] - at, 0) / (tied[goes] - at)
        return np.where(self.ranked[self.first], 1 - missed, 0.0)

    def _of_first(self) -> tuple[Ints, Ints, Ints]:
        return self.above[self.first], self.tied[self.first], self.size[self.first]

    def precisions(self, limit: Ints) -> Floats:
        """The precision at each right item among the first `limit` ranks, added up."""
        inside = self._inside(limit)
        start = np.minimum(self.above, self.ranking.n_items)
        sums = self._harmonic[np.minimum(start + inside, self.ranking.n_items)] - self._harmonic[start]
        # At the i-th place of a group with r of t right: (ahead + 1 + (i - 1) (r - 1) / (t - 1)) / (above + i).
        others = np.where(self.tied > 1, (self.size - 1) / np.maximum(self.tied - 1, 1), 0.0)
        expected = ((self.ahead + 1) * sums + others * (inside - (start + 1) * sums)) / self.tied
        exact = np.where(inside > 0, (self.ahead + 1) / (start + 1), 0.0)
        return self._add(np.where(self.tied == 1, exact, expected))

    def gain(self, limit: Ints) -> Floats:
        """Discounted gains among the first `limit` ranks, over those of the best order."""
        n = self.ranking.n_items
        start = np.minimum(self.above, n)
        inside = self._inside(limit)
        sums = self._discount[np.minimum(start + inside, n)] - self._discount[start]
        exact = np.where(inside > 0, 1 / np.log2(start + 2), 0.0)
        best = self._discount[np.minimum(np.minimum(limit, self.n_right), n)]
        return np.asarray(self._add(np.where(self.tied == 1, exact, sums / self.tied)) / best)

    def best(self) -> Floats:
        """The rank of the first right item."""
        above, tied, size = self._of_first()
        return np.where(self.ranked[self.first], above + (tied + 1) / (size + 1), np.nan)

    def all(self) -> Floats:
        """The rank of each right item."""
        return np.where(self.ranked, self.above + (self.tied + 1) / 2, np.nan)

    def reciprocal(self) -> Floats:
        """One over the rank of the first right item."""
        above, tied, size = self._of_first()
        values = 1 / (above + 1.0)
        several = np.flatnonzero(tied > 1)
        if len(several):
            cases, place = np.unique(np.stack([above, tied, size])[:, several], axis=1, return_inverse=True)
            of_cases = [self._expected_reciprocal(*(int(each) for each in case)) for case in cases.T]
            values[several] = np.array(of_cases)[place.ravel()]
        return np.where(self.ranked[self.first], values, 0.0)

    @staticmethod
    def _expected_reciprocal(above: int, tied: int, size: int) -> float:
        """P(the first right item is at place i) is C(tied - i, size - 1) / C(tied, size)."""
        i = np.arange(1, tied - size + 2, dtype=np.float64)
        factors = np.r_[size / tied, (tied - i[:-1] - size + 1) / (tied - i[:-1])]
        return float((np.cumprod(factors) / (above + i)).sum())
