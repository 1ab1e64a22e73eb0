"""The label and the category of a pair under each of the three readings of `unsure`, always all three (SCIENCE 3).

* value: unsure is a third answer, and "most" means more than each other one: `majority` and `categorise` as they stand;
* missing: who is unsure said nothing;
* middle: unsure lies between bad and good, and the answer in the middle decides, as it does for ordered labels. With an
  even number of votes both middle ones must agree.

A category is made from the label of its reading, so that the two can never tell different stories.

>>> votes = Votes(good=2, bad=1, unsure=2)
>>> [(each.label, each.category) for each in readings_of(votes)]
[(None, 'unsure'), ('good', 'majority_relevant'), ('unsure', 'unsure')]
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, get_args

from backend.methods.aggregation.pair_summary import NAMES, Category
from backend.methods.consensus import Verdict, Votes, majority

UnsureReading = Literal["value", "missing", "middle"]
READINGS: tuple[UnsureReading, ...] = get_args(UnsureReading)
ORDER: tuple[Verdict, ...] = ("bad", "unsure", "good")


@dataclass(frozen=True)
class PairReading:
    """What the votes on a pair come to under one reading; `label` is None on a tie, both where no vote is left."""

    reading: UnsureReading
    label: Verdict | None
    category: Category | None


def readings_of(votes: Votes) -> tuple[PairReading, ...]:
    """All three of them, in their order."""
    return tuple(PairReading(each, label_under(votes, each), category_under(votes, each)) for each in READINGS)


def label_under(votes: Votes, reading: UnsureReading) -> Verdict | None:
    """What most say under a reading, or who is in the middle; None on a tie, and where the reading leaves no vote."""
    return _middle(votes) if reading == "middle" else majority(_heard(votes, reading))


def category_under(votes: Votes, reading: UnsureReading) -> Category | None:
    """ConQA's category under a reading; None where it leaves no vote."""
    heard, label = _heard(votes, reading), label_under(votes, reading)
    if not heard.total:
        return None
    if label not in NAMES:  # most are unsure, or nothing is said by most
        return "unsure"
    fully, mostly = NAMES[label]
    return fully if heard.of(label) == heard.total else mostly


def _heard(votes: Votes, reading: UnsureReading) -> Votes:
    """The votes that say something under the reading."""
    return Votes(good=votes.good, bad=votes.bad) if reading == "missing" else votes


def _middle(votes: Votes) -> Verdict | None:
    """The label in the middle of the ordered votes; None without votes, and where the two in the middle differ."""
    if not votes.total:
        return None
    low, high = _at(votes, (votes.total - 1) // 2), _at(votes, votes.total // 2)
    return low if low == high else None


def _at(votes: Votes, place: int) -> Verdict:
    """Which of the ordered votes stands at a place; a file may tell of a billion, so that none is spelt out."""
    up_to = accumulate(votes.of(label) for label in ORDER)
    return next(label for label, n in zip(ORDER, up_to, strict=True) if place < n)
