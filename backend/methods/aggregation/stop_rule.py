"""When a pair has been judged often enough: the Bayesian rule, from how annotators did on controls.

An annotator with `correct` of `graded` controls is right with probability q = (K + correct) / (2 K + graded), K = 1/2,
and spreads their errors evenly over the other labels. P(label | votes) follows by Bayes from even odds. Judging stops
at the confidence asked for (usually .70 to .95), or at the most votes a pair may have.
Source: Toloka's dynamic overlap (PEERS, "Confidence stop rule").

>>> decide({"good": [annotator_skill(9, 10), annotator_skill(8, 10)]}, confidence=0.9).stop
'confident'
>>> decide({"good": [annotator_skill(9, 10)], "bad": [annotator_skill(8, 10)]}, confidence=0.9).stop
'ask_another'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Literal

from backend.methods.consensus import LABELS, Verdict

PRIOR_STRENGTH = 0.5
ROUNDING = 1e-9  # so that one vote of a skill of .9 reaches .9 whatever the floats say
Stop = Literal["confident", "most_votes", "ask_another"]


@dataclass(frozen=True)
class Decision:
    """The likeliest label, None at a tie, with its probability; all of them; and whether to ask another person."""

    label: Verdict | None
    confidence: float
    posterior: dict[Verdict, float]
    n_votes: int
    stop: Stop


def annotator_skill(correct: int, graded: int, *, strength: float = PRIOR_STRENGTH) -> float:
    """How likely an annotator is right: (K + correct) / (2 K + graded); 1/2 without a control.

    Raises ValueError on counts that cannot be.
    """
    if not 0 <= correct <= graded or strength <= 0:
        raise ValueError(f"{correct} of {graded} controls cannot be right.")
    return (strength + correct) / (2 * strength + graded)


def label_posterior(votes: Mapping[Verdict, Sequence[float]]) -> dict[Verdict, float]:
    """P(label | votes) for each of consensus.LABELS, from the skills of those who voted for it; even without votes.

    Raises ValueError on a skill that is not between 0 and 1, both exclusive: nobody is infallible.
    """
    skills = [skill for voters in votes.values() for skill in voters]
    if any(not 0 < skill < 1 for skill in skills):
        raise ValueError("A skill lies between 0 and 1, both exclusive.")
    wrong = sum(log((1 - skill) / (len(LABELS) - 1)) for skill in skills)
    scores = {label: wrong + sum(map(_gain, votes.get(label, ()))) for label in LABELS}
    most = max(scores.values())
    weights = {label: exp(score - most) for label, score in scores.items()}
    return {label: weight / sum(weights.values()) for label, weight in weights.items()}


def _gain(skill: float) -> float:
    """What a vote adds to the log odds of its label."""
    return log(skill * (len(LABELS) - 1) / (1 - skill))


def decide(
    votes: Mapping[Verdict, Sequence[float]], *, confidence: float = 0.9, min_votes: int = 1, max_votes: int = 5
) -> Decision:
    """Whether to ask another person. `votes` holds the skill of each voter by label.

    Raises ValueError on settings that no pair can meet.
    """
    if not 0 < confidence < 1 or not 1 <= min_votes <= max_votes:
        raise ValueError("The rule needs a confidence between 0 and 1 and at least as many votes at most as at least.")
    posterior = label_posterior(votes)
    best = max(posterior.values())
    winners = [label for label, share in posterior.items() if best - share < ROUNDING]
    n_votes = sum(map(len, votes.values()))
    stop: Stop = "ask_another"
    if n_votes >= max_votes:
        stop = "most_votes"
    if n_votes >= min_votes and best >= confidence - ROUNDING:
        stop = "confident"
    return Decision(winners[0] if len(winners) == 1 else None, best, posterior, n_votes, stop)
