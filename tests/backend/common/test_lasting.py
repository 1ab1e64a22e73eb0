"""Counts that took long stand for a while, so that not everybody who asks counts."""

from __future__ import annotations

from itertools import count

import pytest

from backend.common import lasting
from backend.common.lasting import LastingCounts


def test_what_took_no_time_is_counted_each_time() -> None:
    counts, numbers = LastingCounts(), count()
    assert [counts.get("pages", lambda: next(numbers)) for _ in range(3)] == [0, 1, 2]


def test_what_took_long_stands_by_its_key_until_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, numbers, counts = [0.0], count(), LastingCounts()
    monkeypatch.setattr(lasting, "monotonic", lambda: clock[0])

    def slowly() -> int:
        clock[0] += 1.0
        return next(numbers)

    assert [counts.get("pages", slowly) for _ in range(3)] == [0, 0, 0]
    assert counts.get("others", slowly) == 1
    clock[0] = 10.9
    assert counts.get("pages", slowly) == 0
    clock[0] = 11.1
    assert counts.get("pages", slowly) == 2


def test_while_one_counts_the_others_go_on_with_what_was(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, counts = [0.0], LastingCounts()
    monkeypatch.setattr(lasting, "monotonic", lambda: clock[0])

    def slowly(n: int) -> int:
        clock[0] += 1.0
        return n

    assert counts.get("pages", lambda: slowly(1)) == 1
    clock[0] = 100.0
    others: list[int] = []

    def count_anew() -> int:
        others.append(counts.get("pages", lambda: slowly(3)))
        return slowly(2)

    assert (counts.get("pages", count_anew), others) == (2, [1])
    assert counts.get("pages", lambda: slowly(4)) == 2


def test_what_is_quick_again_is_counted_each_time_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, counts = [0.0], LastingCounts()
    monkeypatch.setattr(lasting, "monotonic", lambda: clock[0])

    def slowly() -> int:
        clock[0] += 1.0
        return 1

    counts.get("pages", slowly)
    clock[0] = 100.0
    assert [counts.get("pages", lambda: 2), counts.get("pages", lambda: 3)] == [2, 3]
