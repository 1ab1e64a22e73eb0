"""Agreement: the worked and the published numbers, the degenerate cases, and what may not change a figure."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.methods.agreement import (
    MEASURES,
    REASONS,
    UNSURE_READINGS,
    Bootstrap,
    CountTable,
    Figure,
    Reading,
    agreement_of,
    agreement_over_items,
    alpha_figure,
    annotator_figures_of_table,
    co_ratings,
    fleiss_figure,
    interval_figure,
    mean_kappa_figure,
    mean_kappa_of_table,
    pair_figures,
    reading_of,
)
from backend.methods.agreement.cohen import Weights, kappa
from backend.methods.agreement.figures import Measure, Reason
from backend.methods.judgments import Judgments, code_judgments
from rated_tables import RATINGS, judgments_of, toy

AS_VALUE, AS_MISSING, AS_MIDDLE = UNSURE_READINGS
QUICK = Bootstrap(n_replicates=200)
FLEISS_1971_ON_WIKIPEDIA = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip
KRIPPENDORFF_4_BY_12 = ["1 2 3 3 2 1 4 1 2 *  *  *", "1 2 3 3 2 2 4 1 2 5 *  3", "*  3 3 3 2 3 4 2 2 5 1 *",
                        "1 2 3 3 2 4 4 1 2 5 1 *"]  # fmt: skip


def figures_of(judgments: Judgments) -> dict[tuple[str, Measure], Figure]:
    return {(each.reading, each.measure): each for each in agreement_of(judgments, bootstrap=QUICK)}


def published_example() -> np.ndarray:
    """The reliability data of Krippendorff (2011), labels 0..4, -1 where missing."""
    return np.array([[int(cell) - 1 if cell != "*" else -1 for cell in row.split()] for row in KRIPPENDORFF_4_BY_12])


def test_the_toy_table_gives_the_worked_numbers() -> None:
    found = figures_of(toy().judgments)
    worked = {
        ("value", "cohen"): 0.57325,
        ("value", "fleiss"): 0.572954,
        ("value", "alpha_nominal"): 0.587189,
        ("missing", "alpha_nominal"): 0.692308,
        ("middle", "alpha_ordinal"): 0.608532,
    }
    assert {name: found[name].value for name in worked} == pytest.approx(worked, abs=5e-6)


def test_the_kappa_of_each_pair_of_the_toy_table_is_as_worked() -> None:
    rated = co_ratings(toy().judgments)
    assert rated.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    of_pairs = [each.figure.value for each in pair_figures(rated, AS_VALUE, "nominal", bootstrap=QUICK)]
    assert of_pairs == pytest.approx([0.51613, 0.68750, 0.51613], abs=5e-6)
    linear, quadratic = (
        pair_figures(rated, AS_MIDDLE, weights, bootstrap=QUICK)[0] for weights in ("linear", "quadratic")
    )
    assert (linear.figure.value, quadratic.figure.value) == pytest.approx((0.48980, 0.47059), abs=5e-6)


def test_the_toy_table_with_missing_judgments_gives_the_worked_numbers() -> None:
    found = figures_of(toy(gaps=True).judgments)
    assert found["value", "alpha_nominal"].value == pytest.approx(0.614525, abs=5e-7)
    assert found["middle", "alpha_ordinal"].value == pytest.approx(0.696774, abs=1e-6)
    assert (found["value", "fleiss"].value, found["value", "fleiss"].reason) == (None, "unequal_raters")


def test_the_interval_of_the_toy_table_with_missing_judgments_is_as_worked() -> None:
    """SCIENCE 3 gives [.175, .883]; all ten items are drawn, also the one that a single person judged."""
    figure = next(each for each in agreement_of(toy(gaps=True).judgments) if each.measure == "alpha_nominal")
    interval = figure.interval
    assert interval is not None and interval.low is not None and interval.high is not None
    assert (round(interval.low, 3), round(interval.high, 3), figure.n_items) == (0.175, 0.883, 9)
    assert (interval.n_replicates, interval.n_groups, interval.level, interval.undefined_share) == (2000, 10, 0.95, 0.0)


@pytest.mark.parametrize("reading", UNSURE_READINGS)
def test_the_interval_of_alpha_is_that_of_krippendorff_over_items_drawn_in_their_order(reading: Reading) -> None:
    """Its alpha of ten items drawn anew two thousand times, columns of the toy table in the order given."""
    ratings = np.full((3, 10), np.nan)
    judged, ranks = toy(gaps=True).judgments, np.full(3, np.nan)
    ranks[list(reading.columns)] = np.arange(len(reading.labels))
    ratings[judged.annotators, judged.items] = ranks[judged.labels]
    drawn = np.random.default_rng(0).integers(10, size=(2000, 10))
    values = [libraries_alpha(ratings[:, items], reading) for items in drawn]
    known = [value for value in values if not np.isnan(value)]
    interval = alpha_figure(CountTable.of_items(judged.counts()), reading).interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(known, [0.025, 0.975])))
    assert interval.undefined_share == pytest.approx(1 - len(known) / 2000)


def libraries_alpha(ratings: np.ndarray, reading: Reading) -> float:
    told = ratings[:, (~np.isnan(ratings)).sum(axis=0) >= 2]
    if len(np.unique(told[~np.isnan(told)])) < 2:
        return np.nan
    level: Any = "ordinal" if reading.is_ordered else "nominal"
    return float(krippendorff.alpha(told, level_of_measurement=level, value_domain=range(len(reading.labels))))


def test_alpha_of_numbers_knows_how_far_apart_they_are() -> None:
    """Krippendorff's example, .84911 in SCIENCE 3; its unit and where its scale begins play no part."""
    counts = judgments_of(published_example(), n_labels=5).counts()
    for labels in ("12345", ("-10", "-5.5", "-1", "3.5", "8")):
        figure = interval_figure(CountTable.of_items(counts), reading_of(labels), bootstrap=QUICK)
        assert (figure.measure, figure.value) == ("alpha_interval", pytest.approx(0.84911, abs=5e-6))
    assert "alpha_interval" not in MEASURES, "a project's labels are no numbers"


@given(RATINGS, st.lists(st.integers(-50, 50), min_size=3, max_size=3, unique=True))
def test_alpha_of_any_numbers_is_that_of_krippendorff(ratings: np.ndarray, numbers: list[int]) -> None:
    told = np.where(ratings < 0, np.nan, np.array(sorted(numbers))[ratings])
    table = CountTable.of_items(judgments_of(ratings).counts())
    ours = interval_figure(table, reading_of([str(each) for each in sorted(numbers)]), bootstrap=Bootstrap(1)).value
    shared = told[:, (~np.isnan(told)).sum(axis=0) >= 2]
    if shared.shape[1] < 2 or len(np.unique(shared[~np.isnan(shared)])) < 2:
        assert ours is None
    else:
        theirs = krippendorff.alpha(shared, level_of_measurement="interval")
        assert ours == pytest.approx(float(theirs), abs=1e-9)


def test_published_examples_come_out() -> None:
    fleiss = fleiss_figure(CountTable.of_items(FLEISS_1971_ON_WIKIPEDIA), reading_of("12345"), bootstrap=QUICK)
    assert (fleiss.value, fleiss.n_items, fleiss.n_judgments) == (pytest.approx(0.20993, abs=5e-6), 10, 140)
    table = CountTable.of_items(judgments_of(published_example(), n_labels=5).counts())
    nominal, ordinal = (
        alpha_figure(table, reading_of("12345", is_ordered=order), bootstrap=QUICK) for order in (False, True)
    )
    assert (nominal.value, ordinal.value) == pytest.approx((0.74342, 0.81539), abs=5e-6)
    assert float(kappa(np.array([[20, 5], [10, 15]]), "nominal")) == pytest.approx(0.4)


def test_prevalence_and_n_say_what_a_figure_stands_on() -> None:
    value, missing = figures_of(toy(gaps=True).judgments)["value", "alpha_nominal"], None
    assert (value.n_items, value.n_judgments) == (9, 24)
    assert value.prevalence == pytest.approx({"bad": 11 / 24, "unsure": 4 / 24, "good": 9 / 24})
    missing = figures_of(toy(gaps=True).judgments)["missing", "alpha_nominal"]
    assert (missing.n_items, missing.n_judgments, set(missing.prevalence)) == (8, 20, {"bad", "good"})


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[0, 0, 0], [0, 0, 0]], "one_label"),
        ([[0, 1, -1], [-1, -1, 2]], "no_overlap"),
        ([[-1], [-1]], "no_overlap"),
    ],
)
def test_what_cannot_be_told_from_chance_has_no_value_but_a_reason(ratings: list[list[int]], reason: str) -> None:
    found = figures_of(judgments_of(np.array(ratings)))
    for name in (("value", "alpha_nominal"), ("middle", "alpha_ordinal")):
        assert (found[name].value, found[name].interval, found[name].reason) == (None, None, reason)
    assert reason in REASONS


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[0, 1, -1], [-1, -1, 2]], "no_overlap"),
        ([[0, 1], [1, -1]], "no_two"),
        ([[0, 0], [0, 0]], "no_two"),
        ([[0, -1, -1], [0, -1, -1], [-1, 1, -1], [-1, 1, -1], [-1, -1, 0], [-1, -1, 1]], "no_two"),
        ([[0, 0, -1, -1], [0, 0, -1, -1], [-1, -1, 1, 1], [-1, -1, 1, 1]], "no_two"),
    ],
    ids=["nothing shared", "one item", "one label", "an item each two", "a label each two"],
)
def test_a_mean_of_no_kappas_says_of_each_two_people_why_there_is_none(
    ratings: list[list[int]], reason: Reason
) -> None:
    """Not "only one item has two judgments" where three have, nor "all judgments are the same" where half are bad."""
    rated = co_ratings(judgments_of(np.array(ratings)))
    mean = mean_kappa_figure(rated, AS_VALUE, "nominal", bootstrap=QUICK)
    assert (mean.value, mean.interval, mean.reason) == (None, None, reason)
    reasons = {one.figure.reason for one in annotator_figures_of_table(rated.table(), AS_VALUE, "nominal")}
    assert reasons <= {reason}


def test_what_nobody_with_a_name_said_is_not_told_as_what_nobody_said() -> None:
    """Two who are unsure, and beside them votes without names that say more."""
    unsure = co_ratings(judgments_of(np.array([[2, 2], [2, 2]]))).table()
    mean = mean_kappa_of_table(unsure, AS_MISSING, "nominal", n_items=3)
    assert (mean.value, mean.reason) == (None, "no_two")
    assert mean_kappa_of_table(unsure, AS_MISSING, "nominal", n_items=0).reason == "none_counted"


@pytest.mark.parametrize("said", [[0, 1, 1], [0, 1, 2], [0, 0, 0]])
@pytest.mark.parametrize("measure", ["fleiss", "alpha_nominal"])
def test_one_item_has_no_figure_over_items_for_it_would_be_the_same_whatever_was_said(
    said: list[int], measure: Measure
) -> None:
    found = figures_of(judgments_of(np.array([said]).T))["value", measure]
    assert (found.value, found.reason, found.n_items) == (None, "one_item", 1)


@pytest.mark.parametrize("other", [[1, 1, 1], [0, 1, 0]])
def test_a_constant_annotator_against_another_label_is_worth_nothing_and_not_undefined(other: list[int]) -> None:
    assert figures_of(judgments_of(np.array([[0, 0, 0], other])))["value", "cohen"].value == 0.0


def test_without_unsure_an_annotator_who_is_always_unsure_leaves_nothing_that_counts() -> None:
    """Not "no item has two judgments": each has."""
    found = figures_of(judgments_of(np.array([[0, 1, 0], [2, 2, 2]])))
    assert found["value", "cohen"].value == 0.0
    assert [found["missing", measure].reason for measure in ("cohen", "fleiss", "alpha_nominal")] == [
        "none_counted"
    ] * 3


def test_all_three_readings_of_unsure_are_always_there() -> None:
    found = figures_of(judgments_of(np.full((2, 1), -1)))
    assert {reading for reading, _ in found} == {"value", "missing", "middle"}
    assert {measure for _, measure in found} == set(MEASURES)


def test_one_cluster_gives_a_value_and_no_interval() -> None:
    judged = toy().judgments
    for each in agreement_of(judged, clusters=np.zeros(10), bootstrap=QUICK):
        if each.value is not None:
            assert each.interval is not None
            assert (each.interval.low, each.interval.reason) == (None, "one_cluster")


def test_what_two_people_judged_of_one_image_among_many_judged_by_one_has_no_interval() -> None:
    """Every drawing that has the image would give the same."""
    table = CountTable.of_items([[1, 0, 0]] * 8 + [[1, 1, 0], [2, 0, 0]], clusters=[*range(9), 8])
    interval = alpha_figure(table, AS_VALUE).interval
    assert interval is not None
    assert (interval.low, interval.reason, interval.n_groups) == (None, "one_cluster", 9)


def test_items_that_nobody_judged_are_not_drawn() -> None:
    counts = toy(gaps=True).judgments.counts()
    with_holes = np.vstack([counts[:4], np.zeros((5, 3), dtype=np.int64), counts[4:]])
    one, other = (alpha_figure(CountTable.of_items(each), AS_VALUE) for each in (counts, with_holes))
    assert one == other


def test_replicates_without_a_value_are_dropped_and_their_share_is_told() -> None:
    """Nine items of one label and one of another: a replicate without the tenth, (9/10)^10 of them, is undefined."""
    table = CountTable.of_items([[2, 0, 0]] * 9 + [[0, 2, 0]])
    interval = alpha_figure(table, AS_VALUE).interval
    assert interval is not None
    assert (interval.low, interval.high) == (1.0, 1.0)
    assert interval.undefined_share == pytest.approx(0.9**10, abs=0.03)


def test_an_interval_that_does_not_hold_the_mean_is_not_told() -> None:
    """Forty people who share about one item each: most pairs have a kappa in few replicates, and the mean drifts."""
    dice = np.random.default_rng(7)
    ratings = np.full((40, 400), -1)
    for item in ratings.T:
        truth = dice.integers(2)
        item[dice.choice(40, size=2, replace=False)] = np.where(dice.random(2) < 0.85, truth, 1 - truth)
    rated = co_ratings(judgments_of(ratings))
    figure = mean_kappa_figure(rated, AS_VALUE, "nominal", bootstrap=QUICK)
    assert figure.value is not None and figure.interval is not None
    assert (figure.interval.low, figure.interval.reason) == (None, "beside_figure")


def test_names_that_are_not_given_are_refused() -> None:
    with pytest.raises(ValueError, match="'maybe' is none of: good, bad"):
        code_judgments([("1", "ann", "maybe")], labels=("good", "bad"))
    with pytest.raises(ValueError, match="judged the item '1' 2 times"):
        code_judgments([("1", "ann", "good"), ("1", "ann", "bad")])
    with pytest.raises(ValueError, match="place of label"):
        Judgments(np.array([0]), np.array([0]), np.array([3]), 1, 1, 3)


@pytest.mark.nightly
@given(RATINGS, st.randoms(use_true_random=False))
def test_the_order_of_annotators_changes_nothing_and_that_of_items_only_the_draw(
    ratings: np.ndarray, dice: Random
) -> None:
    annotators, items = (dice.sample(range(n), n) for n in ratings.shape)
    before, renamed, turned = (
        agreement_over_items(_table(each), bootstrap=QUICK)
        for each in (ratings, ratings[annotators], ratings[annotators][:, items])
    )
    assert renamed == before
    for one, other in zip(before, turned, strict=True):
        assert replace(one, value=None, interval=None) == replace(other, value=None, interval=None)
        assert one.value == pytest.approx(other.value)
    for weights in ("nominal", "quadratic"):
        [mean, same] = (_mean_of_table(each, AS_VALUE, weights) for each in (ratings, ratings[annotators][:, items]))
        assert mean.reason == same.reason
        assert mean.value == pytest.approx(same.value)


@given(RATINGS)
def test_the_mean_kappa_of_judgments_is_that_of_the_kept_tables(ratings: np.ndarray) -> None:
    rated = co_ratings(judgments_of(ratings))
    for reading, weights in ((AS_VALUE, "nominal"), (AS_MISSING, "nominal"), (AS_MIDDLE, "linear")):
        whole = mean_kappa_figure(rated, reading, weights, bootstrap=QUICK)
        assert replace(whole, interval=None) == _mean_of_table(ratings, reading, weights)


def _mean_of_table(ratings: np.ndarray, reading: Reading, weights: Weights) -> Figure:
    table = co_ratings(judgments_of(ratings)).table()
    return mean_kappa_of_table(table, reading, weights, n_items=_table(ratings).n_comparable(reading))


def _table(ratings: np.ndarray) -> CountTable:
    return CountTable.of_items(judgments_of(ratings).counts())
