"""Straight lines, places on the screen and speed: found where they are, and not where the items explain them."""

from __future__ import annotations

import numpy as np
import pytest

from backend.methods.quality import Answered, floor_of, item_bias, option_bias, straight_lining, too_fast


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


def test_an_honest_annotator_is_accused_no_more_often_than_chance_allows() -> None:
    dice = np.random.default_rng(2)
    p_values = [straight_lining(hits_of(dice, n=20, lines=False)).p_value for _ in range(100)]
    assert sum(p is not None and p < 0.01 for p in p_values) <= 5


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


def test_who_answers_below_the_pools_floor_is_too_fast() -> None:
    pool = np.random.default_rng(7).lognormal(1, 0.5, 4_000)
    floor = floor_of(pool)
    assert (pool < floor).mean() == pytest.approx(0.05, abs=0.002)
    fast, usual = too_fast((pool[:40] / 4).tolist(), floor=floor), too_fast(pool[:40].tolist(), floor=floor)
    assert fast.p_value is not None and fast.p_value < 1e-6
    assert usual.p_value is not None and usual.p_value > 0.05
    assert fast.median == pytest.approx(np.median(pool[:40]) / 4)


def test_a_pool_of_equal_times_has_no_fast_one_and_no_times_tell_nothing() -> None:
    assert too_fast([2.0] * 30, floor=floor_of([2.0] * 30)).n_below == 0
    assert too_fast([], floor=1.0).p_value is None
    for times in ([], [-1.0], [float("nan")]):
        with pytest.raises(ValueError, match="none of them below zero"):
            floor_of(times)
