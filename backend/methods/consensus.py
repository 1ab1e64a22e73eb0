"""Majority consensus: the label that more people chose than any other.

Plurality with a strict maximum (SCIENCE 3): a label wins only when it has more votes than each of the two others, so
that `2 good, 1 bad, 2 unsure` is a tie. A tie has no label and waits for adjudication; it is never broken by chance or
by the order of the labels.

>>> majority(Votes(good=2, bad=1))
'good'
>>> majority(Votes(good=1, bad=1)) is None
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Verdict = Literal["good", "bad", "unsure"]
LABELS: tuple[Verdict, ...] = get_args(Verdict)  # in the order of the buttons
POLICY = "majority/1"


@dataclass(frozen=True)
class Votes:
    """How many people said what of one pair. Raises ValueError on a negative count."""

    good: int = 0
    bad: int = 0
    unsure: int = 0

    def __post_init__(self) -> None:
        if min(self.good, self.bad, self.unsure) < 0:
            raise ValueError(f"Votes cannot be negative: {self}.")

    @property
    def total(self) -> int:
        return self.good + self.bad + self.unsure

    def of(self, label: Verdict) -> int:
        counts: dict[Verdict, int] = {"good": self.good, "bad": self.bad, "unsure": self.unsure}
        return counts[label]


def majority(votes: Votes, *, min_votes: int = 1) -> Verdict | None:
    """The label with more votes than each other one; None on a tie, or below `min_votes` (at least 1) votes."""
    if votes.total < max(1, min_votes):
        return None
    most = max(votes.of(label) for label in LABELS)
    winners = [label for label in LABELS if votes.of(label) == most]
    return winners[0] if len(winners) == 1 else None
