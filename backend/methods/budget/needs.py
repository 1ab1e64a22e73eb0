"""How many more votes a pair needs, as a distribution, from the votes it has.

Under fixed overlap that is what is missing. Under adaptive overlap the pair goes from state to state: the true label
has its posterior, the next annotator is right with the pool's `skill`, and so the next vote's chances are known, until
the stop rule stops. The rule believes in annotators with the skill `believed`, which their hidden controls gave them;
without controls that is 1/2, however good they are.

>>> Needs(Rule(min_votes=3, max_votes=3))(Votes(good=1))
(0.0, 0.0, 1.0)
>>> [round(chance, 3) for chance in Needs(Rule(1, 3, confidence=0.9, skill=0.9, believed=0.9))(Votes())]
[0.0, 1.0]
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, zip_longest

from backend.methods.aggregation.stop_rule import decide, label_posterior
from backend.methods.consensus import LABELS, Verdict, Votes

Chances = tuple[float, ...]
DONE: Chances = (1.0,)
NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class Rule:
    """When a pair has enough votes: at `min_votes` without a confidence, else as `stop_rule.decide` says."""

    min_votes: int
    max_votes: int
    confidence: float | None = None
    skill: float = 0.5
    believed: float = 0.5

    def is_done(self, votes: Votes) -> bool:
        if self.confidence is None:
            return votes.total >= self.min_votes
        voters = {label: [self.believed] * votes.of(label) for label in LABELS}
        said = decide(voters, confidence=self.confidence, min_votes=self.min_votes, max_votes=self.max_votes)
        return said.stop != "ask_another"


class Needs:
    """P(X = 0), P(X = 1) ... of the number X of votes that a pair in a state still needs. Remembers what it found."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self._known: dict[Votes, Chances] = {}

    def __call__(self, votes: Votes) -> Chances:
        if votes not in self._known:
            self._known[votes] = self._worked_out(votes)
        return self._known[votes]

    def _worked_out(self, votes: Votes) -> Chances:
        if self.rule.is_done(votes):
            return DONE
        if self.rule.confidence is None:
            return (*[0.0] * (self.rule.min_votes - votes.total), 1.0)
        odds = label_posterior({label: [self.rule.skill] * votes.of(label) for label in LABELS})
        chances: Chances = ()
        for label in LABELS:
            chance = self._chance_said(label, odds)
            later = self(replace(votes, **{label: votes.of(label) + 1}))
            chances = tuple(one + chance * other for one, other in zip_longest(chances, (0.0, *later), fillvalue=0.0))
        return chances

    def _chance_said(self, label: Verdict, odds: dict[Verdict, float]) -> float:
        wrong = (1 - self.rule.skill) / (len(LABELS) - 1)
        return odds[label] * self.rule.skill + (1 - odds[label]) * wrong


def most_of(needs: list[Chances]) -> Chances:
    """The same for the largest of several independent X: how often a page is still to be shown, for its pairs' sake.

    >>> most_of([(0.5, 0.5), (0.5, 0.5)])
    (0.25, 0.75)
    """
    longest = max(map(len, needs), default=1)
    below = [1.0] * longest
    for chances in needs:
        sums = [*accumulate(chances)]
        below = [one * (sums[at] if at < len(sums) else 1.0) for at, one in enumerate(below)]
    return tuple(upper - lower for lower, upper in zip([0.0, *below], below, strict=False))


@lru_cache(maxsize=4096)
def pages_until(needs: Chances, shown: tuple[float, ...]) -> Chances:
    """On which of the coming pages a pair has all it needs, where not every page shows it: `shown` holds each page's
    chance that it does, and its last is that of all pages after.

    >>> pages_until((0.0, 0.0, 1.0), (1.0,))
    (0.0, 0.0, 1.0)
    >>> [round(chance, 3) for chance in pages_until((0.0, 1.0), (1.0, 0.5))]
    [0.0, 1.0]
    """
    missing, chances = list(needs), [needs[0]]
    while sum(missing[1:]) > NEGLIGIBLE:
        chance = shown[min(len(chances), len(shown)) - 1]
        judged = [chance * some for some in missing]
        missing = [have - gone + more for have, gone, more in zip(missing, judged, [*judged[1:], 0.0], strict=True)]
        missing[0] += judged[0]  # who needs nothing stays there
        chances.append(judged[1] if len(judged) > 1 else 0.0)
    return tuple(chances)


def moments(chances: Chances) -> tuple[float, float]:
    """Mean and variance of X."""
    mean = sum(n * chance for n, chance in enumerate(chances))
    return mean, max(0.0, sum(n * n * chance for n, chance in enumerate(chances)) - mean**2)
