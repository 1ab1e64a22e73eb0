"""How hard a caption is for models: each model of a panel votes, and the votes make easy, medium or hard.

A model votes yes where its score reaches its own threshold (calibration.py). v, the number of yes votes, makes the
category by a named policy. The paper publishes no cut points; `unanimous` is the one that its published shares fit
(SCIENCE 2.10: `0 | 1-6 | 7` of seven models solves hard = .20, easy = .252). The votes are always kept, so that any
other cut is a second binning and not a second run.

| policy | hard | medium | easy |
|---|---|---|---|
| unanimous | no model | some | every model |
| hard<=1 | at most one | some | every model |
| majority | most say no | - | most say yes; the tie-breaker decides an even split |

A model without a score casts no vote, and never a no: the pair is `unrated`.

>>> rate([True] * 7).category, rate([True] * 6 + [False]), rate([True, None]).category
('easy', Rating(category='medium', n_votes=6), 'unrated')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Category = Literal["easy", "medium", "hard", "unrated"]
Vote = bool | None
POLICIES = ("unanimous", "hard<=1", "majority")
HARD_UP_TO = {"unanimous": 0, "hard<=1": 1}


@dataclass(frozen=True)
class Rating:
    """A caption's category and its yes votes; an unrated one has no count, since some votes are not known."""

    category: Category
    n_votes: int | None


def vote(score: float | None, threshold: float) -> Vote:
    """Whether a model matches caption and picture: score >= threshold. None without a score."""
    return None if score is None else score >= threshold


def rate(votes: Sequence[Vote], *, policy: str = "unanimous", tie_breaker: int = -1) -> Rating:
    """The category that a panel's votes make; `tie_breaker` is the place of the model that decides an even split.

    Raises ValueError on an unknown policy and on a panel too small for it.
    """
    _refuse(policy, len(votes))
    known = [each for each in votes if each is not None]
    if len(known) < len(votes):
        return Rating("unrated", None)
    yes = sum(known)
    if policy == "majority":
        return Rating(_by_majority(yes, len(known), known[tie_breaker]), yes)
    return Rating(_by_cut(yes, len(known), HARD_UP_TO[policy]), yes)


def _refuse(policy: str, n_models: int) -> None:
    if policy not in POLICIES:
        raise ValueError(f"There is no policy {policy!r}; there are: {', '.join(POLICIES)}.")
    at_least = HARD_UP_TO.get(policy, 0) + 1
    if n_models < at_least:
        raise ValueError(f"The policy {policy} needs a panel of at least {at_least} models, not {n_models}.")


def _by_cut(yes: int, n_models: int, hard_up_to: int) -> Category:
    if yes <= hard_up_to:
        return "hard"
    return "easy" if yes == n_models else "medium"


def _by_majority(yes: int, n_models: int, decides: bool) -> Category:
    if 2 * yes == n_models:
        return "easy" if decides else "hard"
    return "easy" if 2 * yes > n_models else "hard"
