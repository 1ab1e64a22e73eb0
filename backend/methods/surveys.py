"""Which pairs a participant of a survey gets, and in which order (IMP 4.3: 25 of the 100 hardest, with distractors).

Each pair gets about the same number of answers: those dealt least often come first, and chance decides between equals.
A distractor stands at a random place in each of as many parts of the series as there are distractors. So they are
spread out, and no place tells which they are.

>>> import random
>>> deal({1: 3, 2: 0, 3: 1}, 2, random.Random(1))
[2, 3]
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

BINS = 10


def deal(dealt: Mapping[int, int], n: int, generator: random.Random) -> list[int]:
    """Keys of `n` things that were dealt least often, or of all; `dealt` says how often each was.

    The result does not hang on the order of `dealt`.
    """
    order = {key: generator.random() for key in sorted(dealt)}
    return sorted(dealt, key=lambda key: (dealt[key], order[key]))[:n]


def interleave(pairs: Sequence[int], distractors: Sequence[int], generator: random.Random) -> list[int]:
    """Both in one series, in random order: the distractors one in each of as many equal parts of it."""
    pairs, distractors = list(pairs), list(distractors)
    generator.shuffle(pairs)
    generator.shuffle(distractors)
    n = len(pairs) + len(distractors)
    starts = [n * part // len(distractors) for part in range(len(distractors) + 1)] if distractors else []
    places = {generator.randrange(first, end) for first, end in pairwise(starts)}
    return [distractors.pop() if place in places else pairs.pop() for place in range(n)]


@dataclass(frozen=True)
class Bin:
    """Shares from `low` on and below `high`; the last bin has 1 too."""

    low: float
    high: float
    n: int


def bin_shares(counts: Sequence[tuple[int, int]]) -> list[Bin]:
    """How many of the shares k of n lie in each of ten equal bins. Whole numbers: 7 of 10 is in the bin from .7 on.

    >>> [each.n for each in bin_shares([(7, 10), (10, 10), (0, 3)])]
    [1, 0, 0, 0, 0, 0, 0, 1, 0, 1]
    """
    found = [0] * BINS
    for k, n in counts:
        found[min(BINS - 1, k * BINS // n)] += 1
    return [Bin(place / BINS, (place + 1) / BINS, n) for place, n in enumerate(found)]
