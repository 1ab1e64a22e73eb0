"""Straight lines, places on the screen and speed: found where they are, and not where the items explain them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.methods.quality import (
    Answered,
    Pool,
    Record,
    Turn,
    default_rules,
    findings_of,
    floor_of,
    item_bias,
    option_bias,
    quick_of,
    straight_lining,
    too_fast,
)


def hits_of(dice: np.random.Generator, *, n: int, lines: bool) -> list[Answered]:
    """HITs of five captions, half of them good, three others' votes; the annotator agrees with 85% or draws a line."""
    found = []
    for _ in range(n):
        truth = dice.integers(0, 2, 5)
        others = np.stack([np.bincount(np.where(dice.random(3) < 0.85, each, 1 - each), minlength=3) for each in truth])
        said = np.zeros(5, dtype=int) if lines else np.where(dice.random(5) < 0.85, truth, 1 - truth)
        found.append(Answered(tuple(said.tolist()), others))
    return found


def test_the_same_answer_to_everything_is_found_in_a_few_hits() -> None:
    found = straight_lining(hits_of(np.random.default_rng(1), n=6, lines=True))
    assert (found.n_hits, found.n_uniform, found.longest_run) == (6, 6, 30)
    assert found.p_value is not None and found.p_value < 1e-4


@pytest.mark.nightly
def test_an_honest_annotator_is_accused_no_more_often_than_chance_allows() -> None:
    dice = np.random.default_rng(2)
    p_values = [straight_lining(hits_of(dice, n=20, lines=False)).p_value for _ in range(100)]
    assert sum(p is not None and p < 0.01 for p in p_values) <= 5


def mostly_good(dice: np.random.Generator, *, right: float, line: bool) -> list[Answered]:
    """Sixty HITs of three captions, nine in ten of them good, beside three people who are right nine times of ten."""
    found = []
    for _ in range(60):
        truth = (dice.random(3) > 0.9).astype(int)
        others = np.stack([np.bincount(np.where(dice.random(3) < 0.9, each, 1 - each), minlength=3) for each in truth])
        said = np.zeros(3, dtype=int) if line else np.where(dice.random(3) < right, truth, 1 - truth)
        found.append(Answered(tuple(said.tolist()), others))
    return found


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("right", "line", "fewest", "most"), [(0.9, False, 0, 1), (0.99, False, 0, 1), (1, True, 98, 100)]
)
def test_who_is_right_more_often_than_the_others_draws_no_line(
    right: float, line: bool, fewest: int, most: int
) -> None:
    """Where nearly all is good, who errs less has more pages of nothing but good."""
    dice = np.random.default_rng(3)
    p_values = [straight_lining(mostly_good(dice, right=right, line=line)).p_value for _ in range(100)]
    assert fewest <= sum(p is not None and p <= 0.001 for p in p_values) <= most


def test_five_good_captions_deserve_five_times_good() -> None:
    everybody = Answered((0,) * 5, np.tile([9, 0, 0], (5, 1)))
    assert straight_lining([everybody] * 400).p_value == 1.0


def test_short_hits_draw_no_line() -> None:
    found = straight_lining([Answered((0, 0), np.ones((2, 3), dtype=int))])
    assert (found.n_hits, found.p_value, found.longest_run) == (0, None, 2)
    assert straight_lining([]).p_value is None
    with pytest.raises(ValueError, match="votes of the others"):
        straight_lining([Answered((0,), np.ones((2, 3), dtype=int))])


def test_who_picks_a_place_is_found_by_chi_square_and_on_few_answers_by_the_binomial() -> None:
    many, few = option_bias([0] * 30 + [1] * 15 + [2] * 15, n_options=3), option_bias([0] * 9 + [2], n_options=3)
    assert (many.test, many.statistic, many.degrees) == ("chi_square", 7.5, 2)
    assert many.p_value == pytest.approx(0.023518, abs=1e-6)  # exp(-7.5 / 2)
    assert many.effect == pytest.approx((7.5 / 120) ** 0.5)
    assert (few.test, few.statistic) == ("binomial", 9)
    assert few.p_value == pytest.approx(3 * (10 * 2 + 1) / 3**10)


def test_who_reads_picks_every_place_whatever_the_labels_are() -> None:
    """Nine of ten are good; the place of "good" is drawn, so the places are even."""
    dice = np.random.default_rng(4)
    p_values = [option_bias(dice.integers(0, 3, 60).tolist(), n_options=3).p_value for _ in range(200)]
    assert 0.0 <= np.mean([p is not None and p < 0.05 for p in p_values]) < 0.1


def test_no_answers_tell_nothing_and_impossible_places_are_refused() -> None:
    assert option_bias([], n_options=3).p_value is None
    assert item_bias([], []).p_value is None
    with pytest.raises(ValueError, match="between 0 and 2"):
        option_bias([3], n_options=3)
    with pytest.raises(ValueError, match="place of its item"):
        item_bias([0], [])


def test_a_label_that_follows_the_items_place_is_found() -> None:
    places = list(range(5)) * 20
    tired = [0 if place < 3 else 2 for place in places]
    found = item_bias(places, tired)
    assert (found.test, found.effect) == ("chi_square", pytest.approx(1.0))
    assert found.p_value is not None and found.p_value < 1e-12
    dice = np.random.default_rng(6)
    assert (item_bias(places, dice.integers(0, 2, 100).tolist()).p_value or 0) > 0.01


def test_rare_labels_are_laid_together_before_chi_square_is_asked() -> None:
    places, labels = list(range(10)) * 3, [0] * 13 + [1] * 15 + [2] * 2
    found = item_bias(places, labels)
    assert (found.test, found.degrees) == ("chi_square", 1)
    assert item_bias([0, 1, 2], [0, 1, 2]).test == "none"
    assert item_bias([0, 1] * 30, [0] * 60).test == "none"


def test_who_answers_below_the_floor_is_too_fast() -> None:
    """Three times as quick as the middle person: five in a hundred are below, which says nothing."""
    rng = np.random.default_rng(8)
    people = [rng.lognormal(1.6, 0.5, 4000) for _ in range(5)]
    floor = floor_from(people)
    usual, quick = too_fast((people[0] / 3).tolist(), floor=floor), too_fast((people[0] / 9).tolist(), floor=floor)
    assert usual.n_below / usual.n == pytest.approx(0.05, abs=0.01)
    assert usual.p_value is not None and usual.p_value > 0.001
    assert quick.p_value is not None and quick.p_value < 1e-6
    assert usual.median == pytest.approx(np.median(people[0] / 3))


def floor_from(people: Sequence[NDArray[np.float64]]) -> float:
    floor = floor_of(quick for times in people if (quick := quick_of(times)) is not None)
    assert floor is not None
    return floor


def honest_people(rng: np.random.Generator, n: int, spread: float = 3.0) -> list[NDArray[np.float64]]:
    """Lognormal times; the slowest person's median is `spread` times that of the quickest, of captions half of which
    take up to three times as long."""
    paces = 2.5 * spread ** np.concatenate([[0.0, 1.0], rng.random(n - 2)])
    longer = rng.uniform(1, 3)
    return [
        pace * np.where(rng.random(each) < 0.5, 1.0, longer) * rng.lognormal(0, rng.uniform(0.3, 0.7), each)
        for pace, each in zip(paces, rng.integers(60, 400, n), strict=True)
    ]


def is_flagged(times: NDArray[np.float64], floor: float) -> bool:
    """By the default rule, over one long page."""
    rules = [rule for rule in default_rules() if rule.collector == "too_fast"]
    return bool(findings_of(rules, Record([Turn(seconds=tuple(times))]), Pool(floor=floor)))


@pytest.mark.nightly
def test_nobody_is_too_fast_among_people_who_look() -> None:
    rng = np.random.default_rng(11)
    for _ in range(400):
        people = honest_people(rng, int(rng.integers(2, 20)))
        floor = floor_from(people)
        assert not any(is_flagged(times, floor) for times in people)


BOTS: dict[str, Callable[[np.random.Generator, int], NDArray[np.float64]]] = {
    "constant": lambda rng, n: np.full(n, 0.2),
    "jittered": lambda rng, n: rng.uniform(0.15, 0.4, n),
    "no time at all": lambda rng, n: np.zeros(n),
}


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("n_bots", [1, 2, 3])
def test_bots_are_too_fast_however_much_of_the_work_is_theirs(kind: str, n_bots: int) -> None:
    """Alone or with others, against as many people and one more; up to half of all answers. No person is flagged."""
    rng = np.random.default_rng(n_bots)
    for share in (0.02, 0.05, 0.1, 0.3, 0.5):
        people = honest_people(rng, n_bots + 1 + int(rng.integers(0, 9)))
        each = max(60, int(share / (1 - share) * sum(map(len, people)) / n_bots))
        bots = [BOTS[kind](rng, each) for _ in range(n_bots)]
        floor = floor_from([*people, *bots])
        assert all(is_flagged(times, floor) for times in bots)
        assert not any(is_flagged(times, floor) for times in people)


def test_a_few_times_say_nothing_and_of_two_in_the_middle_the_slower_counts() -> None:
    assert quick_of([1.0] * 9) is None
    assert quick_of([9.0] * 9 + [4.0] * 3) == 4.0
    assert quick_of([9.0] * 10 + [4.0] * 3) == 9.0
    assert floor_of([]) is None
    assert floor_of([0.2, 6.0]) == 1.2


def test_equal_times_have_no_fast_one_and_no_times_tell_nothing() -> None:
    assert too_fast([2.0] * 30, floor=floor_from([np.full(30, 2.0)])).n_below == 0
    assert too_fast([], floor=1.0).p_value is None
    for times in ([-1.0], [float("nan")]):
        with pytest.raises(ValueError, match="none of them below zero"):
            quick_of(times)
