"""Ranks on a GPU: blocks of scores are made and counted there, and only counts come back.

The arithmetic is that of the scorers, with torch in the place of numpy. A pair's own score is taken from the very block
that it is counted in, so that an own score never beats itself and equal vectors tie. With CONNOTE_PRECISION=bfloat16
vectors are rounded to bfloat16 and products are added up in float32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from backend.methods.ranking import Counts, DotProducts, Order, Pairs, ScoreSource
from backend.methods.ranking.blocks import Scores
from backend.methods.ranking.ranking import Ints
from backend.methods.ranking.scorers import Cosine, Items, Scorer, SetScores
from workers.engines.devices import free_bytes, make_steady

ROWS, TILE = 1024, 8192  # images and texts of a block on the card
LAYERS = 8  # right pairs of each row that are compared at once
BYTES = 128  # that are added up in one byte
SHARE = 4  # of the free memory, one part for blocks that are used twice


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
    """One walk over all blocks. Nothing waits for the device before the end: which pairs a block has, and which of them
    its rows ask for, is known beforehand."""

    def __init__(self, scores: CardScores, pairs: Pairs, order: Order | None, *, with_wrong: bool) -> None:
        self.scores, self.pairs, self.with_wrong = scores, pairs, with_wrong
        self.device = scores.images.squares.device
        self.order = None if order is None else [self._send(each) for each in (order.image, order.text)]
        self.image, self.text = (self._send(np.r_[each, 0]) for each in (pairs.image, pairs.text))
        self.n_tiles = -(-pairs.n_texts // TILE)
        block = pairs.image // ROWS * self.n_tiles + pairs.text // TILE
        by_block = np.argsort(block, kind="stable")
        self.edges = np.searchsorted(block[by_block], np.arange(self.n_blocks + 1)).tolist()
        self.by_block = self._send(by_block)
        self.row, self.column = self._send(pairs.image[by_block] % ROWS), self._send(pairs.text[by_block] % TILE)
        # One place more than there are pairs: what a row without a pair asks for. Nothing scores as much.
        self.own = torch.full((len(pairs) + 1,), torch.inf, device=self.device)
        self.of_texts, self.of_images = (
            torch.zeros((3, len(pairs) + 1), dtype=torch.int32, device=self.device) for _ in "ab"
        )
        self.best_text, self.best_image = (_Best(n, self.device) for n in (pairs.n_images, pairs.n_texts))

    @property
    def n_blocks(self) -> int:
        return -(-self.pairs.n_images // ROWS) * self.n_tiles

    def run(self, on_progress: Callable[[int], None] | None) -> tuple[Scores, Counts]:
        """Own scores first, by the blocks that hold them, then everything."""
        made = self._find_own()
        by_image = self._ask(self.pairs.image, self.pairs.n_images, ROWS)
        by_text = self._ask(self.pairs.text, self.pairs.n_texts, TILE)
        for number in range(self.n_blocks):
            row, tile = divmod(number, self.n_tiles)
            first, start = row * ROWS, tile * TILE
            rows = made.pop(number) if number in made else self._make(number)
            here = slice(self.edges[number], self.edges[number + 1])
            rows[self.row[here], self.column[here]] = -torch.inf
            self._count(rows, by_image[row], self.of_texts, side=0, start=start)
            self._count(rows.T, by_text[tile], self.of_images, side=1, start=first)
            if self.with_wrong:
                self.best_text.note(rows, first, start)
                self.best_image.note(rows.T, start, first)
            if on_progress is not None and tile + 1 == self.n_tiles:
                on_progress(min(ROWS, self.pairs.n_images - first))
        of_texts, of_images = (each[:, :-1].cpu().numpy().astype(np.int64) for each in (self.of_texts, self.of_images))
        counts = Counts(
            of_texts[0], of_texts[1], of_texts[2], of_images[0], of_images[1], of_images[2],
            wrong_text=self.best_text.item.cpu().numpy(), wrong_image=self.best_image.item.cpu().numpy(),
            wrong_image_score=self.best_image.score.cpu().numpy().astype(np.float64),
        )  # fmt: skip
        return self.own[:-1].cpu().numpy(), counts

    def _send(self, numbers: Ints) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(numbers)).to(self.device)

    def _make(self, number: int) -> Tensor:
        """The scores of a block."""
        row, tile = divmod(number, self.n_tiles)
        images = self.scores.images.part(row * ROWS, (row + 1) * ROWS)
        texts = self.scores.texts.part(tile * TILE, (tile + 1) * TILE)
        block: Tensor = self.scores.scorer.score_block(images, texts)
        return block

    def _find_own(self) -> dict[int, Tensor]:
        """Fill in the scores of right pairs. Gives the blocks that were made for it, as far as they fit in memory."""
        made: dict[int, Tensor] = {}
        room = free_bytes(self.device) // SHARE
        for number in range(self.n_blocks):
            here = slice(self.edges[number], self.edges[number + 1])
            if here.start == here.stop:
                continue
            block = self._make(number)
            self.own[self.by_block[here]] = block[self.row[here], self.column[here]]
            if (room := room - block.nbytes) >= 0:
                made[number] = block
        return made

    def _ask(self, of: Ints, n: int, size: int) -> list[_Asked]:
        """For each `size` queries in turn, the pairs that they ask for, where `of` is the query of each pair."""
        order = np.argsort(of, kind="stable")
        query = of[order]
        layer = np.arange(len(of)) - np.searchsorted(query, query)
        asked = []
        for first in range(0, n, size):
            rows = min(size, n - first)
            here = slice(*np.searchsorted(query, (first, first + rows)))
            pair, row, number = order[here], query[here] - first, layer[here]
            wide = np.full((int((np.bincount(number) * 2 >= rows).sum()), rows), len(of))
            is_wide = number < len(wide)
            wide[number[is_wide], row[is_wide]] = pair[is_wide]
            asked.append(_Asked(self._send(wide), self._send(pair[~is_wide]), self._send(row[~is_wide])))
        return asked

    def _count(self, rows: Tensor, asked: _Asked, into: Tensor, *, side: int, start: int) -> None:
        """Count what each pair that the rows ask for has before it."""
        for pairs in asked.wide.split(LAYERS):
            self._add(rows, pairs, into, side, start)
        for pairs, here in zip(asked.pairs.split(len(rows)), asked.rows.split(len(rows)), strict=True):
            self._add(rows[here], pairs, into, side, start)

    def _add(self, rows: Tensor, pairs: Tensor, into: Tensor, side: int, start: int) -> None:
        """Add what scores more, the same, and the same but stands before, for a pair of each row, or for several."""
        score, numbers = self.own[pairs][..., None], pairs.flatten()
        same = rows == score
        into[0].index_add_(0, numbers, _n_true(rows > score).flatten())
        into[1].index_add_(0, numbers, _n_true(same).flatten())
        if self.order is not None:
            of_items = self.order[1 - side]
            own_item = (self.text if side == 0 else self.image)[pairs]
            places = of_items[start : start + rows.shape[-1]]
            into[2].index_add_(0, numbers, _n_true(same & (places < of_items[own_item][..., None])).flatten())


@dataclass(frozen=True)
class _Asked:
    """The right pairs of some queries. `wide` (layers, rows): the first pair of each query, the second, and so on, as
    long as half of the queries have one; the number of all pairs where one has none. `pairs` are the others, and `rows`
    says of which query each is."""

    wide: Tensor
    pairs: Tensor
    rows: Tensor


def _n_true(mask: Tensor) -> Tensor:
    """How many are true along the last dimension.

    torch's own sum first makes a larger number of each byte, which takes longer than the comparison. So bytes are added
    up as bytes, few enough at a time.
    """
    whole = mask.shape[-1] // BYTES
    pieces = mask[..., : whole * BYTES].view(torch.uint8).unflatten(-1, (whole, BYTES))
    found: Tensor = pieces.sum(-1, dtype=torch.uint8).sum(-1, dtype=torch.int32)
    return found + mask[..., whole * BYTES :].sum(-1, dtype=torch.int32)


class _Best:
    """The best wrong item of each query so far, the first one where several score the same."""

    def __init__(self, n: int, device: torch.device) -> None:
        self.item = torch.full((n,), -1, dtype=torch.int64, device=device)
        self.score = torch.full((n,), -torch.inf, device=device)

    def note(self, rows: Tensor, first: int, start: int) -> None:
        """Look at a block of queries from `first` and items from `start`."""
        best, item = rows.max(1)  # the first one, if several are largest
        here = slice(first, first + len(rows))
        better = best > self.score[here]
        self.score[here] = torch.where(better, best, self.score[here])
        self.item[here] = torch.where(better, item + start, self.item[here])
