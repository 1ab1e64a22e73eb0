"""Ranks and measures of retrieval, in both directions."""

from backend.methods.ranking.blocks import (
    Counting,
    Counts,
    DotProducts,
    Order,
    Pairs,
    ScoreMatrix,
    ScoreSource,
    count_rows,
    make_pairs,
    rank_both,
    rankings_of,
)
from backend.methods.ranking.measures import KS, PerQuery, measure
from backend.methods.ranking.ranking import TIES, Ranking, RankingError, Ties
from backend.methods.ranking.runs import rank_run

__all__ = [
    "KS",
    "TIES",
    "Counting",
    "Counts",
    "DotProducts",
    "Order",
    "Pairs",
    "PerQuery",
    "Ranking",
    "RankingError",
    "ScoreMatrix",
    "ScoreSource",
    "Ties",
    "count_rows",
    "make_pairs",
    "measure",
    "rank_both",
    "rank_run",
    "rankings_of",
]
