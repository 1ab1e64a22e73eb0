"""In which order a head annotator gets the cases of the review queue, and which pairs are in dispute.

The priority of a case is the weight of its strongest reason, plus:

* for a tie or low agreement, 0 to 99 points by the entropy of the votes;
* one point for each further reason, 9 at most.

The order of the weights: first people who wait (a reply, returned work that was changed, the gate), then pairs without
a label (a dispute, a tie), then signs of bad work, then comments, then what is only looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from backend.methods.consensus import LABELS, Votes

WEIGHTS = {
    "reply": 1200,
    "rework_done": 1100,
    "gate": 1000,  # first work of an annotator who waits for it
    "disputed": 900,
    "tie": 800,
    "low_agreement": 700,
    "failed_control": 600,
    "policy": 550,
    "comment": 500,
    "first_work": 400,
    "second_look": 300,
    "too_generic": 250,
    "edit": 200,
    "sample": 100,
}
UNCLEAR = ("tie", "low_agreement")
MOST_ENTROPY = log2(len(LABELS))
LOW_SHARE = 0.6  # of the votes for the most frequent answer
FEWEST_VOTES = 2  # one vote agrees with itself


def priority_of(codes: Sequence[str], *, entropy: float = 0.0, is_at_gate: bool = False) -> int:
    """The priority of a case with these reasons; 0 without reasons. Raises KeyError for an unknown reason.

    >>> priority_of(["sample", "tie"], entropy=1.0), priority_of(["first_work"], is_at_gate=True)
    (863, 1000)
    """
    names = ["gate" if code == "first_work" and is_at_gate else code for code in codes]
    points = (WEIGHTS[name] + (round(99 * entropy / MOST_ENTROPY) if name in UNCLEAR else 0) for name in names)
    return max(points, default=0) + min(9, max(0, len(names) - 1))


def is_tied(votes: Votes) -> bool:
    """Whether two labels or more have the most votes.

    >>> is_tied(Votes(2, 2, 1)), is_tied(Votes(2, 1, 1)), is_tied(Votes(1, 0, 0))
    (True, False, False)
    """
    counts = sorted(votes.of(label) for label in LABELS)
    return votes.total >= FEWEST_VOTES and counts[-1] == counts[-2]


def is_low(votes: Votes) -> bool:
    """Whether one label has the most votes, but fewer than 60% of them.

    >>> is_low(Votes(2, 1, 1)), is_low(Votes(2, 1, 0)), is_low(Votes(2, 2, 1))
    (True, False, False)
    """
    best = max(votes.of(label) for label in LABELS)
    return votes.total >= FEWEST_VOTES and not is_tied(votes) and best < LOW_SHARE * votes.total
