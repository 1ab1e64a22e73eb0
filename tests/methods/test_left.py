"""What is left, against drawing it out; the pool's skill against people who agree as the model says."""

from __future__ import annotations

import numpy as np
import pytest

from backend.methods.aggregation import decide
from backend.methods.assignment import controls_on_top
from backend.methods.budget import forecast
from backend.methods.budget.left import NOTHING, Span, UnfinishedHit, left_of_hits
from backend.methods.budget.needs import Needs, Rule, moments, most_of
from backend.methods.budget.pace import Timed, hours_of, pace_of
from backend.methods.budget.skill import ASSUMED, Graded, PoolSkill, believed_skill, pool_skill, skill_from_agreement
from backend.methods.consensus import LABELS, Votes

ADAPTIVE = Rule(min_votes=2, max_votes=5, confidence=0.9, skill=0.8, believed=0.75)


def turns_drawn(states: list[Votes], rule: Rule, dice: np.random.Generator) -> tuple[int, int]:
    """(judgments, assignments) of one HIT, each turn judging every pair that is still open."""
    pairs = []
    for start in states:
        known = {label: [rule.skill] * start.of(label) for label in LABELS}
        truth = dice.choice(3, p=list(decide(known, confidence=0.9).posterior.values()))
        pairs.append(([start.of(label) for label in LABELS], truth))
    judged = turns = 0
    while still := [pair for pair in pairs if not rule.is_done(Votes(*pair[0]))]:
        turns += 1
        for counts, truth in still:
            judged += 1
            wrong = [each for each in range(3) if each != truth]
            counts[truth if dice.random() < rule.skill else dice.choice(wrong)] += 1
    return judged, turns


def test_a_hit_is_shown_as_often_as_its_neediest_pair_is_judged() -> None:
    dice = np.random.default_rng(5)
    states = [Votes(), Votes(), Votes(), Votes()]
    drawn = np.array([turns_drawn(states, ADAPTIVE, dice) for _ in range(1_500)])
    left = left_of_hits([UnfinishedHit(2, {Votes(): 4})] * 100, [ADAPTIVE], n_places=200)
    for span, column in ((left.judgments, drawn[:, 0]), (left.assignments, drawn[:, 1])):
        assert span.mean / 100 == pytest.approx(column.mean(), abs=4 * column.std() / 1_500**0.5)
        assert (span.high - span.low) / (2 * 1.959964 * 10) == pytest.approx(column.std(), rel=0.12)


def pages_drawn(n_pairs: int, rule: Rule, rate: float, dice: np.random.Generator) -> int:
    """Pages of one HIT, each showing what is open but for a pair that a control takes the place of on a short one."""
    pairs = [([0, 0, 0], dice.choice(3)) for _ in range(n_pairs)]
    pages = 0
    while still := [pair for pair in pairs if not rule.is_done(Votes(*pair[0]))]:
        pages += 1
        if not controls_on_top(len(still), rate=rate) and dice.random() < len(still) * rate:
            still.pop(dice.integers(len(still)))
        for counts, truth in still:
            wrong = [each for each in range(3) if each != truth]
            counts[truth if dice.random() < rule.skill else dice.choice(wrong)] += 1
    return pages


@pytest.mark.parametrize(
    ("n_pairs", "rule", "rate"), [(2, Rule(3, 3), 0.15), (4, ADAPTIVE, 0.1), (8, ADAPTIVE, 0.1), (1, Rule(2, 2), 0.3)]
)
def test_pages_on_which_a_control_takes_the_place_of_a_pair_are_counted(n_pairs: int, rule: Rule, rate: float) -> None:
    dice = np.random.default_rng(8)
    drawn = np.array([pages_drawn(n_pairs, rule, rate, dice) for _ in range(2_000)])
    hits = [UnfinishedHit(rule.min_votes, {Votes(): n_pairs})] * 100
    n_places = 100 * rule.min_votes
    found = left_of_hits(hits, [rule], n_places=n_places, control_rate=rate)
    bare = left_of_hits(hits, [rule], n_places=n_places)
    assert found.assignments.mean / 100 == pytest.approx(drawn.mean(), rel=0.03)
    assert found.assignments.mean > 1.02 * bare.assignments.mean
    assert found.judgments == bare.judgments


def test_on_long_pages_controls_come_on_top_and_cost_no_page() -> None:
    hits = [UnfinishedHit(3, {Votes(): 10})] * 5
    found = left_of_hits(hits, [Rule(3, 3)], n_places=15, control_rate=0.1)
    assert found == left_of_hits(hits, [Rule(3, 3)], n_places=15)


def test_needs_have_the_moments_of_the_forecast_by_states() -> None:
    rule = Rule(min_votes=2, max_votes=6, confidence=0.9, skill=0.8, believed=0.8)
    needs = Needs(rule)
    assert sum(needs(Votes())) == pytest.approx(1)
    by_states = forecast({Votes(): 10}, skill=0.8, confidence=0.9, min_votes=2, max_votes=6)
    assert moments(needs(Votes()))[0] * 10 == pytest.approx(by_states.mean)


def test_the_largest_of_needs_is_that_of_all_combinations() -> None:
    first, second = (0.2, 0.5, 0.3), (0.6, 0.4)
    by_hand = [0.0, 0.0, 0.0]
    for one, chance in enumerate(first):
        for other, beside in enumerate(second):
            by_hand[max(one, other)] += chance * beside
    assert most_of([first, second]) == pytest.approx(by_hand)
    assert most_of([]) == (1.0,)


def test_fixed_overlap_leaves_no_doubt() -> None:
    hits = [UnfinishedHit(2, {Votes(good=1): 3, Votes(1, 1): 1}), UnfinishedHit(3, {Votes(): 4})]
    left = left_of_hits(hits, [Rule(3, 3)], n_places=5)
    assert left.judgments == Span(19.0, 19.0, 19.0)
    assert left.assignments == Span(5.0, 5.0, 5.0)
    assert left.n_hits == 2


def test_a_draw_of_hits_stands_for_all_and_its_interval_covers_them() -> None:
    dice = np.random.default_rng(3)
    everything = [
        UnfinishedHit(2, {Votes(int(n), 0, 0): int(k)}) for n, k in dice.integers((0, 1), (2, 9), size=(4_000, 2))
    ]
    whole = left_of_hits(everything, [ADAPTIVE], n_places=8_000).judgments
    covered = 0
    for _ in range(40):
        drawn = [everything[at] for at in dice.choice(4_000, size=400, replace=False)]
        found = left_of_hits(drawn, [ADAPTIVE], n_places=8_000)
        assert found.n_hits == pytest.approx(4_000)
        covered += found.judgments.low <= whole.mean <= found.judgments.high
    assert covered >= 35


def test_the_interval_grows_with_doubt_about_skill_and_keeps_to_what_is_possible() -> None:
    hits = [UnfinishedHit(2, {Votes(): 5})] * 30
    sure = left_of_hits(hits, [ADAPTIVE], n_places=60).judgments
    doubts = [ADAPTIVE, Rule(2, 5, 0.9, 0.6, 0.75), Rule(2, 5, 0.9, 0.95, 0.75)]
    unsure = left_of_hits(hits, doubts, n_places=60).judgments
    assert unsure.mean == sure.mean
    assert unsure.low < sure.low < sure.high < unsure.high
    alone = left_of_hits(hits[:1], doubts, n_places=2, level=0.999999)
    assert (alone.assignments.low, alone.assignments.high) == (2, 5)


def test_an_open_pair_is_judged_once_more_whatever_the_mean_skill_says() -> None:
    left = left_of_hits([UnfinishedHit(1, {Votes(good=4): 1})], [ADAPTIVE], n_places=1)
    assert (left.judgments.mean, left.assignments.mean) == (1, 1)


def test_nothing_is_left_where_no_place_is_open() -> None:
    assert left_of_hits([], [ADAPTIVE], n_places=0).assignments == NOTHING
    with pytest.raises(ValueError, match="no HIT that has one was drawn"):
        left_of_hits([], [ADAPTIVE], n_places=3)
    with pytest.raises(ValueError, match="level lies between"):
        left_of_hits([], [ADAPTIVE], n_places=0, level=0)


@pytest.mark.parametrize("skill", [0.5, 0.8, 0.95])
def test_skill_is_found_again_in_how_often_people_agree(skill: float) -> None:
    dice = np.random.default_rng(2)
    truth = dice.integers(3, size=20_000)
    said = [np.where(dice.random(20_000) < skill, truth, (truth + dice.integers(1, 3, 20_000)) % 3) for _ in "ab"]
    found = skill_from_agreement(int((said[0] == said[1]).sum()), 20_000)
    assert found.low <= skill <= found.high
    assert found.high - found.low < 0.04


def test_controls_come_first_then_agreement_then_an_assumption() -> None:
    graded = [Graded(15, 3, 4), Graded(5, 1, 1)]
    assert pool_skill(graded, n_equal=0, n_twos=0).source == "controls"
    assert pool_skill(graded, n_equal=0, n_twos=0).value == pytest.approx(16.5 / 21, abs=0.001)
    few = [Graded(2, 0, 1)]
    assert pool_skill(few, n_equal=60, n_twos=90).source == "agreement"
    assumed = pool_skill(few, n_equal=1, n_twos=1)
    assert ((assumed.value, assumed.low, assumed.high), assumed.source) == (ASSUMED, "assumed")


def test_people_who_agree_less_than_by_chance_are_taken_for_guessing() -> None:
    assert skill_from_agreement(10, 100).value == 0.34


def test_the_stop_rule_believes_in_nobody_without_controls() -> None:
    assert believed_skill([]) == 0.5
    assert believed_skill([Graded(0, 0, 30)]) == 0.5
    assert believed_skill([Graded(9, 0, 3), Graded(0, 0, 1)]) == pytest.approx((3 * 0.95 + 0.5) / 4, abs=0.001)


def test_where_controls_are_to_come_the_rule_learns_whom_to_believe() -> None:
    pool = PoolSkill(0.8, 0.6, 0.95, "assumed", 0)
    assert believed_skill([], to_come=pool) == pytest.approx((0.5 + 0.8) / 2)
    assert believed_skill([Graded(0, 0, 30)], to_come=pool) == pytest.approx((0.5 + 0.8) / 2)
    assert believed_skill([Graded(99, 9, 30)], to_come=pool) == pytest.approx(
        believed_skill([Graded(99, 9, 30)]), abs=0.002
    )


def test_pace_is_time_by_judgment_with_controls_in_it() -> None:
    timed = [Timed(seconds=60.0, n_judgments=10), Timed(seconds=24.0, n_judgments=4)] * 15
    pace = pace_of(timed)
    assert pace is not None
    assert pace.per_judgment == Span(pytest.approx(6), pytest.approx(6), pytest.approx(6))
    assert (pace.median_assignment, pace.n) == (42.0, 30)
    assert pace_of(timed[:19]) is None
    hours = hours_of(Span(600, 540, 660), pace)
    assert (hours.mean, hours.low, hours.high) == pytest.approx((1, 0.9, 1.1))
    assert hours_of(NOTHING, pace) == NOTHING


@pytest.mark.parametrize("n_to_come", [20, 80, 800])
def test_hours_cover_what_the_pages_to_come_take_as_often_as_they_say(n_to_come: int) -> None:
    """People differ, and so do pages: the mean of pages to come is not that of all pages there could be."""
    dice = np.random.default_rng(8)
    covered = 0
    for seed in range(200):
        seconds = dice.lognormal(1, 0.6, size=(80 + n_to_come, 5)).sum(axis=1) * dice.uniform(0.5, 1.5, 80 + n_to_come)
        pace = pace_of([Timed(float(each), 5) for each in seconds[:80]], seed=seed)
        assert pace is not None
        hours = hours_of(Span(5 * n_to_come, 5 * n_to_come, 5 * n_to_come), pace)
        covered += hours.low <= seconds[80:].sum() / 3600 <= hours.high
    assert 180 <= covered <= 198


def test_the_interval_of_the_pace_covers_the_truth_as_often_as_it_says() -> None:
    dice = np.random.default_rng(8)
    covered = 0
    for seed in range(100):
        seconds = dice.lognormal(1, 0.6, size=(80, 5)).sum(axis=1)
        pace = pace_of([Timed(float(each), 5) for each in seconds], seed=seed)
        assert pace is not None
        covered += pace.per_judgment.low <= np.exp(1 + 0.18) <= pace.per_judgment.high
    assert covered >= 88
