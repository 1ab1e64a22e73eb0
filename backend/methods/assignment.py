"""How a pool of pairs becomes HITs, and in which order a person sees one.

Both draws sort by a SHA-256 of the seed and the thing's own name. That depends on neither database ids nor the order
the pool came in, nor on a Python version's shuffle, so that PostgreSQL and SQLite cut the same HITs from the same seed.

    >>> [len(part) for part in cut_pool([f"c{n}" for n in range(11)], k=10, seed=0, image="ab")]
    [6, 5]
    >>> shuffle_order(4, seed=7)
    (3, 0, 1, 2)
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise


def cut_pool(keys: Sequence[str], *, k: int, seed: int, image: str) -> tuple[tuple[str, ...], ...]:
    """Cut one image's caption keys into as few parts of at most `k` as will do, their sizes one apart at most.

    A HIT of one caption would cost a person a whole page for one answer, hence 6 + 5 and not 10 + 1. `image` is the
    image's digest: it keeps equal captions of two images from standing in the same order. Raises ValueError when `k`
    is below 1 or a key comes twice.
    """
    if k < 1:
        raise ValueError(f"A HIT holds at least one caption, not {k}.")
    if len(set(keys)) != len(keys):
        raise ValueError("A caption key comes twice in the pool.")
    order = sorted(keys, key=lambda key: _draw(seed, image, key))
    return tuple(tuple(order[start:stop]) for start, stop in _balanced(len(order), k))


def shuffle_order(n: int, *, seed: int) -> tuple[int, ...]:
    """A permutation of 0 .. n-1 that only `seed` decides."""
    return tuple(sorted(range(n), key=lambda item: _draw(seed, item)))


def order_seed(*names: object) -> int:
    """A seed of 63 bits out of what an assignment is about; the same person meets the same HIT in the same order."""
    return int.from_bytes(_draw(*names)[:8], "big") >> 1


def _balanced(n: int, k: int) -> list[tuple[int, int]]:
    n_parts = -(-n // k)
    bounds = [-(-n * part // n_parts) for part in range(n_parts + 1)] if n_parts else []
    return list(pairwise(bounds))


def _draw(*names: object) -> bytes:
    return hashlib.sha256("\0".join(str(name) for name in names).encode()).digest()
