"""Ranks on a GPU: blocks of scores are made and counted there, and only counts come back.

The arithmetic is that of the scorers, with torch in the place of numpy. A pair's own score is taken from the very block
that it is counted in, so that an own score never beats itself and equal vectors tie. With CONNOTE_PRECISION=bfloat16
vectors are rounded to bfloat16 and products are added up in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from backend.methods.ranking import Counts, DotProducts, Order, Pairs, ScoreSource
from backend.methods.ranking.blocks import Scores
from backend.methods.ranking.ranking import Ints
from backend.methods.ranking.scorers import Cosine, Items, Scorer, SetScores
from workers.engines.devices import make_steady

ROWS, TILE = 1024, 8192  # images and texts of a block on the card
NOWHERE = 2**62  # a place after all others


class TorchEngine:
    """What scorers compute with on a device."""

    xp: Any = torch

    def __init__(self, device: torch.device) -> None:
        self.device = device

    def empty(self, rows: int, columns: int) -> Tensor:
        """A float32 matrix to write into."""
        return torch.empty((rows, columns), device=self.device)

    def product(self, images: Tensor, texts: Tensor, out: Tensor) -> Tensor:
        """images (b, d) times texts (m, d), added up in float32."""
        if images.dtype == torch.float32:
            return torch.matmul(images, texts.T, out=out)
        if images.device.type == "cpu":  # which has no product of bfloat16 into float32
            return torch.matmul(images.float(), texts.float().T, out=out)
        return torch.mm(images, texts.T, out_dtype=torch.float32, out=out)


def on_card(source: ScoreSource, device: torch.device, *, precision: str = "float32") -> ScoreSource:
    """The same scores, made and counted on `device`. Scores that are read from a file stay where they are."""
    if isinstance(source, DotProducts):
        scorer: Scorer = Cosine()
        images, texts = (np.asarray(each, np.float32)[None] for each in (source.images, source.texts))
    elif isinstance(source, SetScores):
        scorer, images, texts = source.scorer, source.images.vectors, source.texts.vectors[:, : source.n_texts]
    else:
        return source
    make_steady()  # TF32 would round the vectors
    engine, kind = TorchEngine(device), torch.bfloat16 if precision == "bfloat16" else torch.float32

    def items(vectors: Any, variance: Any) -> Items:
        exact = torch.from_numpy(np.ascontiguousarray(vectors)).to(device)
        rounded = exact.to(kind)
        spread = None if variance is None else torch.from_numpy(np.ascontiguousarray(variance)).to(device)
        return Items(rounded, rounded.float().square().sum(-1), spread, engine)

    of_images = source.images.variance if isinstance(source, SetScores) else None
    of_texts = source.texts.variance if isinstance(source, SetScores) else None
    of_texts = None if of_texts is None else of_texts[: source.n_texts]
    return CardScores(source, scorer, items(images, of_images), items(texts, of_texts))


@dataclass(frozen=True)
class CardScores:
    """Scores on a device. `source` has the same ones on the processor, for all but counting."""

    source: ScoreSource
    scorer: Scorer
    images: Items
    texts: Items

    @property
    def n_images(self) -> int:
        """How many images there are."""
        return len(self.images)

    @property
    def n_texts(self) -> int:
        """How many texts there are."""
        return len(self.texts)

    def block(self, start: int, stop: int) -> Scores:
        """The scores of some images and all texts, by the processor."""
        return self.source.block(start, stop)

    def own(self, images: Ints, texts: Ints) -> Scores:
        """The scores of pairs, by the processor."""
        return self.source.own(images, texts)

    def part(self, images: Ints, texts: Ints) -> ScoreSource:
        """The scores of some images and texts, on the processor."""
        return self.source.part(images, texts)

    def count(
        self,
        pairs: Pairs,
        *,
        order: Order | None = None,
        with_wrong: bool = False,
        on_progress: Callable[[int], None] | None = None,
    ) -> tuple[Scores, Counts]:
        """The scores of right pairs and the counts of all images, as `rank_both` needs them."""
        with torch.inference_mode():
            return _Counting(self, pairs, order, with_wrong=with_wrong).run(on_progress)


class _Counting:
    """One walk over all blocks. Counts of pairs stay on the device until the end."""

    def __init__(self, scores: CardScores, pairs: Pairs, order: Order | None, *, with_wrong: bool) -> None:
        self.scores, self.pairs, self.with_wrong = scores, pairs, with_wrong
        self.device = scores.images.squares.device
        self.image, self.text = (torch.from_numpy(each).to(self.device) for each in (pairs.image, pairs.text))
        self.order = None
        if order is not None:
            self.order = [
                torch.from_numpy(np.ascontiguousarray(each)).to(self.device) for each in (order.image, order.text)
            ]
        self.own = torch.zeros(len(pairs), device=self.device)
        self.of_texts, self.of_images = (
            torch.zeros((3, len(pairs)), dtype=torch.int64, device=self.device) for _ in "ab"
        )
        self.best_text, self.best_image = (_Best(n, self.device) for n in (pairs.n_images, pairs.n_texts))

    def run(self, on_progress: Callable[[int], None] | None) -> tuple[Scores, Counts]:
        """Own scores first, by the blocks that hold them, then everything."""
        for first, start, rows in self._blocks(only_own=True):
            here = self._pairs_of(first, start)
            self.own[here] = rows[self.image[here] - first, self.text[here] - start]
        by_image, by_text = self._layers(self.image), self._layers(self.text)
        for first, start, rows in self._blocks(only_own=False):
            here = self._pairs_of(first, start)
            rows[self.image[here] - first, self.text[here] - start] = -torch.inf
            for layer in by_image:
                self._count(rows, layer, first, self.of_texts, side=0, start=start)
            turned = rows.T
            for layer in by_text:
                self._count(turned, layer, start, self.of_images, side=1, start=first)
            if self.with_wrong:
                self.best_text.note(rows, first, start)
                self.best_image.note(turned, start, first)
            if on_progress is not None and start + TILE >= self.pairs.n_texts:
                on_progress(min(ROWS, self.pairs.n_images - first))
        of_texts, of_images = (each.cpu().numpy() for each in (self.of_texts, self.of_images))
        counts = Counts(
            of_texts[0], of_texts[1], of_texts[2], of_images[0], of_images[1], of_images[2],
            wrong_text=self.best_text.item.cpu().numpy(), wrong_image=self.best_image.item.cpu().numpy(),
            wrong_image_score=self.best_image.score.cpu().numpy().astype(np.float64),
        )  # fmt: skip
        return self.own.cpu().numpy(), counts

    def _blocks(self, *, only_own: bool) -> Iterator[tuple[int, int, Tensor]]:
        """The first image, the first text, and the scores of each block; `only_own` leaves out blocks without pairs."""
        needed = set(zip((self.pairs.image // ROWS).tolist(), (self.pairs.text // TILE).tolist(), strict=True))
        for first in range(0, self.pairs.n_images, ROWS):
            images = self.scores.images.part(first, first + ROWS)
            for start in range(0, self.pairs.n_texts, TILE):
                if not only_own or (first // ROWS, start // TILE) in needed:
                    texts = self.scores.texts.part(start, start + TILE)
                    yield first, start, self.scores.scorer.score_block(images, texts)

    def _pairs_of(self, first: int, start: int) -> Tensor:
        inside = (self.image >= first) & (self.image < first + ROWS)
        return torch.nonzero(inside & (self.text >= start) & (self.text < start + TILE))[:, 0]

    def _layers(self, of: Tensor) -> list[Tensor]:
        """For each image, or text, the number of its first right pair, of its second, and so on; -1 where none."""
        n = self.pairs.n_images if of is self.image else self.pairs.n_texts
        ordered = torch.argsort(of, stable=True)
        sorted_of = of[ordered]
        place = torch.arange(len(of), device=self.device) - torch.searchsorted(sorted_of, sorted_of)
        layers = []
        for number in range(int(place.max()) + 1 if len(place) else 0):
            layer = torch.full((n,), -1, dtype=torch.int64, device=self.device)
            chosen = place == number
            layer[sorted_of[chosen]] = ordered[chosen]
            layers.append(layer)
        return layers

    def _count(self, rows: Tensor, layer: Tensor, first: int, into: Tensor, *, side: int, start: int) -> None:
        """Add, for one right pair of each row, what scores more, the same, and the same but stands before."""
        numbers = layer[first : first + len(rows)]
        there = torch.nonzero(numbers >= 0)[:, 0]
        pair = numbers[there]
        chosen = rows if len(there) == len(rows) else rows[there]
        score = self.own[pair][:, None]
        same = chosen == score
        into[0, pair] += (chosen > score).sum(1)
        into[1, pair] += same.sum(1)
        if self.order is not None:
            of_items = self.order[1 - side]
            own_item = (self.text if side == 0 else self.image)[pair]
            places = of_items[start : start + rows.shape[1]][None]
            into[2, pair] += (same & (places < of_items[own_item][:, None])).sum(1)


class _Best:
    """The best wrong item of each query so far, the first one where several score the same."""

    def __init__(self, n: int, device: torch.device) -> None:
        self.item = torch.full((n,), -1, dtype=torch.int64, device=device)
        self.score = torch.full((n,), -torch.inf, device=device)

    def note(self, rows: Tensor, first: int, start: int) -> None:
        """Look at a block of queries from `first` and items from `start`."""
        best = rows.amax(1)
        numbers = torch.arange(start, start + rows.shape[1], device=rows.device)
        item = torch.where(rows == best[:, None], numbers, NOWHERE).amin(1)
        here = slice(first, first + len(rows))
        better = best > self.score[here]
        self.score[here] = torch.where(better, best, self.score[here])
        self.item[here] = torch.where(better, item, self.item[here])
