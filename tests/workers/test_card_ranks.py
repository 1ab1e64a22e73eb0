"""Ranks on a device are those of the processor, here with a processor in the place of the card."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from backend.methods.ranking import DotProducts, Order, ScoreMatrix, ScoreSource, make_pairs, rank_both
from backend.methods.ranking.scorers import SCORERS, SETS, SetScores, items_of
from workers.engines import card_ranks

CPU = torch.device("cpu")


@pytest.mark.parametrize("name", [*sorted(SCORERS), ""])
def test_counts_orders_and_best_wrong_items_are_those_of_the_processor(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each, size in (("ROWS", 16), ("TILE", 32), ("BYTES", 5), ("LAYERS", 2)):
        monkeypatch.setattr(card_ranks, each, size)
    monkeypatch.setattr(card_ranks, "free_bytes", lambda device: len(name) % 2 * 20_000)  # no room, or for two blocks
    rng = np.random.default_rng(1)
    k = 3 if name in SETS else 1
    images = rng.integers(-2, 3, (40, k, 4)).astype(np.float32) + 0.5
    texts = rng.integers(-2, 3, (90, k, 4)).astype(np.float32) + 0.5  # few values: many vectors are equal
    images[30:], texts[50:] = images[5:15], texts[10:50]
    image, text = np.nonzero(rng.random((40, 90)) < rng.choice([0.01, 0.2], (40, 1)))  # few or many of an image
    pairs = make_pairs(image, text, n_images=40, n_texts=90)
    source: ScoreSource
    if name:
        source = SetScores(SCORERS[name](), *(items_of(each / 4, np.ones(len(each))) for each in (images, texts)))
    else:
        source = DotProducts(images[:, 0], texts[:, 0])
    order = Order(rng.permutation(40), rng.permutation(90))
    card = card_ranks.on_card(source, CPU)
    expected, found = (rank_both(each, pairs, order=order, with_wrong=True) for each in (source, card))
    for one, other in zip(expected[:2], found[:2], strict=True):
        assert one.tied.max() > 1
        for field in ("query", "above", "tied", "before"):
            assert np.array_equal(getattr(one, field), getattr(other, field)), field
    assert (expected[2].wrong_text == found[2].wrong_text).mean() > 0.9
    scores = source.block(0, 40)
    scores[pairs.image, pairs.text] = -np.inf
    assert scores[np.arange(40), found[2].wrong_text] == pytest.approx(scores.max(axis=1), abs=1e-5)
    assert scores[found[2].wrong_image, np.arange(90)] == pytest.approx(scores.max(axis=0), abs=1e-5)


def test_bfloat16_rounds_vectors_and_adds_up_in_float32_and_a_matrix_stays() -> None:
    rng = np.random.default_rng(0)
    images, texts = (rng.standard_normal((n, 64)).astype(np.float32) for n in (5, 7))
    card = card_ranks.on_card(DotProducts(images, texts), CPU, precision="bfloat16")
    assert isinstance(card, card_ranks.CardScores)
    rounded = [torch.from_numpy(each).bfloat16().float() for each in (images, texts)]
    assert torch.equal(card.scorer.score_block(card.images, card.texts), rounded[0] @ rounded[1].T)
    matrix = ScoreMatrix(np.eye(3))
    assert card_ranks.on_card(matrix, CPU) is matrix
