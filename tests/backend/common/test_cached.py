"""What goes into the shared cache comes out of it the same, and nothing that comes out of it runs code."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime

import pytest

from backend.common.cached import JsonSerializer

NOTES = {7: ((3, 1), datetime(2026, 1, 2, tzinfo=UTC)), "a": [1.5, None, {"dict": ()}]}


@pytest.mark.parametrize("value", [0, -3, True, "é", None, [], {}, NOTES], ids=str)
def test_every_value_comes_back_the_same(value: object) -> None:
    kept = JsonSerializer()
    again = kept.loads(kept.dumps(value) if not isinstance(kept.dumps(value), int) else str(value).encode())
    assert again == value and type(again) is type(value)


def test_a_number_lies_there_as_digits_so_that_redis_counts_it_up() -> None:
    assert JsonSerializer().dumps(5) == 5


def test_a_pickle_in_redis_is_refused_and_not_run() -> None:
    with pytest.raises(ValueError):
        JsonSerializer().loads(pickle.dumps({"a": 1}))


def test_what_json_has_not_is_refused() -> None:
    with pytest.raises(TypeError):
        JsonSerializer().dumps({1, 2})
