"""How hard a caption is for models: each model of a panel votes, and the votes make easy, medium or hard.

A model votes yes where its score reaches its own threshold (calibration.py). v, the number of yes votes, makes the
category by a named policy. The paper publishes no cut points; `unanimous` is the one that its published shares fit
(SCIENCE 2.10: `0 | 1-6 | 7` of seven models solves hard = .20, easy = .252). The votes are always kept, so that any
other cut is a second binning and not a second run.

| policy | of seven models | hard | medium | easy |
|---|---|---|---|---|
| unanimous | 0, 1-6, 7 | no model | some | every model |
| hard<=1 | 0-1, 2-6, 7 | at most one | some | every model |
| easy>=n-1 | 0, 1-5, 6-7 | no model | some | all models, or all but one |
| hard<=1,easy>=n-1 | 0-1, 2-5, 6-7 | at most one | some | all models, or all but one |
| hard<=2,easy>=n-1 | 0-2, 3-5, 6-7 | at most two | some | all models, or all but one |
| hard<=2,easy>=n-2 | 0-2, 3-4, 5-7 | at most two | some | all models, or all but at most two |
| majority | 0-3, -, 4-7 | most say no | - | most say yes; the tie-breaker decides an even split |

A model without a score casts no vote, and never a no: the pair is `unrated`.

>>> rate([True] * 7).category, rate([True] * 6 + [False]), rate([True, None]).category
('easy', Rating(category='medium', n_votes=6), 'unrated')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Category = Literal["easy", "medium", "hard", "unrated"]
Vote = bool | None
CODES: tuple[Category, ...] = ("hard", "medium", "easy")  # in the order of the paper's figure 25: 0, 1, 2
CUTS = {  # at most so many yes votes are hard; at most so many no votes are easy
    "unanimous": (0, 0),
    "hard<=1": (1, 0),
    "easy>=n-1": (0, 1),
    "hard<=1,easy>=n-1": (1, 1),
    "hard<=2,easy>=n-1": (2, 1),
    "hard<=2,easy>=n-2": (2, 2),
}
MAJORITY = "majority"
POLICIES = (*CUTS, MAJORITY)
CARRIED = "postcards-"  # how the models that come with Connote are called; they were trained on drawings
DRAWN_BY = "Connote Postcards"  # the author of every image of the set that they were trained on


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
    check_policy(policy, len(votes))
    known = [each for each in votes if each is not None]
    if len(known) < len(votes):
        return Rating("unrated", None)
    yes = sum(known)
    return Rating(category_of(yes, len(known), bool(known[tie_breaker]), policy), yes)


def category_of(yes: int, n_models: int, tie_breaker_says: bool, policy: str) -> Category:
    """The category of `yes` votes of `n_models`, for a policy that suits the panel."""
    return CODES[int(codes_of(np.array([yes]), n_models, np.array([tie_breaker_says]), policy)[0])]


def codes_of(yes: NDArray[Any], n_models: int, tie_breaker_says: NDArray[Any], policy: str) -> NDArray[np.int64]:
    """The places in CODES of many captions, from their yes votes (n,) and what the tie-breaker says of each (n,)."""
    if policy == MAJORITY:
        is_easy = (2 * yes > n_models) | ((2 * yes == n_models) & tie_breaker_says.astype(bool))
        return np.where(is_easy, 2, 0)
    hard_up_to, easy_without = CUTS[policy]
    return np.where(yes <= hard_up_to, 0, np.where(yes >= n_models - easy_without, 2, 1))


def least_models(policy: str) -> int:
    """The smallest panel for a policy: hard and easy may not meet."""
    return sum(CUTS.get(policy, (0, 0))) + 1


def suits(policy: str, n_models: int) -> bool:
    """Whether a panel is large enough for a policy."""
    return n_models >= least_models(policy)


def cuts_of(policy: str, n_models: int) -> dict[Category, tuple[int, int] | None]:
    """The yes votes of each category, first and last; None where a category has none.

    >>> cuts_of("hard<=1,easy>=n-1", 7)
    {'hard': (0, 1), 'medium': (2, 5), 'easy': (6, 7)}
    """
    counts = np.arange(n_models + 1)
    codes = codes_of(counts, n_models, np.zeros(len(counts)), policy)
    held = [counts[codes == code] for code in range(len(CODES))]
    return {name: (int(some[0]), int(some[-1])) if len(some) else None for name, some in zip(CODES, held, strict=True)}


def check_policy(policy: str, n_models: int) -> None:
    """Raises ValueError where the policy is unknown or needs a larger panel."""
    if policy not in POLICIES:
        raise ValueError(f"There is no policy {policy!r}; there are: {', '.join(POLICIES)}.")
    if not suits(policy, n_models):
        raise ValueError(
            f"The policy {policy} needs a panel of at least {least_models(policy)} models, not {n_models}."
        )


def is_carried(model: str) -> bool:
    """Whether a model, by name or path, came with Connote."""
    return model.rpartition("/")[2].startswith(CARRIED)
