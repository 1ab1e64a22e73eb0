"""Many vectors, read in blocks or picked by row number: what an index or a projection is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from workers.engines.protocols import EngineError, Vectors

Ids = NDArray[np.int64]
BLOCK = 16_384
NO_DIRECTION = "The {what} with number {row} has no direction: NaN, infinity or only zeros. Leave it out."


class NoDirectionError(EngineError):
    """A vector cannot be scaled to length one."""

    code = "no_direction"


class Rows(Protocol):
    """Many vectors, such as `shards.Shards` or `ArrayRows`."""

    def __len__(self) -> int: ...

    @property
    def dimension(self) -> int:
        """Numbers per vector."""

    @property
    def digest(self) -> str:
        """A name for exactly these vectors."""

    def blocks(self, size: int = BLOCK) -> Iterator[Vectors]:
        """All of them in order, at most `size` at a time."""

    def rows(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`."""


class ArrayRows:
    """An array in memory, float32 (n, d), as Rows."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        self.dimension = int(self._vectors.shape[1])

    def __len__(self) -> int:
        """How many vectors there are."""
        return len(self._vectors)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of shape and numbers."""
        return hashlib.sha256(repr(self._vectors.shape).encode() + self._vectors.tobytes()).hexdigest()

    def blocks(self, size: int = BLOCK) -> Iterator[Vectors]:
        """All of them in order, at most `size` at a time."""
        for start in range(0, len(self), size):
            yield self._vectors[start : start + size]

    def rows(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`."""
        return self._vectors[ids]


def as_unit(vectors: Vectors, *, what: str, first: int = 0) -> Vectors:
    """float32 copies of length one. Raises NoDirectionError for one that has none, numbered from `first`."""
    unit = np.empty(vectors.shape, dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):  # in double precision, and never all of them at once
        exact = np.asarray(vectors[start : start + BLOCK], dtype=np.float64)
        lengths = np.linalg.norm(exact, axis=1, keepdims=True)
        bad = ~(np.isfinite(lengths[:, 0]) & (lengths[:, 0] > 0))
        if bad.any():
            raise NoDirectionError(NO_DIRECTION.format(what=what, row=first + start + int(bad.argmax())))
        np.divide(exact, lengths, out=unit[start : start + BLOCK], casting="same_kind")
    return unit


def sample_of(n: int, wanted: int, seed: int) -> Ids:
    """At most `wanted` of the row numbers below `n`, ascending, the same for the same seed."""
    if n <= wanted:
        return np.arange(n, dtype=np.int64)
    return np.sort(np.random.default_rng(seed).choice(n, wanted, replace=False, shuffle=False).astype(np.int64))
