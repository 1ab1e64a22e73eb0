"""How an example of the API's schema differs from a real answer."""

from __future__ import annotations

from typing import Any


def unlike(example: Any, real: Any, place: str) -> list[str]:
    """Where the example has a member that the answer lacks, or a value of another type."""
    if example is None or real is None:
        return []
    if isinstance(example, dict) and isinstance(real, dict):
        more = [f"{place}.{name}" for name in example.keys() - real.keys()]
        return more + [
            odd for name in example.keys() & real.keys() for odd in unlike(example[name], real[name], f"{place}.{name}")
        ]
    if isinstance(example, list) and isinstance(real, list):
        return unlike(example[0], real[0], f"{place}[]") if example and real else []
    numbers = (int, float)
    are_numbers = isinstance(example, numbers) and isinstance(real, numbers)
    return [] if are_numbers or type(example) is type(real) else [place]
