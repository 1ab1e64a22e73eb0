"""Intervals of every two annotators as they are kept: packed, of the largest pairs, each with why where it has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
import pytest

from backend.methods.agreement import annotator_intervals, co_ratings
from backend.people.models import User
from backend.review import annotators, drawing, pair_draws
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


def test_whoever_changes_the_rows_that_are_kept_has_all_of_them_drawn_anew() -> None:
    """A worker that outlives an upgrade writes the old rows, which the new site must not believe (`drawing.MANNER`)."""
    assert (pair_draws.ROW.itemsize, drawing.MANNER >> 40) == (41, 3)


def test_a_pair_that_came_since_the_last_drawing_waits_for_the_next() -> None:
    drawn = pair_draws.draw_pairs(
        judgments_of(np.array([[0, 1, 2], [0, 1, 1]])), people=np.array([5, 8]), clusters=np.arange(3)
    )
    assert pair_draws.intervals_of(drawn, annotators.VALUE, "nominal").of(5, 9) is None
    assert pair_draws.intervals_of(b"", annotators.VALUE, "nominal").of(5, 8) is None


@pytest.mark.django_db
def test_one_pair_that_has_a_kappa_by_luck_lends_its_interval_to_no_mean_on_the_page(
    make_user: Callable[..., User],
) -> None:
    """The first two share three items, each other two one, of which no kappa comes."""
    users = [make_user(f"person-{n}") for n in range(4)]
    said = np.full((4, 6), -1)
    for item, (pair, labels) in enumerate(
        [((0, 1), (0, 0)), ((0, 1), (1, 1)), ((0, 1), (0, 1)), ((0, 2), (0, 0)), ((1, 3), (1, 1)), ((2, 3), (0, 0))]
    ):
        said[list(pair), item] = labels
    judged, people = judgments_of(said), np.array([user.pk for user in users])
    reading, weights = pair_draws.READ_AS[0]
    drawn = pair_draws.intervals_of(
        pair_draws.draw_pairs(judged, people=people, clusters=np.arange(6)), reading, weights
    )
    table = co_ratings(judged).table()
    means = annotators._means(replace(table, pairs=people[table.pairs]), reading, weights, drawn)
    first = next(mean for mean in means if mean.id == users[0].pk)
    assert first.mean is not None and first.n_others == 1
    assert first.interval is not None and first.interval["low"] is None


def test_a_mean_over_too_few_shared_items_is_kept_with_the_reason_it_has_when_worked_out() -> None:
    """Five people who judge ten items by twos: packed and read again, it is the interval of the whole path."""
    dice = np.random.default_rng(4)
    said = np.full((5, 10), -1)
    for item in range(10):
        said[dice.choice(5, 2, replace=False), item] = dice.integers(0, 2, 2)
    people, clusters = np.array([3, 4, 6, 8, 9]), np.arange(10)
    drawn = pair_draws.draw_pairs(judgments_of(said), people=people, clusters=clusters)
    for reading, weights in pair_draws.READ_AS:
        kept = pair_draws.intervals_of(drawn, reading, weights)
        whole = annotator_intervals(co_ratings(judgments_of(said)), reading, weights, clusters=clusters)
        for at, person in enumerate(people.tolist()):
            mean = kept.of_mean(person)
            assert mean == asdict(whole.at(at))
            assert mean["low"] is None and mean["reason"] in ("beside_figure", "few_by_chance", "hangs_on_one")
