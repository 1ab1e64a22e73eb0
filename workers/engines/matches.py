"""On how many pictures a panel says each caption fits: blocks of captions by blocks of pictures, never the whole.

Vectors of pictures fit into memory; those of texts are read from their shards, a block at a time. What is held grows
with the captions and with the pictures, but not with their product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from backend.methods.generic import MISSING, Hubs, Ints, MatchCounts, alike_pictures, votes_of
from workers.engines.protocols import Vectors

PICTURES = 256
CAPTIONS = 4096
Lost = NDArray[np.bool_]


class Rows(Protocol):
    """Vectors by their row numbers, as shards give them."""

    def rows(self, ids: Ints) -> Vectors:
        """float32 (n, d), in the order of `ids`."""


@dataclass(frozen=True)
class Seen:
    """Pictures as a model sees them: unit vectors (n, d), rows of zeros where it could not."""

    vectors: Vectors

    @cached_property
    def lost(self) -> Lost:
        """Which pictures have no vector, (n,)."""
        return np.asarray(~self.vectors.any(axis=1))


class Read(NamedTuple):
    """Some texts as a model read them: unit vectors (t, d), and which of them it did not read, (t,)."""

    vectors: Vectors
    lost: Lost


@dataclass(frozen=True)
class Voter:
    """A model of the panel: it says yes from `threshold` on. `text_rows` (t,) are rows of `texts`, -1 for none."""

    pictures: Seen
    texts: Rows
    text_rows: Ints
    threshold: float

    def read(self, first: int, last: int) -> Read:
        """The texts from `first` to before `last`."""
        rows = self.text_rows[first:last]
        vectors = np.zeros((len(rows), self.pictures.vectors.shape[1]), dtype=np.float32)
        vectors[rows >= 0] = self.texts.rows(rows[rows >= 0])
        return Read(vectors, rows < 0)

    def score(self, block: slice, texts: Read) -> Vectors:
        """Cosines (b, t) of some pictures; NaN where one of the two is missing."""
        cosines: Vectors = self.pictures.vectors[block] @ texts.vectors.T
        cosines[self.pictures.lost[block]] = np.nan
        cosines[:, texts.lost] = np.nan
        return cosines


@dataclass(frozen=True)
class Captions:
    """Captions in the order of their texts: `own` (c,) is the row of each one's picture, `texts` (c,) that of its text.

    Several pictures may have the same text.
    """

    own: Ints
    texts: Ints
    n_texts: int

    def blocks(self) -> Iterator[tuple[slice, int, int]]:
        """(captions, first text, text behind the last); all captions of a text are in the same block."""
        first = start = 0
        while start < len(self.texts):
            last = int(self.texts[min(start + CAPTIONS, len(self.texts)) - 1]) + 1
            end = int(np.searchsorted(self.texts, last))
            yield slice(start, end), first, last
            first, start = last, end


@dataclass(frozen=True)
class Found:
    """`counts` (3, c) as MatchCounts gives them, `hubness` (c,): in how many pictures' ten best texts each text is."""

    counts: Ints
    hubness: Ints


def count_matches(
    captions: Captions,
    panel: Sequence[Voter],
    likeness: Seen,
    *,
    needed: int,
    alike: float,
    on_block: Callable[[int], object] = lambda n_done: None,
) -> Found:
    """Votes of the panel on every caption and picture, and hubs by the last of the panel, who breaks its ties.

    `likeness` are the pictures as another model sees them: those from the cosine `alike` on may share a caption. Where
    it could not see one, nobody knows who may rightly share its captions, and the votes on it and on them are missing.
    `on_block` hears how many captions are done. Raises ValueError as MatchCounts does.
    """
    counts = np.zeros((3, len(captions.own)), dtype=np.int64)
    hubs = Hubs(len(likeness.vectors), captions.n_texts)
    for columns, first, last in captions.blocks():
        read = [voter.read(first, last) for voter in panel]
        own, of_text = captions.own[columns], captions.texts[columns] - first
        matches = MatchCounts(own, n_models=len(panel), needed=needed)
        for block in _slices(len(likeness.vectors)):
            rows = np.arange(block.start, block.stop)
            scores = [voter.score(block, texts) for voter, texts in zip(panel, read, strict=True)]
            hubs.add(rows, first, scores[-1])
            near = alike_pictures(likeness.vectors[block], likeness.vectors, own, least=alike)
            unknown = likeness.lost[block, None] | likeness.lost[None, own]
            votes = (votes_of(of, voter.threshold)[:, of_text] for voter, of in zip(panel, scores, strict=True))
            matches.add(rows, (np.where(unknown, MISSING, vote) for vote in votes), alike=near)
        counts[:, columns] = matches.counts
        on_block(columns.stop)
    return Found(counts, hubs.counts()[captions.texts])


def _slices(n: int) -> Iterator[slice]:
    return (slice(start, min(start + PICTURES, n)) for start in range(0, n, PICTURES))
