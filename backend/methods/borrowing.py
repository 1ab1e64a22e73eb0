"""Which captions of other images an image borrows: a seeded draw that knows neither database ids nor their order."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lent:
    """A caption of some image, with its folded form for comparing."""

    image_digest: str
    image_key: str
    raw_text: str
    folded: str


def draw_places(n_pool: int, n_wanted: int, *, seed: int, digest: str) -> list[int]:
    """`n_wanted` different places in a pool of `n_pool` captions, all of them where the pool is smaller.

    The draw hangs on the size of the pool, the seed and the image's digest: not on other images, nor on a database.
    """
    generator = random.Random(f"{seed}:{digest}")
    return generator.sample(range(n_pool), min(n_pool, n_wanted))


def choose_borrowed(drawn: Iterable[Lent], *, digest: str, own: set[str], n_wanted: int) -> list[Lent]:
    """The first `n_wanted` drawn captions of other images that say nothing the image's own captions (folded) say.

    >>> dog, cat = Lent("d1", "dog.jpg", "A dog.", "a dog"), Lent("c1", "cat.jpg", "A cat", "a cat")
    >>> [lent.raw_text for lent in choose_borrowed([dog, cat, cat], digest="d1", own={"a dog"}, n_wanted=2)]
    ['A cat']
    """
    chosen: dict[str, Lent] = {}
    for lent in drawn:
        if len(chosen) == n_wanted:
            break
        if lent.image_digest != digest and lent.folded not in own:
            chosen.setdefault(lent.folded, lent)
    return list(chosen.values())
