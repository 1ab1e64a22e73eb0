"""Controls audit themselves: one that good annotators fail is wrong, or fails to be clear, and is quarantined.

Good at a control is who passed at least .8 of the *other* controls they met, three at least. Among them the fails are
binomial with the rate at which they fail all other controls; `score` is the share of the good who failed, with one
pass and one fail added so that one answer decides nothing. Quarantined is a control with score >= .5 and p < .01.

Where a quarter of the controls are wrong, people who are always right pass three in four, and nobody is good: the audit
is blind, and says so (`Sight`). To forgive the controls that most people fail would show the wrong ones, and accuse the
right ones of a team that does not look, which fails the same.

>>> audit = audit_controls([("c0", f"a{n}", False) for n in range(6)]
...     + [(f"c{m}", f"a{n}", True) for m in range(1, 6) for n in range(6)])
>>> [each.control for each in audit if each.is_quarantined]
['c0']
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import binomtest

GOOD_FROM = 0.8
FEWEST_OTHERS = 3
QUARANTINE_SCORE = 0.5
QUARANTINE_P = 0.01
LEAST_RATE = 0.05  # nobody is infallible, so three slips alone accuse no control
FEWEST_MET = 5  # one slip leaves four in five
FEWEST_PEOPLE = 3
SEES_FROM = 0.2  # of the people: fewer who are good are so by luck, or met what is right alone


@dataclass(frozen=True)
class ControlAudit:
    """`n_good` good annotators answered the control and `n_failed` of them failed it."""

    control: str
    n_good: int
    n_failed: int
    score: float
    p_value: float
    is_quarantined: bool


@dataclass(frozen=True)
class Sight:
    """Of `n_people` who met five controls at least, `n_good` passed .8 of them.

    >>> sight_of([(8, 2)] * 4), sight_of([(8, 2)] * 4).is_blind
    (Sight(n_people=4, n_good=0), True)
    """

    n_people: int
    n_good: int

    @property
    def is_blind(self) -> bool:
        """Whether too few are good to accuse any control."""
        return self.n_people >= FEWEST_PEOPLE and self.n_good < SEES_FROM * self.n_people


def sight_of(scores: Iterable[tuple[int, int]]) -> Sight:
    """Controls graded and failed by each person, without the quarantined -> how far the audit sees."""
    able = [(graded, failed) for graded, failed in scores if graded >= FEWEST_MET]
    return Sight(len(able), sum(graded - failed >= GOOD_FROM * graded for graded, failed in able))


def audit_controls(graded: Iterable[tuple[str, str, bool]]) -> tuple[ControlAudit, ...]:
    """Graded answers (control, annotator, passed) -> an audit of each control, the most suspect first.

    Scores of annotators are to be worked out anew without the quarantined ones.
    """
    answers = list(graded)
    met: Counter[str] = Counter(annotator for _, annotator, _ in answers)
    passed: Counter[str] = Counter(annotator for _, annotator, is_passed in answers if is_passed)
    by_good: dict[str, list[bool]] = defaultdict(list)
    for control, annotator, is_passed in answers:
        others = met[annotator] - 1
        is_good = others >= FEWEST_OTHERS and passed[annotator] - is_passed >= GOOD_FROM * others
        by_good[control] += [is_passed] if is_good else []
    n_all, fails = sum(map(len, by_good.values())), sum(each.count(False) for each in by_good.values())
    audits = [_audit(control, those, n_all, fails) for control, those in by_good.items()]
    return tuple(sorted(audits, key=lambda each: (-each.score, each.p_value, each.control)))


def _audit(control: str, passes: list[bool], n_all: int, fails_of_all: int) -> ControlAudit:
    n, failed = len(passes), passes.count(False)
    rate = max(LEAST_RATE, (fails_of_all - failed) / (n_all - n)) if n_all > n else LEAST_RATE
    p_value = float(binomtest(failed, n, rate, alternative="greater").pvalue) if n else 1.0
    score = (failed + 1) / (n + 2)
    return ControlAudit(control, n, failed, score, p_value, score >= QUARANTINE_SCORE and p_value < QUARANTINE_P)
