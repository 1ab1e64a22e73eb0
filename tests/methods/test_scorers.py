"""Scores of sets of vectors and of normal distributions: worked numbers, plain formulas, block sizes, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.methods.ranking import make_pairs, rank_both
from backend.methods.ranking import scorers as module
from backend.methods.ranking.scorers import SCORERS, SETS, Items, SetScores, SmoothChamfer, items_of
from nightly import examples

IMAGE = np.array([[[1, 0, 0], [0, 1, 0]]], np.float32)
TEXT = np.array([[[1, 1, 0], [0, 1, 1]]], np.float32) / np.float32(np.sqrt(2))
WORKED = {
    "pvse_max": 0.707107, "chamfer": 0.707107, "smooth_chamfer": 0.728768, "pcme_matmul": 2.121320,
    "pcme_probability": 0.688391,
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_the_worked_example_has_its_published_scores(name: str) -> None:
    assert SCORERS[name]().score_block(items_of(IMAGE), items_of(TEXT)) == pytest.approx(WORKED[name], abs=1e-6)


def test_the_worked_distance_of_two_normal_distributions() -> None:
    image = items_of(IMAGE[:, 0], np.array([0.01 + 0.02 + 0.03]))
    text = items_of(TEXT[:, 0], np.array([0.05 + 0.01 + 0.01]))
    assert SCORERS["csd"]().score_block(image, text) == pytest.approx(-0.715786, abs=1e-6)


def plain(name: str, one: np.ndarray, other: np.ndarray, spread: float) -> float:
    """A score of two sets (K, d) in float64, as the formula is written."""
    d = one @ other.T
    if name == "chamfer":
        return float(d.max(axis=1).mean() + d.max(axis=0).mean()) / 2
    if name == "smooth_chamfer":
        of_rows, of_columns = (np.log(np.exp(16 * d).sum(axis=axis)).mean() / 16 for axis in (1, 0))
        return float(of_rows + of_columns) / 2
    if name == "pcme_probability":
        x = -5 * np.sqrt(((one[:, None] - other) ** 2).sum(axis=2) + 1e-6) + 5
        return float((np.exp(x) / (np.exp(x) + np.exp(-x))).mean())
    if name == "csd":
        return -float(((one[0] - other[0]) ** 2).sum() + spread)
    return float({"pvse_max": d.max(), "pcme_matmul": d.sum(), "cosine": d[0, 0]}[name])


def drawn(n: int, k: int, d: int, seed: int) -> tuple[np.ndarray, Items]:
    vectors = np.random.default_rng(seed).standard_normal((n, k, d))
    vectors /= np.linalg.norm(vectors, axis=2, keepdims=True)
    return vectors, items_of(vectors, np.full(n, 0.5))


@settings(max_examples=examples(25))
@given(
    st.sampled_from(sorted(SCORERS)), st.integers(1, 5), st.integers(1, 9), st.integers(1, 3), st.integers(1, 3),
    st.integers(1, 6), st.integers(0, 99),
)  # fmt: skip
def test_a_block_is_what_the_formula_says_of_each_pair(
    name: str, n: int, m: int, of_image: int, of_text: int, d: int, seed: int
) -> None:
    sizes = (of_image, of_text) if name in SETS else (1, 1)
    images, one = drawn(n, sizes[0], d, seed)
    texts, other = drawn(m, sizes[1], d, seed + 1)
    expected = [[plain(name, i, t, 1.0) for t in texts] for i in images]
    assert SCORERS[name]().score_block(one, other) == pytest.approx(np.array(expected), abs=2e-5)
    turned = SCORERS[name]().score_block(other, one).T
    assert turned == pytest.approx(np.array(expected), abs=2e-5)


@pytest.mark.parametrize("name", sorted(SCORERS))
def test_block_size_and_parts_change_no_rank(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    n, k = 70, 3 if name in SETS else 1
    (_, images), (_, texts) = drawn(n, k, 16, 3), drawn(3 * n, k, 16, 4)
    pairs = make_pairs(np.arange(3 * n) // 3, np.arange(3 * n), n_images=n, n_texts=3 * n)
    found = []
    for tile, rows in ((2048, 128), (64, 128), (128, 7), (2048, 200)):
        monkeypatch.setattr(module, "TILE", tile)
        source = SetScores(SCORERS[name](), images, texts)
        found.append([(each.above, each.tied) for each in rank_both(source, pairs, rows=rows)[:2]])
    for other in found[1:]:
        for ranks, expected in zip(other, found[0], strict=True):
            assert all(np.array_equal(a, b) for a, b in zip(ranks, expected, strict=True))
    part = source.part(np.array([5, 2]), np.array([9, 100, 3]))
    assert part.block(0, 2) == pytest.approx(source.block(0, n)[[5, 2]][:, [9, 100, 3]], abs=1e-6)


def test_equal_sets_tie_and_the_order_of_members_means_nothing() -> None:
    vectors, _ = drawn(4, 3, 8, 0)
    texts = np.concatenate([vectors, vectors[:, ::-1], vectors])
    for name in SETS:
        source = SetScores(SCORERS[name](), items_of(vectors), items_of(texts))
        scores = source.block(0, 4)
        assert np.array_equal(scores[:, :4], scores[:, 8:]), name
        assert scores[:, :4] == pytest.approx(scores[:, 4:8], abs=1e-5)


def test_a_hot_smooth_chamfer_is_near_chamfer_and_opposite_vectors_stay_finite() -> None:
    (_, images), (_, texts) = drawn(6, 2, 3, 0), drawn(9, 4, 3, 1)
    hot = SmoothChamfer(80.0).score_block(images, texts)
    assert hot == pytest.approx(SCORERS["chamfer"]().score_block(images, texts), abs=np.log(4) / 80)
    opposite: Any = items_of(-IMAGE)
    for name in SETS:
        assert np.isfinite(SCORERS[name]().score_block(items_of(IMAGE), opposite)).all()
