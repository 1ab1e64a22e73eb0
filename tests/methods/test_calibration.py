"""From which score on a model says yes: exact on small sets, exact to a bin on large ones."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

from backend.methods.calibration import (
    CURVE,
    EDGES,
    Calibration,
    NotCalibratedError,
    ScoreHistogram,
    best_threshold,
    calibrate_vectors,
    floor_to_bin,
)

TOY = np.array([[0.31, 0.12, 0.20, 0.05], [0.10, 0.27, 0.22, 0.11], [0.18, 0.24, 0.23, 0.09], [0.02, 0.08, 0.15, 0.29]])
SCORED = st.lists(
    st.tuples(st.integers(-9999, 9999).map(lambda n: n / 10_000), st.booleans()), min_size=2, max_size=60
).filter(
    lambda rows: any(y for _, y in rows) and not all(y for _, y in rows) and len({s for s, _ in rows}) > 1
)  # fmt: skip


def batches_of_two(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The 4 x 4 toy as two 2 x 2 batches: scores and which are positive."""
    blocks = np.concatenate([scores[:2, :2].ravel(), scores[2:, 2:].ravel()])
    return blocks, np.concatenate([np.eye(2).ravel(), np.eye(2).ravel()])


def test_the_worked_numbers_of_science_come_out() -> None:
    eight = best_threshold([0.9, 0.8, 0.7, 0.6, 0.55, 0.5, 0.4, 0.3], [1, 0, 1, 1, 0, 0, 1, 0])
    assert (eight.threshold, eight.f1) == (0.6, 0.75)
    whole = best_threshold(TOY, np.eye(4))
    assert (whole.threshold, round(whole.f1, 4)) == (0.23, 0.8889)
    halves = best_threshold(*batches_of_two(TOY))
    assert (halves.threshold, halves.f1) == (0.23, 1.0)


@given(SCORED)
def test_the_exact_form_is_the_best_point_of_sklearns_curve(rows: list[tuple[float, bool]]) -> None:
    scores, positive = np.array([s for s, _ in rows]), np.array([y for _, y in rows])
    precision, recall, thresholds = precision_recall_curve(positive, scores)
    with np.errstate(invalid="ignore"):
        f1 = np.nan_to_num(2 * precision * recall / (precision + recall))[:-1]
    found = best_threshold(scores, positive)
    assert found.f1 == pytest.approx(f1.max())
    assert found.threshold == thresholds[np.flatnonzero(np.isclose(f1, f1.max(), rtol=1e-12))[-1]]


@given(SCORED)
def test_the_bins_find_what_the_exact_form_finds(rows: list[tuple[float, bool]]) -> None:
    histogram = ScoreHistogram()
    histogram.add(positive=[s for s, y in rows if y], negative=[s for s, y in rows if not y])
    assert histogram.best() == best_threshold([s for s, _ in rows], [y for _, y in rows])


def test_scores_between_edges_are_found_to_a_bin() -> None:
    dice = np.random.default_rng(3)
    positive, negative = dice.normal(0.275, 0.042, 400), dice.normal(0.14, 0.042, 400 * 31)
    histogram = ScoreHistogram()
    histogram.add(positive=positive, negative=negative)
    exact = best_threshold(np.r_[positive, negative], np.r_[np.ones(400), np.zeros(400 * 31)])
    assert histogram.best().threshold == pytest.approx(exact.threshold, abs=2e-4)
    assert histogram.best().f1 == pytest.approx(exact.f1, abs=2e-3)


def test_of_two_equally_good_thresholds_the_stricter_is_taken() -> None:
    """F1 is 2/3 at .9 (1 of 2 found, no false alarm) and at .1 (all found, two false alarms)."""
    assert best_threshold([0.9, 0.5, 0.4, 0.1], [1, 0, 0, 1]).threshold == 0.9


def expected_counts(scores: NormalDist, n: float) -> np.ndarray:
    """How many of n scores fall into each bin."""
    below = [scores.cdf(edge) for edge in np.append(EDGES, EDGES[-1] + 1e-4)]
    return np.rint(np.diff(below) * n).astype(np.int64)


@pytest.mark.parametrize(
    ("batch_size", "published"),
    [(2, 0.206), (32, 0.247), (64, 0.254), (128, 0.262), (256, 0.269), (512, 0.276), (1024, 0.283), (100_000, 0.324)],
)
def test_larger_batches_make_stricter_thresholds_as_in_the_table_of_science(batch_size: int, published: float) -> None:
    """A billion scores as their expected counts: positives N(.275, .042), negatives N(.14, .042)."""
    histogram = ScoreHistogram()
    histogram.positive = expected_counts(NormalDist(0.275, 0.042), 1e9)
    histogram.negative = expected_counts(NormalDist(0.14, 0.042), 1e9 * (batch_size - 1))
    assert histogram.best().threshold == pytest.approx(published, abs=0.001)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.integers(-10_000, 10_000))
def test_a_score_cut_to_its_bin_votes_as_the_score_itself(scores: list[float], edge: int) -> None:
    threshold = edge / 10_000
    assert ((floor_to_bin(scores) >= threshold) == (np.array(scores) >= threshold)).all()


def unit(n: int, d: int, seed: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def pairs(n: int, *, noise: float = 0.6) -> tuple[np.ndarray, list[str], np.ndarray]:
    """n pairs whose text vectors lie near their image vectors."""
    images = unit(n, 16, 1)
    texts = images + noise * unit(n, 16, 2)
    return images, [f"caption {at}" for at in range(n)], texts / np.linalg.norm(texts, axis=1, keepdims=True)


def test_a_calibration_counts_what_it_used_and_drops_the_ragged_batch() -> None:
    images, texts, captions = pairs(70)
    made = calibrate_vectors(images, texts, captions, batch_size=32, seed=5)
    assert (made.n_pairs, made.n_positives, made.n_negatives, made.n_equal_texts) == (70, 64, 64 * 31, 0)
    assert (made.batch_size, made.seed, made.bin_width) == (32, 5, 1e-4)
    of_pairs = (images * captions).sum(axis=1)
    assert made.pool_keep_fraction == pytest.approx((of_pairs >= made.threshold).mean())


def test_the_seed_settles_the_batches_and_nothing_else_does() -> None:
    images, texts, captions = pairs(300, noise=1.4)
    again = [calibrate_vectors(images, texts, captions, batch_size=16, seed=seed) for seed in (1, 1, 2)]
    assert again[0] == again[1]
    assert (again[0].f1, again[0].precision) != (again[2].f1, again[2].precision)


def test_two_pairs_of_one_text_are_no_negatives_of_each_other() -> None:
    images, texts, captions = pairs(8)
    texts[1], captions[1] = texts[0], captions[0]
    made = calibrate_vectors(images, texts, captions, batch_size=8)
    assert (made.n_negatives, made.n_equal_texts) == (8 * 7 - 2, 2)


def test_a_record_survives_json() -> None:
    made = calibrate_vectors(*pairs(64), batch_size=16)
    assert Calibration.from_json(made.to_json() | {"model": "another word"}) == made


def test_a_record_with_a_hole_is_refused_by_name() -> None:
    values = calibrate_vectors(*pairs(64), batch_size=16).to_json()
    with pytest.raises(NotCalibratedError, match="threshold, f1"):
        Calibration.from_json(values | {"threshold": float("nan"), "f1": None})


@pytest.mark.parametrize(
    ("scores", "positive", "code"),
    [
        ([0.1, 0.2], [0, 0], "no_positives"),
        ([], [], "no_positives"),
        ([0.1, 0.2], [1, 1], "no_negatives"),
        ([0.2, 0.2], [1, 0], "constant_scores"),
        ([0.2, float("nan")], [1, 0], "not_finite"),
        ([0.2, float("inf")], [1, 0], "not_finite"),
    ],
)
def test_scores_that_give_no_threshold_are_refused_with_the_reason(
    scores: list[float], positive: list[int], code: str
) -> None:
    with pytest.raises(NotCalibratedError) as refused:
        best_threshold(scores, positive)
    assert refused.value.code == code


def test_vectors_that_give_no_threshold_are_refused_with_the_reason() -> None:
    images, texts, captions = pairs(40)
    damaged, long, same = captions.copy(), captions * 2, np.tile(captions[:1], (40, 1))
    damaged[3, 3] = np.nan
    for vectors, given_texts, code in (
        (damaged, texts, "not_finite"),
        (long, texts, "not_cosines"),
        (captions, ["one text"] * 40, "no_negatives"),
    ):
        with pytest.raises(NotCalibratedError) as refused:
            calibrate_vectors(images, given_texts, vectors, batch_size=8)
        assert refused.value.code == code
    with pytest.raises(NotCalibratedError, match="All scores are the same"):
        calibrate_vectors(same, texts, same, batch_size=8)
    with pytest.raises(NotCalibratedError, match="40 pairs do not fill one batch of 256"):
        calibrate_vectors(images, texts, captions)
    with pytest.raises(ValueError, match="at least 2"):
        calibrate_vectors(images, texts, captions, batch_size=1)


@pytest.mark.nightly
def test_vectors_in_a_file_give_the_same_calibration_without_lying_in_memory(tmp_path: Path) -> None:
    n, d = 20_000, 128
    draw = np.random.default_rng(4)
    files = [np.memmap(tmp_path / name, dtype=np.float32, mode="w+", shape=(n, d)) for name in ("images", "texts")]
    for start in range(0, n, 1000):
        shared = draw.standard_normal((1000, d))
        for file in files:
            rows = shared + draw.standard_normal((1000, d))
            file[start : start + 1000] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    texts = [f"caption {at}" for at in range(n)]
    in_memory = calibrate_vectors(np.array(files[0]), texts, np.array(files[1]), batch_size=64)
    tracemalloc.start()
    try:
        assert calibrate_vectors(files[0], texts, files[1], batch_size=64) == in_memory
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < n * d * 4  # less than one of the two tables, which would be in memory twice as float64


@given(SCORED)
def test_the_curve_is_sklearns_with_the_chosen_point_on_it(rows: list[tuple[float, bool]]) -> None:
    histogram = ScoreHistogram()
    histogram.add(positive=[s for s, y in rows if y], negative=[s for s, y in rows if not y])
    scores, positive = np.array([s for s, _ in rows]), np.array([y for _, y in rows])
    precision, recall, thresholds = precision_recall_curve(positive, scores, drop_intermediate=False)
    curve = histogram.curve()
    assert [point.threshold for point in curve] == thresholds[::-1].tolist()
    assert [point.precision for point in curve] == pytest.approx(precision[:-1][::-1])
    assert [point.recall for point in curve] == pytest.approx(recall[:-1][::-1])
    assert vars(histogram.best()).items() <= {**max((vars(p) for p in curve), key=lambda p: p["f1"])}.items()


def test_a_curve_of_thousands_of_scores_keeps_two_hundred_points_and_its_shape() -> None:
    dice = np.random.default_rng(3)
    histogram = ScoreHistogram()
    histogram.add(positive=dice.normal(0.275, 0.042, 2000), negative=dice.normal(0.14, 0.042, 60_000))
    whole, kept = histogram.curve(10**6), histogram.curve()
    assert 150 < len(kept) <= CURVE < 1000 < len(whole)
    assert set(kept) <= set(whole)
    assert (kept[-1].recall, kept[-1].precision) == (1.0, pytest.approx(2 / 62))
    assert histogram.best().threshold in {point.threshold for point in kept}
    drawn = np.interp([p.recall for p in whole[50:]], [p.recall for p in kept], [p.precision for p in kept])
    assert np.abs(drawn - [p.precision for p in whole[50:]]).max() < 0.03
