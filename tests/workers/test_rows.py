"""Vectors scaled to length one: exactly, by number where one cannot be, and in little memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from workers.engines import rows
from workers.engines.rows import NoDirectionError, as_unit


def test_every_block_is_scaled_as_all_at_once_would_be(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(0).normal(size=(1_000, 7)).astype(np.float32)
    exact = vectors.astype(np.float64)
    wanted = (exact / np.linalg.norm(exact, axis=1, keepdims=True)).astype(np.float32)
    monkeypatch.setattr(rows, "BLOCK", 64)
    unit = as_unit(vectors, what="vector")
    assert unit.dtype == np.float32 and np.array_equal(unit, wanted)
    assert as_unit(vectors[:0], what="vector").shape == (0, 7)


def test_a_vector_without_direction_in_a_later_block_is_named_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BLOCK", 64)
    vectors = np.ones((200, 3), dtype=np.float32)
    vectors[150] = 0
    with pytest.raises(NoDirectionError, match="number 1150"):
        as_unit(vectors, what="vector", first=1_000)


def test_scaling_takes_little_more_memory_than_its_answer() -> None:
    vectors = np.ones((200_000, 32), dtype=np.float32)
    tracemalloc.start()
    try:
        as_unit(vectors, what="vector")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * vectors.nbytes
