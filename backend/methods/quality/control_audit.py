"""Controls audit themselves: one that good annotators fail is wrong, or fails to be clear, and is quarantined.

Good at a control is who passed at least .8 of the *other* controls they met, three at least. Among them the fails are
binomial with the rate at which they fail all other controls; `score` is the share of the good who failed, with one
pass and one fail added so that one answer decides nothing. Quarantined is a control with score >= .5 and p < .01.

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


@dataclass(frozen=True)
class ControlAudit:
    """`n_good` good annotators answered the control and `n_failed` of them failed it."""

    control: str
    n_good: int
    n_failed: int
    score: float
    p_value: float
    is_quarantined: bool


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
