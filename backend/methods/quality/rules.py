"""The grammar of a quality policy: rules of a collector, a condition and an action.

A rule is met where a person shows at least `min_n` of what the collector counts, the share or effect found reaches
`threshold`, and, where the collector has one, its p-value is no higher than `p_value`. `window` takes the last so many
HITs only; null takes all.

Why the defaults are what they are:
* control_failures excludes from 70% failed (ConQA section 3) of 4 graded, and warns from 2, where SCIENCE 3 has the
  rule begin to speak: nobody is excluded unwarned (PEERS, "warn before block"). Platforms advise five before a ban;
  four is the most on which all worked cases of SCIENCE 3 come out as written (3 of 4 is excluded). Both figures are
  those of controls.py.
* Every other collector asks for a review, or warns: none knows what is right, each only knows what is unusual. Their
  p-values are of one look at one person, so that the level is a thousandth.
* disagreement may not exclude. Where a picture has several readings, the one who differs may be the one who looked.

>>> read_rules([{"collector": "control_failures", "condition": {}, "action": "exclude"}])[0].threshold
0.7
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from backend.methods.quality.controls import EXCLUDE_FROM, FAIL_RATE, WARN_FROM
from backend.methods.said import Said, Value

Collector = Literal["control_failures", "too_fast", "straight_lining", "position_bias", "disagreement", "skips"]
Action = Literal["review", "warn", "pause", "exclude"]
ACTIONS: tuple[Action, ...] = get_args(Action)  # from the mildest to the hardest
COLLECTOR_NAMES: tuple[Collector, ...] = get_args(Collector)
CONDITION = ("threshold", "min_n", "window", "p_value", "unsure_fails")
MOST_RULES = 30
MOST_N = 100_000
LOOSEST_P = 0.05


@dataclass(frozen=True)
class Terms:
    """What one collector measures, its defaults, and what a rule may set. A default of None: it has no such field."""

    label: str
    share_of: str
    counts: str
    threshold: float
    min_n: int
    action: Action
    window: int | None = None
    p_value: float | None = None
    has_window: bool = True
    has_unsure: bool = False
    actions: tuple[Action, ...] = ACTIONS


COLLECTORS: dict[Collector, Terms] = {
    "control_failures": Terms(
        "Fails test questions", "share of test questions failed", "test questions answered", FAIL_RATE, EXCLUDE_FROM,
        "exclude", has_unsure=True,
    ),
    "too_fast": Terms(
        "Answers too fast",
        "share of answers in less than a fifth of the usual fast time",
        "answers with a time", 0.2, 50, "warn", window=200, p_value=0.001,
    ),
    "straight_lining": Terms(
        "Gives the same answer to whole tasks", "share of tasks of three items or more with only one answer",
        "tasks of three items or more",
        0.5, 10, "review", window=200, p_value=0.001,
    ),
    "position_bias": Terms(
        "Depends on the position on the screen", "Cramer's V between position and answer", "answers", 0.3, 50, "review",
        window=200, p_value=0.001,
    ),
    "disagreement": Terms(
        "Disagrees with most others", "share of answers that most others did not give", "answers compared", 0.4, 30,
        "review", window=200, p_value=0.001, actions=("review", "warn", "pause"),
    ),
    "skips": Terms(
        "Skips many tasks", "share of tasks skipped", "tasks received", 0.5, 20, "review",
        has_window=False,
    ),
}  # fmt: skip


class InvalidRules(ValueError):
    """Rules that cannot be used: `problems` holds one sentence for each fault. It names the rule and the field."""

    def __init__(self, problems: list[Said]) -> None:
        self.problems = problems
        super().__init__(" ".join(problem.message for problem in problems))


@dataclass(frozen=True)
class Rule:
    """One rule, complete. `window` and `p_value` are None where the rule takes all, or its collector has none."""

    collector: Collector
    action: Action
    threshold: float
    min_n: int
    window: int | None = None
    p_value: float | None = None
    unsure_fails: bool = False

    def as_json(self) -> dict[str, Any]:
        """The rule as it is stored and sent: every field of the condition is there."""
        told = asdict(self)
        collector, action = told.pop("collector"), told.pop("action")
        return {"collector": collector, "condition": told, "action": action}


def read_rules(given: object) -> tuple[Rule, ...]:
    """Rules as they were sent, checked and completed with the defaults. Raises InvalidRules with every fault found."""
    if not isinstance(given, list) or len(given) > MOST_RULES:
        too_many = "Send a list of at most {most} rules, each with a collector, a condition and an action."
        raise InvalidRules([Said("rules_too_many", too_many, {"most": MOST_RULES})])
    problems: list[Said] = []
    rules = [rule for number, one in enumerate(given, 1) if (rule := _read_rule(number, one, problems))]
    if not problems and len(set(rules)) < len(rules):
        twice = next(at for at, rule in enumerate(rules, 1) if rule in rules[: at - 1])
        same = "Rule {number} ({collector}): the same rule exists twice. Remove one."
        problems.append(Said("rule_twice", same, {"number": twice, "collector": rules[twice - 1].collector}))
    if problems:
        raise InvalidRules(problems)
    return tuple(rules)


def default_rules() -> tuple[Rule, ...]:
    """What a new policy begins with: a warning before the exclusion, and each collector's own default."""
    warned = Rule("control_failures", "warn", threshold=FAIL_RATE, min_n=WARN_FROM)
    return (warned, *(_default(collector, terms.action) for collector, terms in COLLECTORS.items()))


def _default(collector: Collector, action: Action) -> Rule:
    terms = COLLECTORS[collector]
    return Rule(collector, action, terms.threshold, terms.min_n, terms.window, terms.p_value)


def _read_rule(number: int, given: object, problems: list[Said]) -> Rule | None:
    if not isinstance(given, Mapping):
        incomplete = "Rule {number}: give a collector, a condition and an action."
        problems.append(Said("rule_incomplete", incomplete, {"number": number}))
        return None
    collector = given.get("collector")
    if collector not in COLLECTOR_NAMES:
        named: dict[str, Value] = {"number": number, "value": _shown(collector), "known": ", ".join(COLLECTORS)}
        problems.append(Said("rule_collector", "Rule {number}, collector: {value} is not one of {known}.", named))
        return None
    return _Reader(number, collector, problems).read(given)


def _shown(value: object) -> str:
    return repr(value)[:60] if value is not None else "nothing"


@dataclass(frozen=True)
class _Reader:
    """Reads one rule of a known collector, and notes what is wrong with it."""

    number: int
    collector: Collector
    problems: list[Said]

    @property
    def terms(self) -> Terms:
        return COLLECTORS[self.collector]

    def read(self, given: Mapping[str, Any]) -> Rule | None:
        before = len(self.problems)
        condition = given.get("condition", {})
        if not isinstance(condition, Mapping):
            self._fault("rule_condition", "condition", "give an object of {known}", known=", ".join(CONDITION))
            return None
        self._check_names(given, condition)
        action = given.get("action", self.terms.action)
        if action not in self.terms.actions:
            known = ", ".join(self.terms.actions)
            self._fault(
                "rule_action", "action", "choose one of {known}, not {value}", known=known, value=_shown(action)
            )
        rule = self._rule(condition, action)
        return rule if len(self.problems) == before else None

    def _rule(self, condition: Mapping[str, Any], action: Action) -> Rule:
        terms = self.terms
        return Rule(
            self.collector,
            action,
            threshold=self._share(condition, "threshold", terms.threshold, 1.0),
            min_n=self._count(condition, "min_n", terms.min_n) or 0,
            window=self._count(condition, "window", terms.window) if terms.has_window else None,
            p_value=self._share(condition, "p_value", terms.p_value, LOOSEST_P) if terms.p_value else None,
            unsure_fails=self._flag(condition),
        )

    def _check_names(self, given: Mapping[str, Any], condition: Mapping[str, Any]) -> None:
        for name in sorted(set(given) - {"collector", "condition", "action"}, key=str):
            extra = "remove it. A rule has only a collector, a condition and an action"
            self._fault("rule_extra_part", str(name), extra)
        for name in sorted(set(condition) - set(CONDITION), key=str):
            extra = "remove it. A condition has only {known}"
            self._fault("rule_extra_condition", str(name), extra, known=", ".join(CONDITION))
        lacks = (
            ("window", not self.terms.has_window),
            ("p_value", self.terms.p_value is None),
            ("unsure_fails", not self.terms.has_unsure),
        )
        for name, is_lacking in lacks:
            if is_lacking and condition.get(name):
                self._fault("rule_not_used", name, "remove it. This collector does not use it")

    def _share(self, condition: Mapping[str, Any], name: str, default: Any, most: float) -> Any:
        value = condition.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            wanted = "enter a number above 0 and up to {most}, not {value}"
            return self._fault("rule_share", name, wanted, most=most, value=_shown(value))
        return float(value)

    def _count(self, condition: Mapping[str, Any], name: str, default: int | None) -> int | None:
        value = condition.get(name, default)
        if value is None and name == "window":
            return None
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_N:
            wanted = "enter a whole number from 1 to {most}, not {value}"
            self._fault("rule_count", name, wanted, most=MOST_N, value=_shown(value))
            return default
        return value

    def _flag(self, condition: Mapping[str, Any]) -> bool:
        value = condition.get("unsure_fails")
        if value is not None and not isinstance(value, bool):
            wanted = "enter true or false, not {value}"
            self._fault("rule_flag", "unsure_fails", wanted, value=_shown(value))
        return value is True

    def _fault(self, code: str, field: str, what: str, **values: Value) -> None:
        template = f"Rule {{number}} ({{collector}}), {{field}}: {what}."
        named = {"number": self.number, "collector": self.collector, "field": field}
        self.problems.append(Said(code, template, {**named, **values}))
