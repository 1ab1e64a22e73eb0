"""The rules of a policy: what each collector meets, which action wins, and what a fault is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.quality import (
    COLLECTORS,
    InvalidRules,
    Pool,
    Record,
    Rule,
    Turn,
    default_rules,
    findings_of,
    live_outcome,
    outcome_of,
    read_rules,
)
from backend.methods.quality.controls import Grade

LENIENT = {"control_failures": 0.9}
FRESH = Pool(floor=1.0, dissent=0.1)


def rule(collector: str, action: str = "warn", **condition: Any) -> Rule:
    return read_rules([{"collector": collector, "condition": condition, "action": action}])[0]


def graded(failed: int, passed: int = 0, unsure: int = 0) -> Record:
    grades: list[Grade] = ["failed"] * failed + ["passed"] * passed + ["unsure"] * unsure
    return Record([Turn(grades=tuple(grades))])


def met(one: Rule, record: Record, pool: Pool = FRESH) -> bool:
    return bool(findings_of([one], record, pool))


@pytest.mark.parametrize(
    ("failed", "passed", "is_met"), [(7, 3, True), (6, 3, False), (2, 1, False), (3, 1, True), (1, 0, False)]
)
def test_the_worked_cases_of_exclusion(failed: int, passed: int, is_met: bool) -> None:
    default = next(each for each in default_rules() if each.action == "exclude")
    assert default.collector == "control_failures"
    assert met(default, graded(failed, passed)) is is_met
    assert met(default, graded(failed, passed, unsure=9)) is is_met


def test_who_failed_nothing_meets_no_threshold_however_low() -> None:
    """One below what is taken for rounding excluded them."""
    lowest = rule("control_failures", "exclude", threshold=1e-10, min_n=1)
    assert not met(lowest, graded(0, 4))
    assert met(lowest, graded(1, 99))


def test_a_default_policy_never_excludes_by_what_is_merely_unusual() -> None:
    assert {each.collector for each in default_rules() if each.action == "exclude"} == {"control_failures"}
    assert {each.collector for each in default_rules()} == set(COLLECTORS)
    assert read_rules([each.as_json() for each in default_rules()]) == default_rules()


def test_a_whole_page_of_one_answer_is_unusual_only_where_others_differ() -> None:
    mixed, alike = np.array([[4, 0, 0], [0, 4, 0], [2, 2, 0]]), np.array([[4, 0, 0]] * 3)
    lined = Record([Turn(labels=(0, 0, 0), others=mixed)] * 12)
    agreeing = Record([Turn(labels=(0, 0, 0), others=alike)] * 12)
    assert met(rule("straight_lining"), lined)
    assert not met(rule("straight_lining"), agreeing)


def test_fast_answers_are_told_from_the_pools_floor() -> None:
    assert met(rule("too_fast"), Record([Turn(seconds=(0.2,) * 60)]))
    assert not met(rule("too_fast"), Record([Turn(seconds=(2.0,) * 60)]))
    assert not met(rule("too_fast"), Record([Turn(seconds=(0.2,) * 60)]), Pool(floor=None))


def shuffled(n: int) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(5)
    return [tuple(map(int, rng.permutation(3))) for _ in range(n)]


def test_picking_a_button_by_its_place_is_found() -> None:
    picking = [Turn(labels=(order[0],), places=(at % 4,), options=order) for at, order in enumerate(shuffled(90))]
    assert met(rule("position_bias"), Record(picking))


def test_the_order_of_buttons_that_never_moved_accuses_nobody() -> None:
    fixed = [Turn(labels=(0,), places=(at % 4,), options=(0, 1, 2)) for at in range(90)]
    assert not met(rule("position_bias"), Record(fixed))


def test_a_label_that_follows_the_items_place_is_found() -> None:
    turns = [Turn(labels=(0, 0, 1, 1), places=(0, 1, 2, 3), options=(0, 1, 2))] * 30
    found = findings_of([rule("position_bias")], Record(turns), FRESH)
    assert found[0].evidence["of"] == "items"


def test_who_differs_from_clear_majorities_is_found_and_from_split_ones_not() -> None:
    clear, split = np.array([[5, 0, 0]] * 40), np.array([[2, 2, 0]] * 40)
    assert met(rule("disagreement"), Record([Turn(labels=(1,) * 40, others=clear)]))
    assert not met(rule("disagreement"), Record([Turn(labels=(1,) * 40, others=split)]))


def test_where_everybody_disagrees_nobody_stands_out() -> None:
    others = np.array([[5, 0, 0]] * 40)
    record = Record([Turn(labels=(1,) * 40, others=others)])
    assert not met(rule("disagreement"), record, Pool(dissent=0.6))


def test_serial_skippers_are_found() -> None:
    assert met(rule("skips"), Record(n_met=20, n_skipped=10))
    assert not met(rule("skips"), Record(n_met=19, n_skipped=19))


def test_a_window_holds_the_newest_hits() -> None:
    turns = [*graded(10).turns, *graded(0, passed=4).turns]
    assert met(rule("control_failures", threshold=0.7), Record(turns))
    assert not met(rule("control_failures", threshold=0.7, window=1), Record(turns))


def test_the_hardest_action_wins_and_a_review_is_only_a_flag() -> None:
    rules = [rule("control_failures", "warn", min_n=2), rule("control_failures", "exclude"), rule("skips", "review")]
    outcome = outcome_of(findings_of(rules, Record(graded(4).turns, n_met=20, n_skipped=20), FRESH))
    assert (outcome.state, outcome.needs_review, len(outcome.reasons)) == ("excluded", True, 1)
    only = outcome_of(findings_of(rules[2:], Record(n_met=20, n_skipped=20), FRESH))
    assert (only.state, only.needs_review, only.reasons) == ("active", True, ())


@pytest.mark.parametrize(
    ("n_graded", "n_failed", "state"), [(1, 1, "active"), (2, 2, "warned"), (4, 3, "paused"), (9, 6, "active")]
)
def test_counters_alone_warn_and_pause_but_never_exclude(n_graded: int, n_failed: int, state: str) -> None:
    assert live_outcome(default_rules(), n_graded=n_graded, n_failed=n_failed).state == state


def test_counters_cannot_tell_what_a_window_or_unsure_would() -> None:
    rules = [
        rule("control_failures", "exclude", window=5),
        rule("control_failures", "exclude", unsure_fails=True),
        rule("too_fast", "exclude"),
    ]
    assert live_outcome(rules, n_graded=50, n_failed=50).state == "active"


@pytest.mark.parametrize(
    ("given_rule", "sentence"),
    [
        ({"condition": {"threshold": 1.2}}, "Rule 1 (skips), threshold: enter a number above 0 and up to 1.0,"),
        ({"condition": {"min_n": 0}}, "Rule 1 (skips), min_n: enter a whole number from 1 to 100,000, not 0."),
        ({"condition": {"min_n": True}}, "Rule 1 (skips), min_n: enter a whole number"),
        ({"condition": {"window": 5}}, "Rule 1 (skips), window: remove it. This collector does not use it."),
        ({"condition": {"p_value": 0.01}}, "Rule 1 (skips), p_value: remove it. This collector does not use it."),
        ({"condition": {"unsure_fails": True}}, "Rule 1 (skips), unsure_fails: remove it."),
        ({"condition": {"limit": 1}}, "Rule 1 (skips), limit: remove it. A condition has only threshold, min_n,"),
        ({"condition": 3}, "Rule 1 (skips), condition: give an object of threshold, min_n, window, p_value,"),
        ({"action": "ban"}, "Rule 1 (skips), action: choose one of review, warn, pause, exclude, not 'ban'."),
        ({"why": "x"}, "Rule 1 (skips), why: remove it. A rule has only a collector, a condition and an action."),
        ({"collector": "disagreement", "action": "exclude"},
         "Rule 1 (disagreement), action: choose one of review, warn, pause, not 'exclude'."),
        ({"collector": None}, "Rule 1, collector: nothing is not one of control_failures,"),
        ({"collector": "control_failures", "condition": {"unsure_fails": 1}},
         "Rule 1 (control_failures), unsure_fails: enter true or false, not 1."),
    ],
)  # fmt: skip
def test_a_fault_names_its_rule_and_field(given_rule: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidRules) as refused:
        read_rules([{"collector": "skips", "condition": {}, "action": "review"} | given_rule])
    assert sentence in str(refused.value)
    assert len(refused.value.problems) == 1


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(InvalidRules) as refused:
        read_rules([{"collector": "skips", "condition": {"min_n": 0, "threshold": 2}, "action": "x"}, 7])
    assert len(refused.value.problems) == 4


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
CONDITION = st.dictionaries(st.sampled_from(["threshold", "min_n", "window", "p_value", "unsure_fails", "x"]), JSON)
RULE = st.fixed_dictionaries(
    {"collector": st.sampled_from([*COLLECTORS]) | JSON, "condition": CONDITION | JSON, "action": JSON}
)


@pytest.mark.nightly
@given(JSON | st.lists(RULE, max_size=4))
def test_anything_that_is_sent_is_read_or_refused_in_sentences(sent: Any) -> None:
    try:
        rules = read_rules(sent)
    except InvalidRules as refused:
        assert refused.problems
        assert all(problem.message.endswith(".") for problem in refused.problems)
    else:
        assert read_rules([each.as_json() for each in rules]) == rules
