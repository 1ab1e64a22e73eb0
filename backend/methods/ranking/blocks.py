"""Ranks of right pairs in both directions, without the score matrix: one block of images at a time.

A block of scores is compared with the scores of the right pairs. These are taken out of the block first, so that an own
score never beats itself: two ways to compute one dot product differ in the last bit. Counts of different blocks add up,
so any number of workers can share them.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from backend.methods.ranking.ranking import Ints, Ranking, RankingError, make_ranking

Scores = NDArray[np.floating]
ROWS = 128  # images in a block; at most 255, as columns are added up in bytes
NOT_FINITE = "The score of image {image} and text {text} is {value}. Scores must be finite numbers."
TWICE = "The pair of image {image} and text {text} is given twice."
OUTSIDE = "The pair of image {image} and text {text} is outside of the {n_images:,} images and {n_texts:,} texts."


class ScoreSource(Protocol):
    """Scores of all images and texts; higher is better."""

    @property
    def n_images(self) -> int:
        """How many images there are."""

    @property
    def n_texts(self) -> int:
        """How many texts there are."""

    def block(self, start: int, stop: int) -> Scores:
        """The scores of some images and all texts, (stop - start, n_texts), an array that the caller may change."""

    def own(self, images: Ints, texts: Ints) -> Scores:
        """The scores of pairs, (p,), by images ascending, to the last bit those of `block`, if that is possible."""

    def part(self, images: Ints, texts: Ints) -> ScoreSource:
        """The scores of some images and texts, in this order."""


@runtime_checkable
class CountsItself(Protocol):
    """Scores of all images and texts that are counted where they are made, on a GPU."""

    def count(
        self, pairs: Pairs, *, order: Order | None, with_wrong: bool, on_progress: Callable[[int], None] | None
    ) -> tuple[Scores, Counts]:
        """The scores of right pairs, and the counts of all images."""


class DotProducts:
    """Dot products of embeddings, images (n, d) and texts (m, d), rounded to float32."""

    def __init__(self, images: NDArray[np.floating], texts: NDArray[np.floating]) -> None:
        self._images = images
        self.n_images, self.n_texts = len(images), len(texts)
        # A product in float32 uses several kernels, which round differently: on some processors equal vectors then
        # have unequal scores.
        self._texts = texts.astype(np.float64)

    def block(self, start: int, stop: int) -> Scores:
        """The scores of some images and all texts."""
        return self._product(start, stop, self._texts)

    def own(self, images: Ints, texts: Ints) -> Scores:
        """The scores of pairs, by products of the same images and only their texts."""
        found = np.empty(len(images), np.float32)
        edges = np.searchsorted(images, np.arange(0, self.n_images + ROWS, ROWS))
        for number in np.flatnonzero(np.diff(edges)):
            here = slice(edges[number], edges[number + 1])
            columns, place = np.unique(texts[here], return_inverse=True)
            start = int(number) * ROWS
            rows = self._product(start, min(start + ROWS, self.n_images), self._texts[columns])
            found[here] = rows[images[here] - start, place]
        return found

    @property
    def images(self) -> NDArray[np.floating]:
        """The vectors of the images."""
        return self._images

    @property
    def texts(self) -> NDArray[np.float64]:
        """The vectors of the texts."""
        return self._texts

    def part(self, images: Ints, texts: Ints) -> DotProducts:
        """The scores of some images and texts."""
        return DotProducts(self._images[images], self._texts[texts])

    def _product(self, start: int, stop: int, texts: NDArray[np.float64]) -> Scores:
        rows: Scores = (self._images[start:stop].astype(np.float64) @ texts.T).astype(np.float32)
        return rows


class ScoreMatrix:
    """Scores that exist already, images by rows or, `transposed`, by columns; the array may lie in a file."""

    def __init__(self, matrix: NDArray[np.generic], *, transposed: bool = False) -> None:
        self._matrix = matrix.T if transposed else matrix
        self._rows: Ints | None = None
        self._columns: Ints | None = None
        self.n_images, self.n_texts = self._matrix.shape
        self._type = np.float32 if matrix.dtype in (np.float16, np.float32) else np.float64

    def block(self, start: int, stop: int) -> Scores:
        """The scores of some images and all texts. Raises RankingError for NaN and infinity."""
        rows = self._matrix[start:stop] if self._rows is None else self._matrix[self._rows[start:stop]]
        block: Scores = np.array(rows if self._columns is None else rows[:, self._columns], self._type, order="C")
        if not np.isfinite(block).all():
            image, text = (int(each[0]) for each in np.nonzero(~np.isfinite(block)))
            raise RankingError(NOT_FINITE.format(image=image + start, text=text, value=block[image, text]))
        return block

    def own(self, images: Ints, texts: Ints) -> Scores:
        """The scores of pairs."""
        rows = images if self._rows is None else self._rows[images]
        columns = texts if self._columns is None else self._columns[texts]
        return np.asarray(self._matrix[rows, columns]).astype(self._type)

    def part(self, images: Ints, texts: Ints) -> ScoreMatrix:
        """The scores of some images and texts; nothing is loaded."""
        found = copy(self)
        found._rows = images if self._rows is None else self._rows[images]
        found._columns = texts if self._columns is None else self._columns[texts]
        found.n_images, found.n_texts = len(images), len(texts)
        return found


@dataclass(frozen=True)
class Pairs:
    """Which texts are right for which images, sorted by image and text."""

    image: Ints
    text: Ints
    n_images: int
    n_texts: int

    def __len__(self) -> int:
        """How many right pairs there are."""
        return len(self.image)


def make_pairs(image: Ints, text: Ints, *, n_images: int, n_texts: int) -> Pairs:
    """Right pairs in any order, as Pairs. Raises RankingError for a pair that comes twice or does not exist."""
    image, text = np.asarray(image, np.int64), np.asarray(text, np.int64)
    order = np.lexsort((text, image))
    image, text = image[order], text[order]
    outside = (image < 0) | (image >= n_images) | (text < 0) | (text >= n_texts)
    if outside.any():
        at = int(outside.argmax())
        raise RankingError(OUTSIDE.format(image=image[at], text=text[at], n_images=n_images, n_texts=n_texts))
    twice = np.flatnonzero((image[1:] == image[:-1]) & (text[1:] == text[:-1]))
    if len(twice):
        raise RankingError(TWICE.format(image=image[twice[0]], text=text[twice[0]]))
    return Pairs(image, text, n_images, n_texts)


@dataclass
class Counts:
    """For each right pair how many wrong texts of its image, and wrong images of its text, score more or the same.

    `before` are those with the same score that stand earlier in the fixed order. `wrong` is the best wrong text of each
    image and the best wrong image of each text, -1 where there is none. Counts of different images add up.
    """

    text_above: Ints
    text_tied: Ints
    text_before: Ints
    image_above: Ints
    image_tied: Ints
    image_before: Ints
    wrong_text: Ints
    wrong_image: Ints
    wrong_image_score: Scores

    @classmethod
    def empty(cls, pairs: Pairs) -> Counts:
        """Nothing counted yet."""
        text_above, text_tied, text_before, image_above, image_tied, image_before = np.zeros((6, len(pairs)), np.int64)
        return cls(
            text_above,
            text_tied,
            text_before,
            image_above,
            image_tied,
            image_before,
            wrong_text=np.full(pairs.n_images, -1, np.int64),
            wrong_image=np.full(pairs.n_texts, -1, np.int64),
            wrong_image_score=np.full(pairs.n_texts, -np.inf),
        )

    def add(self, other: Counts) -> None:
        """Add the counts of other images, which come after these."""
        for name in ("text_above", "text_tied", "text_before", "image_above", "image_tied", "image_before"):
            getattr(self, name).__iadd__(getattr(other, name))
        np.maximum(self.wrong_text, other.wrong_text, out=self.wrong_text)
        better = other.wrong_image_score > self.wrong_image_score
        self.wrong_image[better] = other.wrong_image[better]
        self.wrong_image_score[better] = other.wrong_image_score[better]


@dataclass(frozen=True)
class Order:
    """A fixed order of equal scores: the place of each image and of each text, smaller first."""

    image: Ints
    text: Ints


class Counting(Protocol):
    """A way to count all images, with the counts that `count_rows` gives."""

    def __call__(
        self,
        scores: ScoreSource,
        pairs: Pairs,
        own: Scores,
        *,
        order: Order | None = None,
        with_wrong: bool = False,
        rows: int = ROWS,
        on_progress: Callable[[int], None] | None = None,
    ) -> Counts:
        """The counts of all images, where `own` are the scores of all right pairs."""


class _OtherBitsError(Exception):
    """The scores of right pairs are not those of the blocks."""


def rank_both(
    scores: ScoreSource,
    pairs: Pairs,
    *,
    order: Order | None = None,
    with_wrong: bool = False,
    rows: int = ROWS,
    on_progress: Callable[[int], None] | None = None,
    counting: Counting | None = None,
) -> tuple[Ranking, Ranking, Counts]:
    """The rankings image to text and text to image, and the counts they are made from.

    `order` is the order of equal scores for the ties `stable` and `docno`; without it there are none of these.
    `counting` counts instead of `count_rows`, for example together with other processes.
    Raises RankingError for scores that are not finite.
    """
    if isinstance(scores, CountsItself):
        own, counts = scores.count(pairs, order=order, with_wrong=with_wrong, on_progress=on_progress)
        return (*rankings_of(pairs, own, counts, order), counts)
    count = count_rows if counting is None else counting
    own = scores.own(pairs.image, pairs.text)
    try:
        counts = count(scores, pairs, own, order=order, with_wrong=with_wrong, rows=rows, on_progress=on_progress)
    except _OtherBitsError:
        own = _own_of_blocks(scores, pairs, rows)
        counts = count(scores, pairs, own, order=order, with_wrong=with_wrong, rows=rows, on_progress=on_progress)
    return (*rankings_of(pairs, own, counts, order), counts)


def rankings_of(pairs: Pairs, own: Scores, counts: Counts, order: Order | None) -> tuple[Ranking, Ranking]:
    """The rankings image to text and text to image from the counts of all images."""
    to_text = make_ranking(
        pairs.image, pairs.text, own, counts.text_above, counts.text_tied,
        n_queries=pairs.n_images, n_items=pairs.n_texts,
        before=counts.text_before if order else None, priority=order.text if order else None,
    )  # fmt: skip
    to_image = make_ranking(
        pairs.text, pairs.image, own, counts.image_above, counts.image_tied,
        n_queries=pairs.n_texts, n_items=pairs.n_images,
        before=counts.image_before if order else None, priority=order.image if order else None,
    )  # fmt: skip
    return to_text, to_image


def count_rows(
    scores: ScoreSource,
    pairs: Pairs,
    own: Scores,
    *,
    start: int = 0,
    stop: int | None = None,
    order: Order | None = None,
    with_wrong: bool = False,
    rows: int = ROWS,
    on_progress: Callable[[int], None] | None = None,
) -> Counts:
    """The counts that the images from `start` to `stop` give, where `own` are the scores of all right pairs."""
    if not 1 <= rows <= 255:
        raise ValueError(f"A block has 1 to 255 images, not {rows}.")
    counts, layers = Counts.empty(pairs), _layers(pairs)
    stop = scores.n_images if stop is None else stop
    for first in range(start, stop, rows):
        last = min(first + rows, stop)
        block = scores.block(first, last)
        here = slice(*np.searchsorted(pairs.image, [first, last]))
        image, text = pairs.image[here] - first, pairs.text[here]
        if not np.array_equal(block[image, text], own[here]):
            raise _OtherBitsError
        block[image, text] = -np.inf
        _count_texts(block, pairs, own, here, first, order, counts)
        for layer in layers:
            _count_images(block, own, layer, first, order, pairs, counts)
        if with_wrong:
            _note_wrong(block, first, counts)
        if on_progress is not None:
            on_progress(last - first)
    return counts


def _own_of_blocks(scores: ScoreSource, pairs: Pairs, rows: int) -> Scores:
    """The scores of right pairs as the blocks have them: all blocks once more."""
    found = []
    for first in range(0, scores.n_images, rows):
        last = min(first + rows, scores.n_images)
        here = slice(*np.searchsorted(pairs.image, [first, last]))
        found.append(scores.block(first, last)[pairs.image[here] - first, pairs.text[here]])
    return np.concatenate(found) if found else np.zeros(0, np.float32)


def _count_texts(
    block: Scores, pairs: Pairs, own: Scores, here: slice, first: int, order: Order | None, counts: Counts
) -> None:
    """For each right pair of the block: the wrong texts of its image."""
    for at in range(here.start, here.stop):
        row, score = block[pairs.image[at] - first], own[at]
        counts.text_above[at] = above = np.count_nonzero(row > score)
        counts.text_tied[at] = tied = np.count_nonzero(row >= score) - above
        if tied and order is not None:
            equals = order.text[np.flatnonzero(row == score)]
            counts.text_before[at] = np.count_nonzero(equals < order.text[pairs.text[at]])


@dataclass(frozen=True)
class _Layer:
    """One right pair of each of some texts: of the first layer all texts, of the next those with two, and so on."""

    pair: Ints
    text: Ints
    is_all: bool


def _layers(pairs: Pairs) -> list[_Layer]:
    by_text = np.lexsort((pairs.image, pairs.text))
    text = pairs.text[by_text]
    place = np.arange(len(text)) - np.searchsorted(text, text)
    numbers = range(int(place.max()) + 1 if len(place) else 0)
    return [_Layer(by_text[place == n], text[place == n], (place == n).sum() == pairs.n_texts) for n in numbers]


def _count_images(
    block: Scores, own: Scores, layer: _Layer, first: int, order: Order | None, pairs: Pairs, counts: Counts
) -> None:
    """For one right pair of each text: the wrong images of the block."""
    columns = block if layer.is_all else block[:, layer.text]
    score = own[layer.pair]
    above, least = _column_sums(columns > score), _column_sums(columns >= score)
    tied = least - above
    counts.image_above[layer.pair] += above
    counts.image_tied[layer.pair] += tied
    if order is None or not tied.any():
        return
    at = np.flatnonzero(tied)
    place = order.image[first : first + len(block), None]
    earlier = (columns[:, at] == score[at]) & (place < order.image[pairs.image[layer.pair[at]]])
    counts.image_before[layer.pair[at]] += _column_sums(earlier)


def _column_sums(mask: NDArray[np.bool_]) -> Ints:
    sums: Ints = np.add.reduce(mask.view(np.uint8), axis=0, dtype=np.uint8).astype(np.int64)
    return sums


def _note_wrong(block: Scores, first: int, counts: Counts) -> None:
    """The best wrong text of each image of the block, and the best wrong image of each text so far."""
    if not block.size:
        return
    best = block.argmax(axis=1)
    is_there = block[np.arange(len(block)), best] > -np.inf
    counts.wrong_text[first : first + len(block)] = np.where(is_there, best, -1)
    most = block.max(axis=0)
    better = np.flatnonzero(most > counts.wrong_image_score)
    counts.wrong_image[better] = first + block[:, better].argmax(axis=0)
    counts.wrong_image_score[better] = most[better]
