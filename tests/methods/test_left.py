"""What is left, its interval, and the pace of work."""

from __future__ import annotations

import numpy as np
import pytest

from backend.methods.budget.left import NOTHING, Span, Work, left_of
from backend.methods.budget.pace import Timed, hours_of, pace_of

NONE = Work(0, 0)


def test_a_fixed_overlap_leaves_no_doubt() -> None:
    found = left_of(is_open=Work(6, 18), n_hits=3, extra=[NONE] * 5, most=NONE)
    assert (found.assignments, found.judgments) == (Span(6, 6, 6), Span(18, 18, 18))


def test_nothing_is_left_where_no_slot_is_open() -> None:
    found = left_of(is_open=NONE, n_hits=0, extra=[], most=Work(3, 9))
    assert (found.assignments, found.judgments) == (NOTHING, NOTHING)


def test_finished_hits_tell_what_unfinished_ones_will_need() -> None:
    """One of four came to need two more assignments of one pair."""
    extra = [Work(2, 2), NONE, NONE, NONE] * 100
    found = left_of(is_open=Work(40, 200), n_hits=20, extra=extra, most=Work(3, 15))
    assert found.assignments.mean == pytest.approx(40 + 20 * (200 + 3) / 402)
    assert found.judgments.mean == pytest.approx(200 + 20 * (200 + 15) / 402)
    assert 40 <= found.assignments.low < found.assignments.mean < found.assignments.high <= 100


def test_few_finished_hits_leave_more_doubt_than_many() -> None:
    spans = [
        left_of(is_open=NONE, n_hits=50, extra=[Work(1, 1), NONE] * n, most=Work(3, 3)).assignments for n in (2, 200)
    ]
    few, many = (span.high - span.low for span in spans)
    assert few > 2 * many


@pytest.mark.nightly
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_the_interval_holds_what_is_really_needed(share: float) -> None:
    random, held = np.random.default_rng(3), 0
    for seed in range(100):
        extra = [Work(float(n), float(n)) for n in random.binomial(3, share, size=60)]
        needed = random.binomial(3, share, size=40).sum()
        span = left_of(is_open=NONE, n_hits=40, extra=extra, most=Work(3, 3), seed=seed).assignments
        held += span.low <= needed <= span.high
    assert held >= 90


def test_one_seed_is_one_forecast() -> None:
    told = [left_of(is_open=NONE, n_hits=9, extra=[Work(1, 2), NONE], most=Work(2, 4), seed=seed) for seed in (1, 1)]
    assert told[0] == told[1]


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


def test_pages_that_hold_nothing_but_a_control_take_their_time_too() -> None:
    """HITs of one pair, of which a control takes the place on every third page: the hours were told a third too few."""
    timed = [Timed(6.0, 1, who) for who in (0, 1)] * 20 + [Timed(6.0, 0, who) for who in (0, 1)] * 10
    pace = pace_of(timed)
    assert pace is not None
    assert (pace.per_judgment.mean, pace.median_assignment, pace.n) == (pytest.approx(9), 6, 60)
    assert pace.per_judgment.low < 9 < pace.per_judgment.high
    assert pace_of([*timed[:19], *timed[40:]]) is None, "twenty with a judgment at least"


@pytest.mark.nightly
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


@pytest.mark.nightly
def test_the_interval_of_the_pace_covers_the_truth_as_often_as_it_says() -> None:
    dice = np.random.default_rng(8)
    covered = 0
    for seed in range(100):
        seconds = dice.lognormal(1, 0.6, size=(80, 5)).sum(axis=1)
        pace = pace_of([Timed(float(each), 5) for each in seconds], seed=seed)
        assert pace is not None
        covered += pace.per_judgment.low <= np.exp(1 + 0.18) <= pace.per_judgment.high
    assert covered >= 88
