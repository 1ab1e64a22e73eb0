"""How a pool of pairs becomes HITs, which hidden controls a HIT gets, and in which order a person sees it all.

All draws sort by a SHA-256 of the seed and the thing's own name. That depends on neither database ids nor the order
the pool came in, nor on a Python version's shuffle, so that PostgreSQL and SQLite cut the same HITs from the same seed.

    >>> [len(part) for part in cut_pool([f"c{n}" for n in range(11)], k=10, seed=0, subject="ab")]
    [6, 5]
    >>> shuffle_order(4, seed=7)
    (3, 0, 1, 2)
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise


def cut_pool(keys: Sequence[str], *, k: int, seed: int, subject: str) -> tuple[tuple[str, ...], ...]:
    """Cut the pair keys of one image or query into as few parts of at most `k` as will do, their sizes one apart.

    A HIT of one caption would cost a person a whole page for one answer, hence 6 + 5 and not 10 + 1. `subject` is the
    image's digest or the query's text: it keeps equal captions of two images from standing in the same order. Raises
    ValueError when `k` is below 1 or a key comes twice.
    """
    if k < 1:
        raise ValueError(f"A HIT holds at least one caption, not {k}.")
    if len(set(keys)) != len(keys):
        raise ValueError("A caption key comes twice in the pool.")
    order = sorted(keys, key=lambda key: _draw(seed, subject, key))
    return tuple(tuple(order[start:stop]) for start, stop in _balanced(len(order), k))


def shuffle_order(n: int, *, seed: int) -> tuple[int, ...]:
    """A permutation of 0 .. n-1 that only `seed` decides."""
    return tuple(sorted(range(n), key=lambda item: _draw(seed, item)))


def order_seed(*names: object) -> int:
    """A seed of 63 bits out of what an assignment is about; the same person meets the same HIT in the same order."""
    return int.from_bytes(_draw(*names)[:8], "big") >> 1


def controls_on_top(n_items: int, *, rate: float) -> int:
    """How many controls come on top of `n_items` pairs, so that about `rate` of all that is shown are controls.

    By the number of pairs alone, so that pages of one length have as many: rate / (1 - rate) for each pair, to the
    nearest whole number. Raises ValueError where the rate is below 0 or not below 1.

    >>> [controls_on_top(n, rate=.1) for n in (1, 4, 5, 10, 14)]
    [0, 0, 1, 1, 2]
    """
    if not 0 <= rate < 1:
        raise ValueError(f"A share of controls lies from 0 to below 1, not at {rate}.")
    return int(n_items * rate / (1 - rate) + 0.5)


def choose_controls(keys: Sequence[str], *, n: int, seed: int) -> tuple[str, ...]:
    """`n` of the controls by their keys, or all there are; the order they come in says nothing."""
    return tuple(sorted(keys, key=lambda key: _draw(seed, "control", key))[:n])


def deal_controls(keys: Sequence[str], *, n: int, turn: int, seed: int) -> tuple[str, ...]:
    """The `n` controls of one HIT, or all there are. HITs take turns, so that each control stands in as many of them.

    >>> [deal_controls(["a", "b", "c"], n=2, turn=turn, seed=1) for turn in range(2)]
    [('a', 'c'), ('b', 'a')]
    """
    order = choose_controls(keys, n=len(keys), seed=seed)
    return tuple(order[(turn * n + at) % len(order)] for at in range(min(n, len(order))))


def draw_share(seed: int) -> float:
    """A number from 0 to below 1 that only `seed` decides."""
    return int.from_bytes(_draw(seed, "share")[:6], "big") / 2**48


def _balanced(n: int, k: int) -> list[tuple[int, int]]:
    n_parts = -(-n // k)
    bounds = [-(-n * part // n_parts) for part in range(n_parts + 1)] if n_parts else []
    return list(pairwise(bounds))


def _draw(*names: object) -> bytes:
    return hashlib.sha256("\0".join(str(name) for name in names).encode()).digest()
