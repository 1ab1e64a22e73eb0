"""Ranks and scorers on the card: the counts of the processor, and the time of both as a ratio to bare products."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import torch
from measuring import Row, Setup

from backend.methods.ranking import make_pairs, rank_both
from backend.methods.ranking.scorers import SCORERS, SETS, SetScores, items_of
from workers.engines.card_ranks import ROWS, TILE, CardScores, on_card

D, K, CAPTIONS = 512, 4, 5
MEAN_MOVE = 0.02  # of all places, that a right item may move by bfloat16


def ranks(setup: Setup) -> Iterator[Row]:
    """Each scorer on seeded vectors. Raises whatever an engine raises."""
    n, d = (40, 16) if setup.is_small else (5_000, D)
    for name in sorted(SCORERS):
        source = drawn(name, n, d)
        of_text = np.arange(CAPTIONS * n)
        pairs = make_pairs(of_text // CAPTIONS, of_text, n_images=n, n_texts=CAPTIONS * n)
        subject = f"ranks by {name}, {n:,} x {CAPTIONS * n:,}"
        expected = rank_both(source, pairs)[:2] if name in ("cosine", "smooth_chamfer") or setup.is_small else None
        for precision in ("float32", "bfloat16"):
            card = on_card(source, setup.device, precision=precision)
            found = rank_both(card, pairs)[:2]
            if expected is not None:
                yield same_ranks(subject, precision, found, expected)
            bare = setup.rate(partial(products, card), n)
            engine = setup.rate(partial(rank_both, card, pairs), n)
            yield Row(subject, f"time to bare products, {precision}", f"{bare / engine:.2f} times")


def drawn(name: str, n: int, d: int) -> SetScores:
    """Images and five near texts each, as sets, or as means with variances."""
    rng = np.random.default_rng(0)
    k = K if name in SETS else 1
    images = rng.standard_normal((n, k, d), np.float32)
    texts = np.repeat(images, CAPTIONS, axis=0) / 4 + rng.standard_normal((CAPTIONS * n, k, d), np.float32)
    sides = [each / np.linalg.norm(each, axis=2, keepdims=True) for each in (images, texts)]
    return SetScores(SCORERS[name](), *(items_of(each, np.full(len(each), 0.1)) for each in sides))


def products(card: Any) -> None:
    """The products of the same blocks alone."""
    assert isinstance(card, CardScores)
    with torch.inference_mode():
        for first in range(0, card.n_images, ROWS):
            images = card.images.part(first, first + ROWS)
            for start in range(0, card.n_texts, TILE):
                texts = card.texts.part(start, start + TILE)
                out = images.engine.empty(len(images), len(texts))
                for x in range(images.n_members):
                    for y in range(texts.n_members):
                        images.engine.product(images.vectors[x], texts.vectors[y], out)


def same_ranks(subject: str, precision: str, ours: Any, theirs: Any) -> Row:
    """Whether right items stand where the processor puts them: within one place by float32, and by bfloat16, which
    rounds the vectors, nearly so on average."""
    moves = [np.abs(one.above - other.above) / one.n_items for one, other in zip(ours, theirs, strict=True)]
    if precision == "float32":
        most = max(int(np.abs(one.above - other.above).max()) for one, other in zip(ours, theirs, strict=True))
        return Row(subject, "same ranks as the processor, float32", f"{most} places", "<= 1 place", most <= 1)
    mean = max(float(each.mean()) for each in moves)
    bound = f"<= {MEAN_MOVE:.0%} of the places"
    return Row(subject, "ranks as the processor's, bfloat16", f"{mean:.2%} on average", bound, mean <= MEAN_MOVE)
