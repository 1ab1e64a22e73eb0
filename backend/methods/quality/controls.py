"""How an annotator did on controls, and whether that ends their judging.

fail rate = failed / graded; at .70 or more, inclusive, an annotator is excluded ("failing 70% or more of validation
tasks", ConQA section 3; SCIENCE 3). Below `min_controls` graded ones the rule waits, and says so where the letter of
the paper would have excluded already: one of one is 100%. Whoever met no control is unvetted, and kept: in ConQA that
was a third of the workers. Unsure on a control is neither right nor wrong, unless the policy counts it as a failure.

>>> rate_controls(ControlRecord(n_passed=3, n_failed=7)).rating, rate_controls(ControlRecord(3, 6)).rating
('excluded', 'kept')
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from backend.methods.consensus import Verdict

Grade = Literal["passed", "failed", "unsure"]
ControlRating = Literal["unvetted", "kept", "too_few", "excluded"]
FAIL_RATE = 0.70
WARN_FROM = 2  # graded controls; why these two, rules.py says
EXCLUDE_FROM = 4
ROUNDING = 1e-9  # so that 7 of 10 reach .70 whatever the floats say


@dataclass(frozen=True)
class ControlPolicy:
    """Raises ValueError on a rate that no annotator, or every one, would reach."""

    fail_rate: float = FAIL_RATE
    min_controls: int = EXCLUDE_FROM
    unsure_fails: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.fail_rate <= 1 or self.min_controls < 1:
            raise ValueError("A control policy needs a fail rate above 0 and up to 1, and at least one control.")


@dataclass(frozen=True)
class ControlRecord:
    """What an annotator answered to the controls they met."""

    n_passed: int = 0
    n_failed: int = 0
    n_unsure: int = 0


@dataclass(frozen=True)
class ControlResult:
    """`too_few` is kept, but failed as often as the rule says on fewer controls than it needs. No `fail_rate` without
    a graded control."""

    rating: ControlRating
    fail_rate: float | None
    n_failed: int
    n_graded: int


def grade(answer: Verdict, accepted: Collection[Verdict]) -> Grade:
    """Whether an answer is among those that a control accepts. Raises ValueError where it accepts none or all."""
    if not 0 < len(set(accepted)) < 3:
        raise ValueError("A control accepts one or two of the three labels.")
    if answer in accepted:
        return "passed"
    return "unsure" if answer == "unsure" else "failed"


def rate_controls(record: ControlRecord, policy: ControlPolicy | None = None) -> ControlResult:
    """What the policy says of an annotator. Raises ValueError on negative counts."""
    rule = policy or ControlPolicy()
    if min(record.n_passed, record.n_failed, record.n_unsure) < 0:
        raise ValueError(f"Counts of controls cannot be negative: {record}.")
    failed = record.n_failed + (record.n_unsure if rule.unsure_fails else 0)
    graded = record.n_passed + failed
    if not graded:
        return ControlResult("unvetted", None, failed, graded)
    if failed / graded < rule.fail_rate - ROUNDING:
        return ControlResult("kept", failed / graded, failed, graded)
    return ControlResult("excluded" if graded >= rule.min_controls else "too_few", failed / graded, failed, graded)
