"""Corpus pictures that are a target, or nearly: listed for a person to look at, and never borrowed from.

IMP C.6 removes identical pictures; here a pair is suspected when (SCIENCE 2.2)

    Hamming(pHash_a, pHash_b) <= 4  of 64 bits   or   cos(d_a, d_b) >= .95  of the image features.

Cosines are looked up among each target's own neighbours. Hashes are compared with the whole corpus, exactly and without
comparing each with each: two hashes that differ in at most 4 bits agree in at least one of 5 bands of their bits, so
that only targets with an equal band are counted (multi-index hashing: Norouzi et al. 2012). For 5,000 targets and 10
million pictures that is three candidates a picture where comparing each with each would take 50 billion.

>>> pairs = hashes_near(read_hashes(["00000000000000ff"]), read_hashes(["00000000000000f0", "ffffffffffffffff"]))
>>> pairs.targets.tolist(), pairs.images.tolist(), pairs.bits.tolist()
([0], [0], [4])
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Hashes = NDArray[np.uint64]
Ints = NDArray[np.int64]
Rule = Literal["perceptual_hash", "cosine"]

BITS = 64
MOST_BITS = 4  # that the hashes of two copies may differ in
COPY = 0.95  # the cosine from which on two pictures are suspected
MILLION = 1_000_000
SLACK = 1e-5  # by how much a single-precision cosine may be off
CANDIDATES = 2**22  # pairs held at once
HEXADECIMAL = re.compile("[0-9a-fA-F]{16}")


@dataclass(frozen=True)
class NearHashes:
    """Pairs of a target and a corpus picture, as rows (m,) each, and the bits in which their hashes differ; by rows."""

    targets: Ints
    images: Ints
    bits: Ints


@dataclass(frozen=True)
class Suspect:
    """A corpus picture that may be the target itself: what each rule saw, None where it saw nothing."""

    target: int
    image: int
    bits: int | None
    cosine: float | None

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that suspect this pair."""
        seen: tuple[tuple[Rule, object], ...] = (("perceptual_hash", self.bits), ("cosine", self.cosine))
        return tuple(rule for rule, value in seen if value is not None)


def read_hashes(written: Sequence[str]) -> Hashes:
    """Hashes of 16 hexadecimal digits as numbers (n,). Raises ValueError naming the first that is none."""
    wrong = next((each for each in written if not HEXADECIMAL.fullmatch(each)), None)
    if wrong is not None:
        raise ValueError(f"{wrong!r} is no perceptual hash: 16 hexadecimal digits are needed.")
    return np.frombuffer(bytes.fromhex("".join(written)), dtype=">u8").astype(np.uint64)


def find_suspects(near: NearHashes, ids: ArrayLike, similarities: ArrayLike, *, least: float = COPY) -> list[Suspect]:
    """All suspected pairs, by target and then picture, from near hashes and each target's neighbours.

    `ids` (t, k) are corpus rows and `similarities` (t, k) their cosines to target t, in any order, padding with id -1.
    Raises ValueError for NaN and for shapes that differ.
    """
    bits = dict(zip(zip(near.targets.tolist(), near.images.tolist(), strict=True), near.bits.tolist(), strict=True))
    cosines = dict(_cosines_near(np.asarray(ids), np.asarray(similarities), least))
    pairs = sorted(bits.keys() | cosines.keys())
    return [Suspect(target, image, bits.get((target, image)), cosines.get((target, image))) for target, image in pairs]


def _cosines_near(
    ids: NDArray[Any], similarities: NDArray[Any], least: float
) -> Iterator[tuple[tuple[int, int], float]]:
    """The few that may reach `least` are looked at in whole millionths: a single-precision .95 lies just below .95."""
    if ids.shape != similarities.shape or ids.ndim != 2:
        raise ValueError(f"Neighbours {ids.shape} and similarities {similarities.shape}: both need the shape (t, k).")
    may_be = (ids >= 0) & ~(similarities < least - SLACK)
    cosines = np.rint(np.clip(similarities[may_be].astype(np.float64), -1, 1) * MILLION) / MILLION
    if np.isnan(cosines).any():
        raise ValueError("A similarity is NaN: the features are damaged. Embed again.")
    targets = np.nonzero(may_be)[0].tolist()
    for target, image, cosine in zip(targets, ids[may_be].tolist(), cosines.tolist(), strict=True):
        if cosine >= least:
            yield (target, image), cosine


def hashes_near(targets: Hashes, corpus: Hashes, *, most: int = MOST_BITS) -> NearHashes:
    """All pairs of `targets` (t,) and `corpus` (n,) whose hashes differ in at most `most` bits; exact.

    Memory is bounded whatever t and n, and corpora may be given shard by shard. Raises ValueError unless
    0 <= most < 64, and for arrays that are not uint64.
    """
    if not 0 <= most < BITS:
        raise ValueError(f"Hashes of {BITS} bits cannot be compared up to {most}: give 0 to {BITS - 1}.")
    if targets.dtype != np.uint64 or corpus.dtype != np.uint64:
        raise ValueError("Hashes need the type uint64: read_hashes makes them.")
    bands = [_Band(targets, shift, width) for shift, width in _bands(most + 1)] if len(targets) else []
    found = [pairs for band in bands for pairs in _near_in(band, targets, corpus, most)]
    return _in_order(np.concatenate([np.empty((2, 0), dtype=np.int64), *found], axis=1), targets, corpus)


def _bands(n: int) -> Iterator[tuple[int, int]]:
    """The lowest bit and the width of each of n bands of nearly equal width."""
    edges = [BITS * band // n for band in range(n + 1)]
    for low, high in pairwise(edges):
        yield low, high - low


class _Band:
    """The targets sorted by one band of their bits."""

    def __init__(self, targets: Hashes, shift: int, width: int) -> None:
        self.shift, self.mask = np.uint64(shift), np.uint64(2**width - 1)
        values = self.of(targets)
        self.order = np.argsort(values, kind="stable")
        self.values = values[self.order]

    def of(self, hashes: Hashes) -> Hashes:
        return (hashes >> self.shift) & self.mask

    def equal(self, hashes: Hashes) -> tuple[Ints, Ints]:
        """For each hash the slice of `order` whose targets have the same band: first place and number."""
        wanted = self.of(hashes)
        first = np.searchsorted(self.values, wanted, side="left")
        return first, np.searchsorted(self.values, wanted, side="right") - first


def _near_in(band: _Band, targets: Hashes, corpus: Hashes, most: int) -> Iterator[Ints]:
    """Pairs (2, m) of target and corpus rows that agree in the band and differ in at most `most` bits."""
    step = max(1, CANDIDATES // len(targets))
    for start in range(0, len(corpus), step):
        part = corpus[start : start + step]
        first, number = band.equal(part)
        rows = np.repeat(np.arange(len(part)), number)
        places = np.arange(len(rows)) - np.repeat(np.cumsum(number) - number, number) + first[rows]
        of_targets = band.order[places]
        is_near = np.bitwise_count(targets[of_targets] ^ part[rows]) <= most
        yield np.stack([of_targets[is_near], rows[is_near] + start])


def _in_order(pairs: Ints, targets: Hashes, corpus: Hashes) -> NearHashes:
    """By target and then picture, each once: a pair that agrees in several bands was found in each."""
    of_targets, of_corpus = np.unique(pairs, axis=1)
    bits = np.bitwise_count(targets[of_targets] ^ corpus[of_corpus]).astype(np.int64)
    return NearHashes(of_targets, of_corpus, bits)
