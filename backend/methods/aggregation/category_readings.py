"""The category of a pair under each of the three readings of `unsure`, always all three (SCIENCE 3).

* value: unsure is a third answer, and "most" means more than each other one: `categorise` as it stands;
* missing: who is unsure said nothing;
* middle: unsure lies between bad and good, and the answer in the middle decides, as it does for ordered labels. With an
  even number of votes both middle ones must agree.

>>> votes = Votes(good=2, bad=1, unsure=2)
>>> [category_under(votes, reading) for reading in READINGS]
['unsure', 'majority_relevant', 'unsure']
"""

from __future__ import annotations

from typing import Literal, get_args

from backend.methods.aggregation.pair_summary import NAMES, Category, categorise
from backend.methods.consensus import Verdict, Votes

UnsureReading = Literal["value", "missing", "middle"]
READINGS: tuple[UnsureReading, ...] = get_args(UnsureReading)
ORDER: tuple[Verdict, ...] = ("bad", "unsure", "good")


def category_under(votes: Votes, reading: UnsureReading) -> Category | None:
    """ConQA's category under a reading; None where it leaves no vote."""
    if reading == "missing":
        return categorise(Votes(good=votes.good, bad=votes.bad))
    if reading == "value" or max(votes.good, votes.bad) == votes.total:
        return categorise(votes)
    middle = _middle(votes)
    return NAMES[middle][1] if middle in NAMES else "unsure"


def _middle(votes: Votes) -> Verdict | None:
    """The label in the middle of the ordered votes; None where the two in the middle differ."""
    said = [label for label in ORDER for _ in range(votes.of(label))]
    low, high = said[(len(said) - 1) // 2], said[len(said) // 2]
    return low if low == high else None
