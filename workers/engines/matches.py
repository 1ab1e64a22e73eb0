"""On how many pictures a panel says each caption fits: blocks of captions by blocks of pictures, never the whole.

Vectors of pictures fit into memory; those of texts are read from their shards, a block at a time. What is held grows
with the captions and with the pictures, but not with their product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.methods.calibration import floor_to_bin
from backend.methods.generic import MISSING, Hubs, Ints, MatchCounts, Votes, alike_pictures, votes_of
from workers.engines.protocols import Vectors
from workers.engines.rows import Rows
from workers.engines.tallies import Tally

PICTURES = 256
CAPTIONS = 4096
CLOSE = 2e-4  # to a threshold: two bins of a calibration, and far more than single precision errs
AT_ONCE = 16_384  # close pairs
Lost = NDArray[np.bool_]


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

    def votes(self, block: slice, texts: Read, scores: Vectors) -> Votes:
        """Votes (b, t) by the `scores` of `score`. Close to the threshold a pair is scored as difficulty scores it, in
        double precision and cut down to a calibration's bin, for a model votes the same in both."""
        votes = votes_of(scores, self.threshold)
        seen, read = np.nonzero(np.abs(scores - np.float32(self.threshold)) < CLOSE)
        for start in range(0, len(seen), AT_ONCE):
            pairs = seen[start : start + AT_ONCE], read[start : start + AT_ONCE]
            images = self.pictures.vectors[block][pairs[0]].astype(np.float64)
            exact = np.einsum("nd,nd->n", images, texts.vectors[pairs[1]].astype(np.float64))
            votes[pairs] = floor_to_bin(exact) >= self.threshold
        return votes


@dataclass(frozen=True)
class Captions:
    """Captions in the order of their texts: `own` (c,) is the row of each one's picture, `texts` (c,) that of its text.

    Several pictures may have the same text.
    """

    own: Ints
    texts: Ints
    n_texts: int

    def blocks(self, start: int = 0) -> Iterator[tuple[slice, int, int]]:
        """(captions, first text, text behind the last) from the caption `start` on, where a block ended; all captions
        of a text are in the same block."""
        first = int(self.texts[start - 1]) + 1 if start else 0
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
    tally: Tally | None = None,
    on_block: Callable[[Tally], object] = lambda tally: None,
) -> Found:
    """Votes of the panel on every caption and picture, and hubs by the last of the panel, who breaks its ties.

    `likeness` are the pictures as another model sees them: those from the cosine `alike` on may share a caption. Where
    it could not see one, nobody knows who may rightly share its captions, and the votes on it and on them are missing.
    It goes on where `tally` ends, and adds to it; `on_block` hears of it. Raises ValueError as MatchCounts does.
    """
    tally = tally or Tally.empty(len(captions.own), captions.n_texts, len(likeness.vectors))
    jury = _Jury(panel, likeness, needed, alike)
    for columns, first, last in captions.blocks(tally.n_counted):
        some = Captions(captions.own[columns], captions.texts[columns] - first, last - first)
        tally.counts[:, columns] = jury.count(some, first, tally.hubs)
        tally.n_counted = columns.stop
        on_block(tally)
    return Found(tally.counts, tally.hubs.counts()[captions.texts])


@dataclass(frozen=True)
class _Jury:
    """The panel before a block of captions."""

    panel: Sequence[Voter]
    likeness: Seen
    needed: int
    alike: float

    def count(self, some: Captions, first: int, hubs: Hubs) -> Ints:
        """Counts (3, c) of captions whose texts begin with the row `first`."""
        read = [voter.read(first, first + some.n_texts) for voter in self.panel]
        matches = MatchCounts(some.own, n_models=len(self.panel), needed=self.needed)
        for block in _slices(len(self.likeness.vectors)):
            rows = np.arange(block.start, block.stop)
            scores = [voter.score(block, texts) for voter, texts in zip(self.panel, read, strict=True)]
            hubs.add(rows, first, scores[-1])
            near = alike_pictures(self.likeness.vectors[block], self.likeness.vectors, some.own, least=self.alike)
            votes = map(Voter.votes, self.panel, repeat(block), read, scores)
            matches.add(rows, self._known(block, some, votes), alike=near)
        return matches.counts

    def _known(self, block: slice, some: Captions, votes: Iterable[Votes]) -> Iterator[Votes]:
        """Votes (b, t) on texts as votes (b, c) on captions, missing where nobody knows which pictures are alike."""
        unknown = self.likeness.lost[block, None] | self.likeness.lost[None, some.own]
        return (np.where(unknown, np.int8(MISSING), of_model[:, some.texts]) for of_model in votes)


def _slices(n: int) -> Iterator[slice]:
    return (slice(start, min(start + PICTURES, n)) for start in range(0, n, PICTURES))
