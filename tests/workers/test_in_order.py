"""A stream worked on by several threads comes out in order, a few items at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from workers.engines import in_order
from workers.engines.in_order import AHEAD, map_in_order


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_order, "cores", lambda: 3)


def test_results_come_in_the_order_of_the_items_whoever_is_done_first() -> None:
    def slow_at_first(n: int) -> int:
        time.sleep(0.02 if n < 3 else 0)
        return n * n

    assert list(map_in_order(slow_at_first, range(40))) == [n * n for n in range(40)]
    assert list(map_in_order(slow_at_first, [])) == []


def test_no_more_than_a_few_items_are_taken_ahead() -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for n in range(1000):
            taken += 1
            yield n

    results = map_in_order(lambda n: n, items())
    for _ in range(5):
        next(results)
    assert taken <= 5 + AHEAD * 3 + 1
    results.close()


def test_an_error_comes_where_its_result_would_have_come() -> None:
    def fail_at_four(n: int) -> int:
        if n == 4:
            raise ValueError("four")
        return n

    got: list[int] = []
    with pytest.raises(ValueError, match="four"):
        got.extend(map_in_order(fail_at_four, range(9)))
    assert got == [0, 1, 2, 3]


def test_whoever_stops_early_leaves_no_thread_behind() -> None:
    results = map_in_order(lambda n: n, range(1000))
    next(results)
    results.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("in-order")]


def test_work_that_mostly_waits_may_have_more_threads_than_there_are_cores() -> None:
    n_threads = 9
    together = threading.Barrier(n_threads, timeout=10)  # breaks unless so many are at work at the same moment
    waited = list(map_in_order(lambda n: together.wait() >= 0, range(n_threads), n_threads=n_threads))
    assert waited == [True] * n_threads
