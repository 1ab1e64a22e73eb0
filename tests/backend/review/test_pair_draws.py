"""Intervals of every two annotators as they are kept: packed, of the largest pairs, each with why where it has none."""

from __future__ import annotations

import numpy as np
import pytest

from backend.review import annotators, pair_draws
from rated_tables import judgments_of


def test_of_more_pairs_than_are_drawn_the_smallest_say_why_they_have_no_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dice = np.random.default_rng(2)
    said = np.where(dice.random((4, 90)) < [[0.1], [0.2], [0.3], [0.8]], -1, dice.integers(0, 3, (4, 90)))
    monkeypatch.setattr(pair_draws, "MOST_DRAWN", 3)
    people, clusters = np.array([11, 12, 13, 14]), np.arange(90) // 3
    drawn = pair_draws.draw_pairs(judgments_of(said), people=people, clusters=clusters)
    for reading, weights in pair_draws.READ_AS:
        found = pair_draws.intervals_of(drawn, reading, weights)
        among_three = [found.of(*pair) for pair in ((11, 12), (11, 13), (12, 13))]
        assert all(one and one["low"] < one["high"] and one["reason"] is None for one in among_three)
        beyond = found.of(13, 14)
        assert beyond is not None
        assert (beyond["low"], beyond["reason"]) == (None, "beyond_largest")


def test_a_pair_that_came_since_the_last_drawing_waits_for_the_next() -> None:
    drawn = pair_draws.draw_pairs(
        judgments_of(np.array([[0, 1, 2], [0, 1, 1]])), people=np.array([5, 8]), clusters=np.arange(3)
    )
    assert pair_draws.intervals_of(drawn, annotators.VALUE, "nominal").of(5, 9) is None
    assert pair_draws.intervals_of(b"", annotators.VALUE, "nominal").of(5, 8) is None
