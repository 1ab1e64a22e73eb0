"""How far a count of matches is, and keeping that in a file, so that who is killed while counting goes on there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from backend.methods.generic import Hubs, Ints
from workers.engines.whole_files import hidden, locked, publish


@dataclass
class Tally:
    """The first `n_counted` captions are counted: `counts` (3, c) as MatchCounts gives them, and the hubs so far."""

    n_counted: int
    counts: Ints
    hubs: Hubs

    @classmethod
    def empty(cls, n_captions: int, n_texts: int, n_pictures: int) -> Tally:
        """Nothing is counted yet."""
        return cls(0, np.zeros((3, n_captions), dtype=np.int64), Hubs(n_pictures, n_texts))


def keep_tally(path: Path, tally: Tally, *, of: str) -> None:
    """Write it to `path`, whole or not at all; `of` is the digest of what is counted."""
    path.parent.mkdir(parents=True, exist_ok=True)
    best, captions = tally.hubs.state
    sizes = np.array([tally.n_counted, tally.hubs.n_captions])
    with locked(path.with_suffix("")):
        with hidden(path).open("wb") as file:
            np.savez(file, of=np.array(of), sizes=sizes, counts=tally.counts, best=best, captions=captions)
        publish(path)


def find_tally(path: Path, *, of: str) -> Tally | None:
    """The tally at `path`; None where there is none, none that can be read, or one of something else."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            if str(found["of"]) != of:
                return None
            n_counted, n_texts = map(int, found["sizes"])
            return Tally(
                n_counted, found["counts"], Hubs.from_state(found["best"], found["captions"], n_captions=n_texts)
            )
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
