"""Which of some drawn pictures are unlike one: the part of them that is least alike, in the order they were drawn.

ConQA's control images are "completely irrelevant" to their query. What cosine that is differs from model to model, so
no bound is set: of what is drawn by seed the quarter that is least alike remains.

>>> farthest([.9, .1, .5, .2, .8, .7, .6, .4], at_least=1)
(1, 3)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

SHARE = 0.25
DRAWN = 64  # of which sixteen remain


def farthest(likeness: Sequence[float], *, at_least: int, share: float = SHARE) -> tuple[int, ...]:
    """Places of the least alike `share`, `at_least` so many or all there are; NaN is like everything, and left out."""
    known = [place for place, value in enumerate(likeness) if value == value]
    n = max(at_least, ceil(len(known) * share))
    return tuple(sorted(sorted(known, key=lambda place: (likeness[place], place))[:n]))


def bits_apart(first: str, second: str) -> int:
    """Bits in which two perceptual hashes (hex) differ, of 64.

    >>> bits_apart("00000000000000ff", "0000000000000000")
    8
    """
    return (int(first, 16) ^ int(second, 16)).bit_count()
