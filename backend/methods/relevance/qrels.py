"""Binary relevance from votes, by one of three rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from backend.methods.foreign.conqa import SeedQuery
from backend.methods.foreign.shapes import PairVotes

Counts = NDArray[np.int64]
Rule = Literal["unanimous", "majority", "at_least_half"]
# The columns are the votes relevant, non-relevant and unsure. The first is the rule of ConQA's evaluation.
RULES: dict[Rule, Callable[[Counts, Counts, Counts], NDArray[np.bool_]]] = {
    "unanimous": lambda r, n, u: (r > 0) & (n == 0) & (u == 0),
    "majority": lambda r, n, u: r > n,
    "at_least_half": lambda r, n, u: (r > 0) & (r >= n),
}


@dataclass(frozen=True)
class Qrels:
    """The relevant images of each query, in the order of the votes; a query without one has an empty set."""

    relevant: dict[str, frozenset[str]]
    gallery: tuple[str, ...]  # all images with votes that are no query's seed
    n_seeds: int  # images with votes that were left out as seeds

    @property
    def dropped(self) -> tuple[str, ...]:
        """Queries without a relevant image."""
        return tuple(query for query, images in self.relevant.items() if not images)


def judge_relevance(votes: PairVotes, queries: Mapping[str, SeedQuery], *, rule: Rule = "unanimous") -> Qrels:
    """What is relevant to each query by `rule`."""
    seeds = frozenset[str]().union(*(query.seeds for query in queries.values()))
    is_relevant = RULES[rule](*votes.counts.T)
    found: dict[str, set[str]] = {query: set() for query in dict.fromkeys(votes.query)}
    for query, image, relevant in zip(votes.query, votes.image, is_relevant, strict=True):
        if relevant and image not in seeds:
            found[query].add(image)
    shown = dict.fromkeys(votes.image)
    gallery = tuple(image for image in shown if image not in seeds)
    return Qrels({query: frozenset(images) for query, images in found.items()}, gallery, len(shown) - len(gallery))
