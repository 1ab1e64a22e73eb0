"""Controls: who is excluded, by the fixtures of SCIENCE 3, and which control is wrong itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.consensus import Verdict
from backend.methods.quality import (
    COLLECTORS,
    ControlPolicy,
    ControlRecord,
    audit_controls,
    default_rules,
    grade,
    rate_controls,
    sight_of,
)

COUNT = st.integers(0, 60)


@pytest.mark.parametrize(
    ("failed", "graded", "rating"),
    [
        (7, 10, "excluded"),
        (6, 9, "kept"),
        (2, 3, "kept"),
        (3, 4, "excluded"),
        (14, 20, "excluded"),
        (21, 30, "excluded"),
        (1, 1, "too_few"),
        (2, 2, "too_few"),
        (3, 3, "too_few"),
        (0, 1, "kept"),
        (0, 0, "unvetted"),
    ],
)
def test_seventy_percent_failed_is_too_many_inclusive(failed: int, graded: int, rating: str) -> None:
    outcome = rate_controls(ControlRecord(n_passed=graded - failed, n_failed=failed))
    assert (outcome.rating, outcome.n_failed, outcome.n_graded) == (rating, failed, graded)
    assert outcome.fail_rate == (failed / graded if graded else None)


def test_unsure_is_not_graded_unless_the_policy_says_so() -> None:
    record = ControlRecord(n_passed=1, n_failed=1, n_unsure=3)
    assert rate_controls(record).n_graded == 2
    assert rate_controls(record).rating == "kept"
    assert rate_controls(record, ControlPolicy(unsure_fails=True)).rating == "excluded"
    assert rate_controls(ControlRecord(n_passed=1, n_failed=2, n_unsure=7)).rating == "kept"  # 2 of 3
    assert rate_controls(ControlRecord(n_unsure=4)).rating == "unvetted"


def test_the_letter_of_the_paper_is_a_policy_too() -> None:
    assert rate_controls(ControlRecord(n_failed=1), ControlPolicy(min_controls=1)).rating == "excluded"


def test_two_controls_are_enough_where_a_policy_says_two() -> None:
    """SCIENCE 3's own count: one of one is let be, two of two is not."""
    two = ControlPolicy(min_controls=2)
    assert rate_controls(ControlRecord(n_failed=1), two).rating == "too_few"
    assert rate_controls(ControlRecord(n_failed=2), two).rating == "excluded"


def test_the_default_rule_and_the_default_policy_are_one() -> None:
    policy, terms = ControlPolicy(), COLLECTORS["control_failures"]
    rules = {each.action: each for each in default_rules() if each.collector == "control_failures"}
    assert (terms.threshold, terms.min_n) == (policy.fail_rate, policy.min_controls)
    assert (rules["exclude"].threshold, rules["exclude"].min_n) == (policy.fail_rate, policy.min_controls)
    assert (rules["warn"].threshold, rules["warn"].min_n) == (policy.fail_rate, 2)


@given(COUNT, COUNT)
def test_the_rule_is_seven_tenths_in_whole_numbers(passed: int, failed: int) -> None:
    outcome = rate_controls(ControlRecord(passed, failed))
    assert (outcome.rating in ("excluded", "too_few")) == (passed + failed > 0 and 10 * failed >= 7 * (passed + failed))


@pytest.mark.parametrize(
    ("answer", "accepted", "expected"),
    [
        ("good", {"good"}, "passed"),
        ("bad", {"good"}, "failed"),
        ("unsure", {"good"}, "unsure"),
        ("unsure", {"bad", "unsure"}, "passed"),
        ("good", {"bad", "unsure"}, "failed"),
    ],
)
def test_a_control_accepts_a_set_of_answers(answer: Verdict, accepted: set[Verdict], expected: str) -> None:
    assert grade(answer, accepted) == expected


def test_impossible_controls_policies_and_records_are_refused() -> None:
    with pytest.raises(ValueError, match="one or two of the three"):
        grade("good", {"good", "bad", "unsure"})
    with pytest.raises(ValueError, match="above 0"):
        ControlPolicy(fail_rate=0)
    with pytest.raises(ValueError, match="cannot be negative"):
        rate_controls(ControlRecord(n_passed=-1))


def answered(n_controls: int, *failing: tuple[str, str], annotators: str = "abcdef") -> list[tuple[str, str, bool]]:
    """Everybody passes every control but for the named (control, annotator)."""
    return [
        (f"c{n}", annotator, (f"c{n}", annotator) not in failing) for n in range(n_controls) for annotator in annotators
    ]


def test_a_control_that_good_annotators_fail_is_quarantined_and_stands_first() -> None:
    audit = audit_controls(answered(8, *[("c3", annotator) for annotator in "abcde"]))
    assert [(each.control, each.n_good, each.n_failed) for each in audit if each.is_quarantined] == [("c3", 6, 5)]
    assert audit[0].control == "c3"
    assert audit[0].score == pytest.approx(6 / 8)


def test_an_annotator_who_fails_everything_accuses_no_control() -> None:
    audit = audit_controls(answered(8, *[(f"c{n}", "f") for n in range(8)]))
    assert not any(each.is_quarantined for each in audit)
    assert {each.n_good for each in audit} == {5}


def test_one_slip_of_one_good_annotator_accuses_no_control() -> None:
    assert not any(each.is_quarantined for each in audit_controls(answered(8, ("c0", "a"), annotators="a")))


def test_newcomers_with_few_controls_are_no_judges_of_controls() -> None:
    audit = audit_controls(answered(3, ("c0", "a"), ("c0", "b"), ("c0", "c")))
    assert {each.n_good for each in audit} == {0}
    assert not any(each.is_quarantined for each in audit)
    assert audit_controls([]) == ()


def graded_by(n_people: int, *, n_wrong: int, n_controls: int = 8) -> list[tuple[str, str, bool]]:
    """People who are always right, graded by controls of which some have wrong answers."""
    return [(f"c{c}", f"a{a}", c >= n_wrong) for c in range(n_controls) for a in range(n_people)]


@pytest.mark.parametrize(("n_wrong", "is_found", "is_blind"), [(0, False, False), (1, True, False), (2, False, True)])
def test_where_a_quarter_of_the_controls_are_wrong_the_audit_sees_nothing_and_says_so(
    n_wrong: int, is_found: bool, is_blind: bool
) -> None:
    assert any(each.is_quarantined for each in audit_controls(graded_by(6, n_wrong=n_wrong))) == is_found
    assert sight_of([(8, n_wrong)] * 6).is_blind == is_blind


@pytest.mark.parametrize(
    ("scores", "n_people", "n_good", "is_blind"),
    [
        ([], 0, 0, False),
        ([(8, 2)] * 2, 2, 0, False),
        ([(4, 1)] * 9, 0, 0, False),
        ([(5, 1)] * 3, 3, 3, False),
        ([(5, 2)] * 3, 3, 0, True),
        ([(9, 3)] * 4 + [(9, 0)], 5, 1, False),
        ([(9, 3)] * 5 + [(9, 0)], 6, 1, True),
    ],
)
def test_the_audit_is_blind_where_enough_people_met_enough_controls_and_hardly_any_is_good(
    scores: list[tuple[int, int]], n_people: int, n_good: int, is_blind: bool
) -> None:
    sight = sight_of(scores)
    assert (sight.n_people, sight.n_good, sight.is_blind) == (n_people, n_good, is_blind)
