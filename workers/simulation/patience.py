"""How long a crowd bears with a site that is away: one clock for all of them, so that nobody waits all over again."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock

LONGEST = 60.0  # seconds that one request may take
SHORTEST = 5.0  # and that it is given in any case: a site that comes back late is slow at first


@dataclass
class Patience:
    """For how many `seconds` a site may answer nobody who shares this; then it `is_lost`, and stays so.

    They are counted from the first request that waits for an answer, be it refused, broken off or left hanging.
    """

    seconds: float = 0.0
    is_lost: bool = field(default=False, init=False)
    _since: float | None = field(default=None, init=False)  # nobody who asked has been answered
    _n_waiting: int = field(default=0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def asked(self) -> float:
        """Somebody sends a request. For how many seconds it may take."""
        now = time.monotonic()
        with self._lock:
            self._n_waiting += 1
            self._since = now if self._since is None else self._since
            left = self.seconds - (now - self._since)
        return min(LONGEST, max(left, SHORTEST)) if self.seconds else LONGEST

    def answered(self, *, by_the_site: bool) -> None:
        """The request is over: the site has answered it, or failed to."""
        with self._lock:
            self._n_waiting -= 1
            if by_the_site:
                self._since = time.monotonic() if self._n_waiting else None

    def ends(self, started: float) -> bool:
        """Whether to ask no more, for one who found the site away. Where others are answered it is theirs alone that
        ends, and a little later: of a site that is gone everybody is to hear that it is."""
        now = time.monotonic()
        with self._lock:
            self.is_lost |= self._since is not None and now - self._since >= self.seconds
            return self.is_lost or not self.seconds or now - started >= self.seconds + SHORTEST
