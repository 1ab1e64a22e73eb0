"""Chance that depends on names alone: the same on every machine, in every order, and for any part of the data."""

from __future__ import annotations

import hashlib


def image_seed(seed: int, digest: str, *, again: int = 0) -> int:
    """The seed, 32 bits, of one image in a run with this seed; `again` makes others of the same image."""
    return int.from_bytes(_hash(f"{seed} {digest} {again}")[:4], "big")


def rank_of(seed: int, key: str) -> bytes:
    """A caption's place in the random order of a seed. To pick one of some at random, take the lowest rank."""
    return _hash(f"{seed} {key}")


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
