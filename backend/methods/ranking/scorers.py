"""Scores of items that are sets of vectors, or means with variances: the heads of one-to-many models.

With D = I T^T of an image's vectors I (Ki, d) and a text's vectors T (Kt, d), all of length 1:

    cosine                   D, where Ki = Kt = 1
    pvse_max                 max D                                                (Song and Soleymani 2019)
    chamfer                  1/2 [mean_x max_y D + mean_y max_x D]                (Kim et al. 2023)
    smooth_chamfer           1/2 [mean_x 1/a log sum_y e^(aD) + mean_y 1/a log sum_x e^(aD)], a = 16   (Kim et al. 2023)
    pcme_matmul              sum D                                                (Chun et al. 2021, their code)
    pcme_probability         mean of s(-a |z - z'| + b), s(x) = e^x / (e^x + e^-x)   (Chun et al. 2021)
    csd                      -(|mu - mu'|^2 + sum e^l + sum e^l'), l the log-variances  (PCME++: Chun 2024)

A scorer takes a block of n images and a block of m texts and gives their scores, float32 (n, m). It makes one product
of two matrices for each pair of members and reduces it in place, so there is never an array (n, m, Ki, Kt). The
arithmetic is numpy's or torch's: `Items.engine` says which. Vectors of images and texts have the same number d of
dimensions; if not, numpy raises ValueError, and torch RuntimeError. Scores have no unit, except that of `csd` below.

Sources:
  Song and Soleymani, Polysemous Visual-Semantic Embedding for Cross-Modal Retrieval, CVPR 2019 (PVSE).
  Chun et al., Probabilistic Embeddings for Cross-Modal Retrieval, CVPR 2021 (PCME).
  Kim, Kim and Kwak, Improving Cross-Modal Retrieval with Set of Diverse Embeddings, CVPR 2023 (DivE).
  Chun, Improved Probabilistic Image-Text Representations, ICLR 2024 (PCME++).

>>> import numpy as np
>>> images = np.array([[[1.0, 0, 0], [0, 1, 0]]], np.float32)
>>> texts = np.array([[[1.0, 1, 0], [0, 1, 1]]], np.float32) / np.sqrt(2, dtype=np.float32)
>>> {name: round(float(SCORERS[name]().score_block(items_of(images), items_of(texts))[0, 0]), 4) for name in SETS}
{'pvse_max': 0.7071, 'chamfer': 0.7071, 'smooth_chamfer': 0.7288, 'pcme_matmul': 2.1213, 'pcme_probability': 0.6884}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.methods.ranking.blocks import ROWS, Scores
from backend.methods.ranking.ranking import Ints

TILE = 2048  # texts at once: what a block and its parts need then stays in the cache of a processor
EPSILON = 1e-6  # under the square root, as PCME has it
MOST_ALPHA = 80.0  # e^80 is a float32
Array = Any  # numpy's or torch's


class Engine(Protocol):
    """What computes: numpy here, torch in the workers."""

    @property
    def xp(self) -> Any:
        """A module with exp, log, sqrt, add, maximum and matmul, all with `out`."""

    def empty(self, rows: int, columns: int) -> Array:
        """A float32 matrix to write into."""

    def product(self, images: Array, texts: Array, out: Array) -> Array:
        """images (b, d) times texts (m, d), written into `out`, a float32 matrix, and returned."""


class NumpyEngine:
    """The processor, by numpy."""

    xp = np

    def empty(self, rows: int, columns: int) -> Array:
        """A float32 matrix to write into."""
        return np.empty((rows, columns), np.float32)

    def product(self, images: Array, texts: Array, out: Array) -> Array:
        """images (b, d) times texts (m, d), added up in float64: see DotProducts."""
        np.copyto(out, images.astype(np.float64) @ texts.T.astype(np.float64), casting="same_kind")
        return out


NUMPY = NumpyEngine()


@dataclass(frozen=True)
class Items:
    """n images or texts: `vectors` (K, n, d); `squares` (K, n), their squared lengths; `variance` (n,), the sum of
    each item's d variances, where its vector is a mean."""

    vectors: Array
    squares: Array
    variance: Array | None = None
    engine: Engine = NUMPY

    def __len__(self) -> int:
        """How many items there are."""
        return int(self.vectors.shape[1])

    @property
    def n_members(self) -> int:
        """How many vectors each item has."""
        return int(self.vectors.shape[0])

    def part(self, start: int, stop: int) -> Items:
        """Some of the items."""
        variance = None if self.variance is None else self.variance[start:stop]
        return Items(self.vectors[:, start:stop], self.squares[:, start:stop], variance, self.engine)


def items_of(vectors: NDArray[np.floating], variance: NDArray[np.floating] | None = None) -> Items:
    """Items from vectors (n, K, d) or (n, d), and the sum of each item's variances (n,). All become float32.

    Raises ValueError for arrays of other shapes.
    """
    sets = vectors[:, None] if vectors.ndim == 2 else vectors
    turned = np.ascontiguousarray(sets.swapaxes(0, 1), np.float32)
    squares = np.einsum("knd,knd->kn", turned, turned)
    return Items(turned, squares, None if variance is None else np.asarray(variance, np.float32))


class Scorer(Protocol):
    """How an image and a text match; higher is better. The classes below have the equations and the sources."""

    name: ClassVar[str]

    def score_block(self, images: Items, texts: Items) -> Array:
        """The scores of n images and m texts, float32 (n, m), on the device of the images."""


def _products(images: Items, texts: Items, x: int, buffer: Array) -> Iterator[tuple[int, Array]]:
    """For member x of the images: the number of each member of the texts and its products, one buffer for all."""
    for y in range(texts.n_members):
        yield y, images.engine.product(images.vectors[x], texts.vectors[y], buffer)


@dataclass(frozen=True)
class Cosine:
    """cos(i, t) = i . t of the only members (1, n, d), which have length 1: from -1 to 1."""

    name: ClassVar[str] = "cosine"

    def score_block(self, images: Items, texts: Items) -> Array:
        """The products of the only members."""
        out = images.engine.empty(len(images), len(texts))
        return images.engine.product(images.vectors[0], texts.vectors[0], out)


@dataclass(frozen=True)
class PvseMax:
    """s(I, T) = max over x, y of cos(i_x, t_y): from -1 to 1.

    PVSE's multiple instance learning: an image and a text match if one of the K^2 pairs of members does.
    """

    name: ClassVar[str] = "pvse_max"

    def score_block(self, images: Items, texts: Items) -> Array:
        """max D."""
        engine = images.engine
        best, buffer = (engine.empty(len(images), len(texts)) for _ in range(2))
        for x in range(images.n_members):
            for y, product in _products(images, texts, x, buffer):
                if x == y == 0:
                    best[:] = product
                else:
                    engine.xp.maximum(best, product, out=best)
        return best


@dataclass(frozen=True)
class Chamfer:
    """s(I, T) = 1 / (2 Ki) sum_x max_y cos(i_x, t_y) + 1 / (2 Kt) sum_y max_x cos(i_x, t_y): from -1 to 1.

    Each member with the nearest one of the other set, averaged: what smooth-Chamfer (DivE) makes smooth.
    """

    name: ClassVar[str] = "chamfer"

    def score_block(self, images: Items, texts: Items) -> Array:
        """1/2 [mean_x max_y D + mean_y max_x D]."""
        engine, xp = images.engine, images.engine.xp
        total, buffer, of_row = (engine.empty(len(images), len(texts)) for _ in range(3))
        of_columns = [engine.empty(len(images), len(texts)) for _ in range(texts.n_members)]
        total[:] = 0
        for x in range(images.n_members):
            for y, product in _products(images, texts, x, buffer):
                _gather(xp.maximum, of_row, product, is_first=y == 0)
                _gather(xp.maximum, of_columns[y], product, is_first=x == 0)
            of_row *= 1 / (2 * images.n_members)
            xp.add(total, of_row, out=total)
        for of_column in of_columns:
            of_column *= 1 / (2 * texts.n_members)
            xp.add(total, of_column, out=total)
        return total


@dataclass(frozen=True)
class SmoothChamfer:
    """s(I, T) = 1 / (2 a Ki) sum_x log sum_y e^(a cos(i_x, t_y)) + 1 / (2 a Kt) sum_y log sum_x e^(a cos(i_x, t_y)).

    DivE's similarity of sets, with a = `alpha`, which has no unit. For large a it is Chamfer; it is larger than that by
    at most log(K) / a. `alpha` is above 0 and at most MOST_ALPHA, or e^(a cos) is not a float32: `Settings` refuses
    others.
    """

    name: ClassVar[str] = "smooth_chamfer"
    alpha: float = 16.0

    def score_block(self, images: Items, texts: Items) -> Array:
        """1/2 [mean_x 1/a log sum_y e^(aD) + mean_y 1/a log sum_x e^(aD)]."""
        engine, xp = images.engine, images.engine.xp
        total, buffer, of_row = (engine.empty(len(images), len(texts)) for _ in range(3))
        of_columns = [engine.empty(len(images), len(texts)) for _ in range(texts.n_members)]
        total[:] = 0
        hot = replace(images, vectors=images.vectors * self.alpha)
        for x in range(images.n_members):
            for y, product in _products(hot, texts, x, buffer):
                xp.exp(product, out=product)
                _gather(xp.add, of_row, product, is_first=y == 0)
                _gather(xp.add, of_columns[y], product, is_first=x == 0)
            self._add_log(xp, total, of_row, images.n_members)
        for of_column in of_columns:
            self._add_log(xp, total, of_column, texts.n_members)
        return total

    def _add_log(self, xp: Any, total: Array, sums: Array, n: int) -> None:
        xp.log(sums, out=sums)
        sums *= 1 / (2 * n * self.alpha)
        xp.add(total, sums, out=total)


def _gather(how: Any, into: Array, values: Array, *, is_first: bool) -> None:
    if is_first:
        into[:] = values
    else:
        how(into, values, out=into)


@dataclass(frozen=True)
class PcmeMatmul:
    """s(I, T) = sum over x, y of i_x . t_y, which is (sum_x i_x) . (sum_y t_y). It grows with Ki and Kt.

    The members are samples z of PCME's normal distributions. Its code ranks by this sum by default.
    """

    name: ClassVar[str] = "pcme_matmul"

    def score_block(self, images: Items, texts: Items) -> Array:
        """sum D, which is the product of the sums of both sets."""
        out = images.engine.empty(len(images), len(texts))
        return images.engine.product(images.vectors.sum(0), texts.vectors.sum(0), out)


@dataclass(frozen=True)
class PcmeProbability:
    """p(I, T) = 1 / (Ki Kt) sum over x, y of s(-a |i_x - t_y| + b), with s(x) = e^x / (e^x + e^-x): from 0 to 1.

    PCME's matching probability, where the members are samples of its normal distributions and |.| is the Euclidean
    distance; EPSILON is added to its square. a = `scale` is in one over that distance and b = `shift` has no unit.
    """

    name: ClassVar[str] = "pcme_probability"
    scale: float = 5.0
    shift: float = 5.0

    def score_block(self, images: Items, texts: Items) -> Array:
        """With s(x) = e^x / (e^x + e^-x) = 1 / (1 + e^-2x). Small probabilities keep their digits."""
        engine, xp = images.engine, images.engine.xp
        total, buffer = (engine.empty(len(images), len(texts)) for _ in range(2))
        total[:] = 0
        for x in range(images.n_members):
            for y, values in _products(images, texts, x, buffer):
                values *= -2
                values += images.squares[x][:, None]
                values += texts.squares[y][None, :]
                values.clip(0, None, out=values) if xp is np else values.clamp_(min=0)
                values += EPSILON
                xp.sqrt(values, out=values)
                values *= 2 * self.scale
                values -= 2 * self.shift
                values.clip(-MOST_ALPHA, MOST_ALPHA, out=values) if xp is np else values.clamp_(-MOST_ALPHA, MOST_ALPHA)
                xp.exp(values, out=values)
                values += 1
                values **= -1
                xp.add(total, values, out=total)
        total *= 1 / (images.n_members * texts.n_members)
        return total


@dataclass(frozen=True)
class Csd:
    """-d(I, T) with d = |mu - mu'|^2 + the sum of all (sigma^2 + sigma'^2): at most 0, a negative squared length.

    PCME++'s closed-form sampled distance of two normal distributions (its equation 1). The members are the means mu;
    `Items.variance` (n,) has the sums of sigma^2 = e^l. Raises TypeError for items without variances.
    """

    name: ClassVar[str] = "csd"

    def score_block(self, images: Items, texts: Items) -> Array:
        """-(|mu - mu'|^2 + sum e^l + sum e^l')."""
        out = images.engine.empty(len(images), len(texts))
        images.engine.product(images.vectors[0], texts.vectors[0], out)
        out *= 2
        out -= (images.squares[0] + images.variance)[:, None]
        out -= (texts.squares[0] + texts.variance)[None, :]
        return out


SCORERS: dict[str, type[Any]] = {
    each.name: each for each in (Cosine, PvseMax, Chamfer, SmoothChamfer, PcmeMatmul, PcmeProbability, Csd)
}
SETS = ("pvse_max", "chamfer", "smooth_chamfer", "pcme_matmul", "pcme_probability")  # what scores sets of vectors


class SetScores:
    """The scores of all images and texts by a scorer, a source of scores for `rank_both`.

    Raises whatever the scorer raises: ValueError for vectors of different numbers of dimensions.
    """

    def __init__(self, scorer: Scorer, images: Items, texts: Items) -> None:
        self.scorer, self.images = scorer, images
        self.n_images, self.n_texts = len(images), len(texts)
        # Zeros up to a multiple of 64: numpy then computes all of them in the same way.
        self.texts = _padded(texts, -(-max(1, len(texts)) // 64) * 64)

    def block(self, start: int, stop: int) -> Scores:
        """The scores of some images and all texts."""
        return self._scores(start, stop, self.texts)[:, : self.n_texts]

    def own(self, images: Ints, texts: Ints) -> Scores:
        """The scores of pairs, by blocks of the same images and only their texts."""
        found = np.empty(len(images), np.float32)
        edges = np.searchsorted(images, np.arange(0, self.n_images + ROWS, ROWS))
        for number in np.flatnonzero(np.diff(edges)):
            here = slice(edges[number], edges[number + 1])
            columns, place = np.unique(texts[here], return_inverse=True)
            chosen = _padded(taken(self.texts, columns), -(-len(columns) // 64) * 64)
            start = int(number) * ROWS
            found[here] = self._scores(start, min(start + ROWS, self.n_images), chosen)[images[here] - start, place]
        return found

    def part(self, images: Ints, texts: Ints) -> SetScores:
        """The scores of some images and texts."""
        return SetScores(self.scorer, taken(self.images, images), taken(self.texts, texts))

    def _scores(self, start: int, stop: int, texts: Items) -> Scores:
        rows = _padded(self.images.part(start, stop), -(-(stop - start) // 32) * 32)
        found = np.empty((len(rows), len(texts)), np.float32)
        for first in range(0, len(texts), TILE):
            part = texts.part(first, first + TILE)
            found[:, first : first + TILE] = self.scorer.score_block(rows, part)
        return found[: stop - start]


def taken(items: Items, numbers: Ints) -> Items:
    """The items of these numbers, in their order."""
    variance = None if items.variance is None else items.variance[numbers]
    return Items(items.vectors[:, numbers], items.squares[:, numbers], variance, items.engine)


def _padded(items: Items, n: int) -> Items:
    if n == len(items):
        return items
    more = n - len(items)
    variance = None if items.variance is None else np.pad(items.variance, (0, more))
    vectors, squares = np.pad(items.vectors, ((0, 0), (0, more), (0, 0))), np.pad(items.squares, ((0, 0), (0, more)))
    return Items(vectors, squares, variance, items.engine)
