"""Works on a stream with all cores and gives the results in the stream's order, holding only a few at a time.

Threads, not processes: Pillow lets go of the interpreter's lock while it decodes, scales and encodes, a Celery worker's
child may not have children of its own, and nothing is left behind by `kill -9`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 4  # items in flight for each core


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    n_threads: int = 0,
    ahead: int = 0,
    has_room: Callable[[Collection[Future[Result]]], bool] = lambda in_flight: True,
) -> Iterator[Result]:
    """`work(item)` for each item, in order. An error in `work` is raised where its result would have come.

    A thread for each core, or `n_threads` where the work is mostly waiting. While a result is with the caller, up to
    `ahead` more are under way or wait for their turn: a few for each thread, unless it is said. No item is begun while
    `has_room` says of those results that there is none, unless there is nothing in flight.
    """
    n_threads = n_threads or cores()
    ahead = ahead or AHEAD * n_threads
    in_flight: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(max_workers=n_threads, thread_name_prefix="in-order")
    try:
        for item in items:
            while in_flight and not has_room(in_flight):
                yield in_flight.popleft().result()
            in_flight.append(pool.submit(work, item))
            if len(in_flight) > ahead:
                yield in_flight.popleft().result()
        while in_flight:
            yield in_flight.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
