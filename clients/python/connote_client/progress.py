"""How far something is: an upload, a run, an export, a download."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """`done` of `total` so far; `total` is None while nobody knows it. `what` says of what: a file name or a stage."""

    what: str
    done: int
    total: int | None
    unit: str = "bytes"


OnProgress = Callable[[Progress], None]


def show_progress(at: Progress) -> None:
    """Write one line to the terminal: pass this function as `progress`."""
    of = f"{at.done:,} of {at.total:,}" if at.total is not None else f"{at.done:,}"
    end = "\n" if at.done == at.total else "\r"
    sys.stderr.write(f"{at.what}: {of} {at.unit}   {end}")
    sys.stderr.flush()


def ignore(at: Progress) -> None:
    """The progress that nobody wants to see."""
