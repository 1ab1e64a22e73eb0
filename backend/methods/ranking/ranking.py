"""Where the right items of each query stand, which is all that the measures of retrieval need.

For each right item: how many items score higher (`above`), and how many score the same, itself among them (`tied`).
So neither the score matrix nor a sorted list is kept, and every order of equal scores can be considered (`measures`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ties = Literal["expected", "optimistic", "pessimistic", "stable", "docno"]
TIES: tuple[Ties, ...] = get_args(Ties)
NO_ORDER = "The ranks were counted without an order of equal scores. Count them again with one."


class RankingError(ValueError):
    """These scores or pairs cannot be ranked; the message says which and where."""


@dataclass(frozen=True)
class Ranking:
    """The right items of all queries, one row for each, those of one query together and the best first."""

    query: Ints  # (p,), ascending
    item: Ints  # (p,), the number of the right item
    above: Ints  # (p,), items of the gallery with a higher score, right ones too
    tied: Ints  # (p,), items with this score, itself included
    n_queries: int
    n_items: int
    before: Ints | None = None  # (p,), items with this score that a fixed order puts before it
    is_ranked: Bools | None = None  # (p,), False where a run does not name the item; None: all are

    def __len__(self) -> int:
        """How many right items there are."""
        return len(self.query)

    @property
    def ranked(self) -> Bools:
        """Which right items have a rank."""
        return np.ones(len(self), bool) if self.is_ranked is None else self.is_ranked

    @property
    def n_dropped(self) -> int:
        """Queries without a right item: they have no figures."""
        return self.n_queries - len(np.unique(self.query))

    def keep(self, chosen: Bools) -> Ranking:
        """Only some of the right items, with their ranks among all items: the others count as any item does."""

        def of(values: Ints | None) -> Ints | None:
            return None if values is None else values[chosen]

        is_ranked = None if self.is_ranked is None else self.is_ranked[chosen]
        kept = {name: getattr(self, name)[chosen] for name in ("query", "item", "above", "tied")}
        return replace(self, **kept, before=of(self.before), is_ranked=is_ranked)

    def resolve(self, ties: Ties) -> Ranking:
        """The ranking where equal scores have the order that `ties` names, so that nothing is tied any more.

        `expected` changes nothing. `optimistic` puts right items before their equals, `pessimistic` behind them;
        `stable` and `docno` use the order that the ranks were counted with. Raises RankingError where there is none.
        """
        if ties == "expected":
            return self
        groups = Groups(self)
        if ties == "optimistic":
            above = self.above + groups.place
        elif ties == "pessimistic":
            above = self.above + self.tied - groups.size + groups.place
        elif self.before is None:
            raise RankingError(NO_ORDER)
        else:
            above = self.above + self.before
        order = np.lexsort((above, ~self.ranked, self.query))
        settled = replace(self, above=above, tied=np.ones_like(self.tied), before=np.zeros_like(self.tied))
        return settled.keep(order)  # type: ignore[arg-type]  # row numbers, not a mask: both pick rows


class Groups:
    """Right items of one query that score the same: `size` of each item's group, its `place` in it from 0, and
    `ahead`, the right items of the query that score higher."""

    def __init__(self, ranking: Ranking) -> None:
        n = len(ranking)
        at = np.arange(n)
        self.is_first_of_query = np.r_[True, ranking.query[1:] != ranking.query[:-1]][:n]
        is_new = self.is_first_of_query | np.r_[True, ranking.above[1:] != ranking.above[:-1]][:n]
        is_new |= np.r_[True, ranking.ranked[1:] != ranking.ranked[:-1]][:n]
        number = np.cumsum(is_new) - 1
        first = at[is_new]
        self.is_first = is_new
        self.size: Ints = np.bincount(number, minlength=0)[number] if n else at
        self.place: Ints = at - first[number]
        start = at[self.is_first_of_query][np.cumsum(self.is_first_of_query) - 1]
        self.ahead: Ints = first[number] - start


def make_ranking(
    query: Ints,
    item: Ints,
    scores: NDArray[np.floating],
    above: Ints,
    tied: Ints,
    *,
    n_queries: int,
    n_items: int,
    before: Ints | None = None,
    priority: Ints | None = None,
) -> Ranking:
    """A ranking from counts over the wrong items alone: the right items of the same query are counted here.

    `priority` is the place of each item in the fixed order, smaller first.
    """
    last = item if priority is None else priority[item]
    order = np.lexsort((last, -scores, query))
    query, item, scores = query[order], item[order], scores[order]
    by_score = Ranking(query, item, _dense(scores, query), np.ones_like(query), n_queries, n_items)
    groups = Groups(by_score)
    return Ranking(
        query,
        item,
        above[order] + groups.ahead,
        tied[order] + groups.size,
        n_queries,
        n_items,
        None if before is None else before[order] + groups.place,
    )


def _dense(scores: NDArray[np.floating], query: Ints) -> Ints:
    """Numbers that change where the score or the query changes."""
    if not len(scores):
        return np.zeros(0, np.int64)
    return np.cumsum(np.r_[False, (scores[1:] != scores[:-1]) | (query[1:] != query[:-1])]).astype(np.int64)
