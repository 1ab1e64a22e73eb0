"""Counts that take long and are asked for again and again, as after each page of work: they stand for a while."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, TypeVar

T = TypeVar("T")

LONG, STANDS = 0.1, 10  # seconds of a count; how many times as long nobody counts that again
WAITS = 60.0  # seconds that others go on with an old count at most, while one is made


class LastingCounts:
    """What long counts came to in this process, each by its key, and until when it stands."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, float]] = {}

    def get(self, key: Hashable, count: Callable[[], T]) -> T:
        """The count, made now unless one stands. While one counts, the others go on with what was.

        All who ask get the same object, so nobody may change it.
        """
        known, began = self._known.get(key), monotonic()
        if known and known[1] > began:
            standing: T = known[0]
            return standing
        if known:
            self._known[key] = known[0], began + WAITS
        try:
            n = count()
        except Exception:
            self._known.pop(key, None)  # or the old number would stand for as long as others wait
            raise
        self._keep(key, n, took=monotonic() - began)
        return n

    def _keep(self, key: Hashable, n: object, *, took: float) -> None:
        if took > LONG:
            self._known[key] = n, monotonic() + took * STANDS
        else:
            self._known.pop(key, None)
