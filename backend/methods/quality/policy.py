"""What a policy's rules find of one person, and the state that follows: pure, so that any version can be replayed.

Each collector measures a share or an effect over what the person did in the rule's window; a rule is met where enough
was seen, the threshold is reached, and the p-value, if the collector has one, is low enough. The hardest action of all
rules that are met wins: exclude, pause, warn; review only raises a flag.

>>> rules = (Rule("control_failures", "exclude", threshold=0.7, min_n=2),)
>>> turns = [Turn(grades=("failed", "passed")), Turn(grades=("failed", "failed"))]
>>> outcome_of(findings_of(rules, Record(turns), Pool())).state
'excluded'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.methods.quality.controls import ROUNDING, ControlPolicy, ControlRecord, Grade, rate_controls
from backend.methods.quality.disagreement import disagreement, wilson
from backend.methods.quality.position_bias import Bias, expected_places, item_bias, option_bias
from backend.methods.quality.rules import ACTIONS, Action, Collector, Rule
from backend.methods.quality.speed import too_fast
from backend.methods.quality.straight_lining import Answered, straight_lining

State = Literal["active", "warned", "paused", "excluded"]
STATES: dict[Action, State] = {"review": "active", "warn": "warned", "pause": "paused", "exclude": "excluded"}
N_LABELS = 3
DIGITS = 6  # of stored figures: what follows is the last bit of some library's sum

# To the annotator, by code: "rule_" and the collector. They name no figure: a count of failed controls would tell where
# the controls are.
SENTENCES: dict[str, str] = {
    "rule_control_failures": "Too many of your answers differ from the known correct answers.",
    "rule_too_fast": "Many of your answers came too fast to look at the items.",
    "rule_straight_lining": "You often gave all items of a task the same answer.",
    "rule_position_bias": "Your answers depend on the position on the screen more than on the items.",
    "rule_disagreement": "Your answers differ from most other answers more often than usual.",
    "rule_skips": "You skipped many of your tasks.",
}


def no_votes() -> NDArray[np.int64]:
    return np.zeros((0, N_LABELS), dtype=np.int64)


@dataclass(frozen=True)
class Turn:
    """One HIT as one person answered it: labels by place in LABELS, item by item, controls apart in `grades`.

    `places` are where the items stood from 0, `options` the labels in the order of the buttons (empty if unknown),
    `seconds` the focus times told, and `others` (items, 3) how many others gave each item each label.
    """

    labels: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    options: tuple[int, ...] = ()
    seconds: tuple[float, ...] = ()
    others: NDArray[np.int64] = field(default_factory=no_votes)
    grades: tuple[Grade, ...] = ()


@dataclass(frozen=True)
class Record:
    """What one person did, oldest turn first. `n_skipped` of `n_met` HITs were left to others."""

    turns: Sequence[Turn] = ()
    n_met: int = 0
    n_skipped: int = 0


@dataclass(frozen=True)
class Pool:
    """What all people together did: the floor of time in seconds (None while too few times are known), and the rate of
    dissent."""

    floor: float | None = None
    dissent: float = 0.0


@dataclass(frozen=True)
class Finding:
    """A rule that was met: its place among the rules, and the figures it was met by."""

    rule: int
    collector: Collector
    action: Action
    evidence: dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What the findings come to. `reasons` are codes of SENTENCES, or what a person wrote. A review gives none."""

    state: State = "active"
    needs_review: bool = False
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measured:
    """What a collector saw: `n` of what it counts, the share or effect, and further figures. None: nothing to tell."""

    n: int
    share: float | None
    p_value: float | None = None
    figures: dict[str, Any] = field(default_factory=dict)


def findings_of(rules: Sequence[Rule], record: Record, pool: Pool) -> tuple[Finding, ...]:
    """The rules that a person meets, in their order."""
    found = ((at, rule, MEASURES[rule.collector](rule, record, pool)) for at, rule in enumerate(rules))
    return tuple(
        Finding(at, rule.collector, rule.action, _evidence(rule, seen))
        for at, rule, seen in found
        if is_met(rule, seen)
    )


def is_met(rule: Rule, seen: Measured) -> bool:
    """Whether enough was seen, and it reaches the threshold, at the level of the rule. Nothing reaches none."""
    if not seen.share or seen.n < rule.min_n or seen.share < rule.threshold - ROUNDING:
        return False
    return rule.p_value is None or (seen.p_value is not None and seen.p_value <= rule.p_value)


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """The state that the hardest action makes, with a reason for each collector that acts on the person."""
    met = sorted(findings, key=lambda finding: (-ACTIONS.index(finding.action), finding.rule))
    acting = [finding for finding in met if finding.action != "review"]
    reasons = tuple(dict.fromkeys(f"rule_{finding.collector}" for finding in acting))
    state = STATES[acting[0].action] if acting else "active"
    return Outcome(state, any(finding.action == "review" for finding in met), reasons)


def live_outcome(rules: Sequence[Rule], *, n_graded: int, n_failed: int) -> Outcome:
    """What the counters of controls alone say, without waiting for a replay; nothing is read for it.

    Rules with a window, or in which unsure fails, cannot be told from two counters and wait for the replay. So does an
    exclusion: it takes judgments out of what counts, and until then the person is paused.
    """
    record = ControlRecord(n_passed=n_graded - n_failed, n_failed=n_failed)
    findings = []
    for at, rule in enumerate(rules):
        if rule.collector != "control_failures" or rule.window or rule.unsure_fails:
            continue
        seen = _graded(rule, record)
        action: Action = "pause" if rule.action == "exclude" else rule.action
        findings += [Finding(at, rule.collector, action, {})] if is_met(rule, seen) else []
    return outcome_of(findings)


def _evidence(rule: Rule, seen: Measured) -> dict[str, Any]:
    told = {"n": seen.n, "share": seen.share, "p_value": seen.p_value, **seen.figures}
    asked = {"threshold": rule.threshold, "min_n": rule.min_n, "window": rule.window, "level": rule.p_value}
    return {name: _rounded(value) for name, value in {**told, **asked}.items()}


def _rounded(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _in_window(rule: Rule, record: Record) -> Sequence[Turn]:
    return record.turns[-rule.window :] if rule.window else record.turns


def _control_failures(rule: Rule, record: Record, pool: Pool) -> Measured:
    grades = [grade for turn in _in_window(rule, record) for grade in turn.grades]
    return _graded(rule, ControlRecord(grades.count("passed"), grades.count("failed"), grades.count("unsure")))


def _graded(rule: Rule, record: ControlRecord) -> Measured:
    found = rate_controls(record, ControlPolicy(rule.threshold, rule.min_n, rule.unsure_fails))
    if found.fail_rate is None:
        return Measured(0, None)
    low, high = wilson(found.n_failed, found.n_graded)
    figures = {"n_failed": found.n_failed, "n_unsure": record.n_unsure, "low": low, "high": high}
    return Measured(found.n_graded, found.fail_rate, figures=figures)


def _too_fast(rule: Rule, record: Record, pool: Pool) -> Measured:
    seconds = [second for turn in _in_window(rule, record) for second in turn.seconds]
    if pool.floor is None or not seconds:
        return Measured(0, None)
    found = too_fast(seconds, floor=pool.floor)
    figures = {"n_below": found.n_below, "floor_seconds": found.floor, "median_seconds": found.median}
    return Measured(found.n, found.n_below / found.n, found.p_value, figures)


def _straight_lining(rule: Rule, record: Record, pool: Pool) -> Measured:
    found = straight_lining([Answered(turn.labels, turn.others) for turn in _in_window(rule, record)])
    if not found.n_hits:
        return Measured(0, None)
    figures = {"n_uniform": found.n_uniform, "expected": found.expected, "longest_run": found.longest_run}
    return Measured(found.n_hits, found.n_uniform / found.n_hits, found.p_value, figures)


def _position_bias(rule: Rule, record: Record, pool: Pool) -> Measured:
    """The stronger of the two biases; as two were looked for, its p-value is doubled."""
    turns = _in_window(rule, record)
    of_items = item_bias([at for turn in turns for at in turn.places], [at for turn in turns for at in turn.labels])
    looked = {"options": _option_bias(turns), "items": of_items}
    told = {name: bias for name, bias in looked.items() if bias.p_value is not None}
    if not told:
        return Measured(0, None)
    name = min(told, key=lambda each: (told[each].p_value, each))
    found = told[name]
    p_value = min(1.0, len(told) * (found.p_value or 0.0))
    return Measured(found.n, found.effect, p_value, {"of": name, "statistic": found.statistic, "test": found.test})


def _option_bias(turns: Sequence[Turn]) -> Bias:
    shown = [(label, turn.options) for turn in turns if len(turn.options) == N_LABELS for label in turn.labels]
    if not shown:
        return option_bias([], n_options=N_LABELS)
    expected = expected_places([label for label, _ in shown], [options for _, options in shown])
    places = [options.index(label) for label, options in shown]
    return option_bias(places, n_options=N_LABELS, expected=expected)


def _disagreement(rule: Rule, record: Record, pool: Pool) -> Measured:
    turns = _in_window(rule, record)
    votes = np.concatenate([turn.others for turn in turns]) if turns else no_votes()
    found = disagreement([at for turn in turns for at in turn.labels], votes, pool_rate=pool.dissent)
    figures = {"n_dissents": found.n_dissents, "low": found.low, "high": found.high, "pool_rate": found.pool_rate}
    return Measured(found.n, found.share, found.p_value, figures)


def _skips(rule: Rule, record: Record, pool: Pool) -> Measured:
    if not record.n_met:
        return Measured(0, None)
    return Measured(record.n_met, record.n_skipped / record.n_met, figures={"n_skipped": record.n_skipped})


MEASURES: dict[Collector, Callable[[Rule, Record, Pool], Measured]] = {
    "control_failures": _control_failures,
    "too_fast": _too_fast,
    "straight_lining": _straight_lining,
    "position_bias": _position_bias,
    "disagreement": _disagreement,
    "skips": _skips,
}
