"""What work costs: a benchmark holds two of these against each other."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock, and of processor time over all threads."""

    clock: float
    processor: float


def cost(work: Callable[[], object]) -> Cost:
    start, spent = time.perf_counter(), time.process_time()
    work()
    return Cost(time.perf_counter() - start, time.process_time() - spent)
