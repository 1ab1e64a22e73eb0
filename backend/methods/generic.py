"""Generic captions: those that models find good for many other pictures too (SCIENCE 2.7; no published definition).

    G(c) = share of the other pictures j on which at least 4 of the 7 models say that c fits,

other meaning: not the caption's own picture, and none whose image features are at a cosine of .80 or more to it, for
those may rightly share the caption. A caption is flagged, not dropped, with G above 1 %, or with G among the highest
1 % of all captions; and never for one other picture, which is more than 1 % of them in a small project, but not many.

A score that is missing is no vote, and never a no. Where the votes that are known reach 4, the caption fits; where the
missing ones could not lift it to 4, it does not; all other pairs are undecided and count neither above nor below the
line. A caption without a decided pair has no G.

Hubness stands beside it: in how many pictures' ten best captions c is (k-occurrence; Radovanovic et al. 2010). A
panel with strict thresholds says yes to hardly any other picture, whatever the caption; hubness tells them apart then.

>>> counts = MatchCounts([0, 1], n_models=1, needed=1)
>>> counts.add([0, 1, 2], [[[1, 1], [0, 1], [1, 0]]], alike=[[1, 0], [0, 1], [0, 0]])
>>> [(caption.score, caption.n_matched, caption.n_judged) for caption in counts.scores()]
[(0.5, 1, 2), (0.5, 1, 2)]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Votes = NDArray[np.int8]
Alike = NDArray[np.bool_]
Features = NDArray[np.floating[Any]]
Reason = Literal["fits_many", "among_the_highest"]

YES, NO, MISSING = 1, 0, -1
N_MODELS, NEEDED = 7, 4
MOST_MODELS = 127  # votes are added up in bytes
ALIKE = 0.80  # the cosine from which on two pictures may share a caption
MOST = 0.01  # of the other pictures, and of the captions
FEWEST = 2  # other pictures that a flagged caption fits
HUB = 10
MILLION = 1_000_000
SLACK = 1e-9  # .01 x 2900 must not be less than 29


@dataclass(frozen=True, slots=True)  # a pool has millions
class Generic:
    """One caption: G (None where no pair is decided), the pairs behind it, hubness, and why it is flagged, if it is."""

    score: float | None
    n_matched: int
    n_judged: int
    n_undecided: int
    hubness: int | None
    reason: Reason | None

    @property
    def is_flagged(self) -> bool:
        """Whether a person should look at it."""
        return self.reason is not None


class MatchCounts:
    """Counts pictures on which captions fit, block by block of pictures: `add` each block, `scores` at the end.

    Memory is that of one model's votes on one block, whatever the number of pictures. Where the captions are too many
    as well, count them block by block too, and give the `counts` of all blocks to `scores_of`.
    """

    def __init__(self, own_images: ArrayLike, *, n_models: int = N_MODELS, needed: int = NEEDED) -> None:
        """`own_images` (c,): the row of each caption's picture, -1 where it is none of those that come.

        Raises ValueError unless 1 <= needed <= n_models <= 127.
        """
        if not 1 <= needed <= n_models <= MOST_MODELS:
            raise ValueError(
                f"{needed} of {n_models} models cannot agree: give 1 to {n_models}, at most {MOST_MODELS}."
            )
        self.own_images: Ints = np.asarray(own_images, dtype=np.int64).ravel()
        self.n_models, self.needed = n_models, needed
        self._matched, self._judged, self._undecided = np.zeros((3, len(self.own_images)), dtype=np.int64)

    def add(self, images: ArrayLike, votes: Iterable[ArrayLike | None], *, alike: ArrayLike) -> None:
        """One block of pictures, each picture once in all blocks.

        `images` (b,) are their rows; `votes` gives for each model in turn (b, c) of 1 yes, 0 no, -1 missing, or None
        for a model without any; `alike` (b, c) says which pictures are alike each caption's own (`alike_pictures`).
        Raises ValueError for other shapes, other votes, and another number of models.
        """
        rows = np.asarray(images, dtype=np.int64).ravel()
        shape = len(rows), len(self.own_images)
        near = np.asarray(alike, dtype=bool)
        _refuse_shape(near, shape, "alike pictures")
        yes, missing = self._count(votes, shape)
        is_other = ~near & (rows[:, None] != self.own_images[None, :])
        fits, may_fit = yes >= self.needed, yes + missing >= self.needed
        self._matched += (is_other & fits).sum(axis=0)
        self._judged += (is_other & (fits | ~may_fit)).sum(axis=0)
        self._undecided += (is_other & ~fits & may_fit).sum(axis=0)

    def _count(self, votes: Iterable[ArrayLike | None], shape: tuple[int, int]) -> tuple[Votes, Votes]:
        yes, missing = np.zeros((2, *shape), dtype=np.int8)
        n_came = 0
        for of_model in votes:
            n_came += 1
            if of_model is None:
                missing += 1
                continue
            said = np.asarray(of_model)
            _refuse_shape(said, shape, "votes")
            is_yes, is_missing = said == YES, said == MISSING
            if not (is_yes | is_missing | (said == NO)).all():
                raise ValueError("A vote is 1 for yes, 0 for no or -1 where the model has no score.")
            yes += is_yes
            missing += is_missing
        if n_came != self.n_models:
            raise ValueError(f"Votes of {n_came} models came where the panel has {self.n_models}: give None for one.")
        return yes, missing

    @property
    def counts(self) -> Ints:
        """Pictures that matched, that were judged, and that are undecided so far, (3, c)."""
        return np.stack((self._matched, self._judged, self._undecided))

    def scores(self, hubness: Sequence[int] | Ints | None = None, *, most: float = MOST) -> list[Generic]:
        """G of each caption in their order; see `scores_of`."""
        return scores_of(self.counts, hubness, most=most)


def scores_of(counts: ArrayLike, hubness: Sequence[int] | Ints | None = None, *, most: float = MOST) -> list[Generic]:
    """G of each caption in their order, flagged above `most` of its pictures or among `most` of the captions.

    `counts` (3, c) are those of `MatchCounts`, of all captions. `hubness` (c,) from `count_hubs` or `Hubs` stands
    beside it. Equal scores are among the highest together or not at all. What fits no other picture, or only one, is
    never flagged.
    """
    matched, judged, undecided = np.asarray(counts, dtype=np.int64)
    g = np.where(judged > 0, matched / np.maximum(judged, 1), np.nan)
    reasons = _reasons(g, matched >= FEWEST, most)
    hubs = [None] * len(g) if hubness is None else [int(n) for n in hubness]
    rows = zip(g.tolist(), matched.tolist(), judged.tolist(), undecided.tolist(), hubs, reasons, strict=True)
    return [Generic(None if np.isnan(score) else score, *rest) for score, *rest in rows]


def votes_of(scores: ArrayLike, threshold: float) -> Votes:
    """One model's scores as votes: yes where score >= threshold, missing where the score is NaN; of the same shape."""
    values = np.asarray(scores, dtype=np.float64)
    return np.where(np.isnan(values), MISSING, values >= threshold).astype(np.int8)


def alike_pictures(block: Features, pictures: Features, own_images: ArrayLike, *, least: float = ALIKE) -> Alike:
    """Which pictures of a block (b, d) are alike each caption's own, (b, c): cosine >= `least` of unit vectors.

    `pictures` (n, d) are the features of all pictures, `own_images` (c,) the row of each caption's.
    """
    owners, of_caption = np.unique(np.asarray(own_images, dtype=np.int64), return_inverse=True)
    # A single-precision .80 may lie below .80, hence whole millionths.
    near = np.rint((block @ pictures[owners].T).astype(np.float64) * MILLION) >= round(least * MILLION)
    return np.asarray(near[:, of_caption])


def count_hubs(similarities: ArrayLike, k: int = HUB) -> Ints:
    """In how many rows of a block (b, c) each caption is among the k highest, (c,); add up the blocks.

    Of equal ones the lower caption is in; a missing score (NaN) is in no row's list. Raises ValueError for k < 1.
    """
    _refuse_no_place(k)
    values = np.asarray(similarities, dtype=np.float64)
    is_known = ~np.isnan(values)
    if values.shape[1] <= k:
        return np.asarray(is_known.sum(axis=0), dtype=np.int64)
    descending = np.where(is_known, -values, np.inf)
    last = np.partition(descending, k - 1, axis=1)[:, k - 1, None]
    is_in, is_last = descending < last, (descending == last) & is_known
    is_in |= is_last & (np.cumsum(is_last, axis=1) <= k - is_in.sum(axis=1, keepdims=True))
    return np.asarray(is_in.sum(axis=0), dtype=np.int64)


class Hubs:
    """`count_hubs` where not all captions fit into one block: the k best of every picture, kept as blocks come.

    >>> hubs = Hubs(n_pictures=2, n_captions=3, k=1)
    >>> hubs.add([0, 1], 0, [[.3, .1], [.3, .2]])
    >>> hubs.add([0, 1], 2, [[.3], [.4]])
    >>> hubs.counts().tolist()
    [1, 0, 1]
    """

    def __init__(self, n_pictures: int, n_captions: int, k: int = HUB) -> None:
        """Raises ValueError for k < 1."""
        _refuse_no_place(k)
        self.n_captions = n_captions
        self._best = np.full((n_pictures, k), -np.inf)
        self._captions = np.full((n_pictures, k), -1, dtype=np.int64)

    @property
    def state(self) -> tuple[NDArray[np.float64], Ints]:
        """What `from_state` goes on with: the k best scores of each picture, and whose they are."""
        return self._best, self._captions

    @classmethod
    def from_state(cls, best: NDArray[np.float64], captions: Ints, *, n_captions: int) -> Hubs:
        """Hubs that go on where those with this `state` were. Raises ValueError where the two do not fit together."""
        _refuse_shape(captions, best.shape, "captions of the best")
        n_pictures, k = best.shape
        hubs = cls(n_pictures, n_captions, k)
        hubs._best, hubs._captions = best, captions
        return hubs

    def add(self, pictures: ArrayLike, first: int, similarities: ArrayLike) -> None:
        """One block (b, c): the pictures' rows (b,), each once, and the captions from `first` on, lower ones before."""
        rows, values = np.asarray(pictures, dtype=np.int64).ravel(), np.asarray(similarities)
        k = self._best.shape[1]
        # An equal one comes too late, and NaN is above nothing.
        block_rows, columns = np.nonzero(values > self._best[rows, -1:].astype(values.dtype))
        places = np.concatenate((np.repeat(np.arange(len(rows)), k), block_rows))
        scores = np.concatenate((self._best[rows].ravel(), values[block_rows, columns].astype(np.float64)))
        captions = np.concatenate((self._captions[rows].ravel(), columns + first))
        order = np.lexsort((captions, -scores, places))
        starts = np.searchsorted(places[order], np.arange(len(rows)))
        best = order[starts[:, None] + np.arange(k)]
        self._best[rows], self._captions[rows] = scores[best], captions[best]

    def counts(self) -> Ints:
        """In how many pictures' lists each caption is, (n_captions,)."""
        return np.bincount(self._captions[self._captions >= 0], minlength=self.n_captions).astype(np.int64)


def _refuse_no_place(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k}: a list has at least one place.")


def _reasons(g: NDArray[np.float64], fits_several: NDArray[np.bool_], most: float) -> list[Reason | None]:
    known = np.sort(g[~np.isnan(g)])
    n_as_high = len(known) - np.searchsorted(known, g, side="left")
    many, among = fits_several & (g > most), fits_several & (n_as_high <= most * len(known) + SLACK)
    return [
        "fits_many" if fits_many else "among_the_highest" if is_among else None
        for fits_many, is_among in zip(many.tolist(), among.tolist(), strict=True)
    ]


def _refuse_shape(array: NDArray[Any], shape: tuple[int, int], what: str) -> None:
    if array.shape != shape:
        raise ValueError(f"The {what} have the shape {array.shape}, not {shape}: pictures x captions.")
