"""What the votes of one pair say: shares, entropy, and the category of ConQA under both readings of "most workers".

"Fully Relevant" is all votes relevant, "Fully Non-relevant" all non-relevant, "Majority ..." is where *most workers*
said so, "Unsure" otherwise (ConQA section 4). Most may mean more than any other answer (plurality) or more than half
(majority). Both are worked out and stored; plurality is the default (SCIENCE 3). Ties are unsure.

>>> summarise(Votes(good=2, bad=1, unsure=2)).category, summarise(Votes(good=2, bad=0, unsure=1)).category
('unsure', 'majority_relevant')
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import Literal

from backend.methods.consensus import LABELS, Verdict, Votes, majority

Category = Literal["fully_relevant", "majority_relevant", "unsure", "majority_non_relevant", "fully_non_relevant"]
Most = Literal["plurality", "majority"]
NAMES: dict[Verdict, tuple[Category, Category]] = {
    "good": ("fully_relevant", "majority_relevant"),
    "bad": ("fully_non_relevant", "majority_non_relevant"),
}
RelevanceRule = Literal["all", "most", "half"]


@dataclass(frozen=True)
class PairSummary:
    """`category` reads "most" as plurality, `category_by_majority` as more than half; None without votes. `entropy` is
    in bits, 0 where all agree."""

    votes: Votes
    shares: dict[Verdict, float]
    entropy: float | None
    label: Verdict | None
    category: Category | None
    category_by_majority: Category | None


def summarise(votes: Votes) -> PairSummary:
    """All of it from the votes."""
    shares = {label: votes.of(label) / votes.total for label in LABELS} if votes.total else {}
    entropy = -sum(share * log2(share) for share in shares.values() if share) + 0.0 if shares else None
    by = {most: categorise(votes, most=most) for most in ("plurality", "majority")}
    return PairSummary(votes, shares, entropy, majority(votes), by["plurality"], by["majority"])


def categorise(votes: Votes, *, most: str = "plurality") -> Category | None:
    """ConQA's category; None without votes. Raises ValueError on an unknown reading of "most"."""
    if most not in ("plurality", "majority"):
        raise ValueError(f'"Most" is read as plurality or majority, not as {most!r}.')
    if not votes.total:
        return None
    for label, (fully, mostly) in NAMES.items():
        n = votes.of(label)
        if n == votes.total:
            return fully
        if (2 * n > votes.total) if most == "majority" else (majority(votes) == label):
            return mostly
    return "unsure"


def is_relevant(votes: Votes, *, rule: RelevanceRule = "all") -> bool:
    """Whether ConQA's released code takes an image as relevant: `all` r > 0 and no other vote, which its evaluation
    uses; `most` r > n; `half` r >= n (r > 0)."""
    if rule == "all":
        return votes.good > 0 and votes.bad == votes.unsure == 0
    return votes.good > votes.bad if rule == "most" else votes.good >= votes.bad and votes.good > 0
