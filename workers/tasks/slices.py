"""What goes into shards in slices, and the digest that says what a slice is made from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def slices_of(rows: Sequence[Row], size: int) -> list[Sequence[Row]]:
    """`rows` in their order, at most `size` in each."""
    return [rows[start : start + size] for start in range(0, len(rows), size)]


def source_of(keys: Iterable[str]) -> str:
    """SHA-256 over the lines, hex: the `source` in the manifest of a shard that is made from these."""
    return hashlib.sha256("".join(f"{key}\n" for key in keys).encode()).hexdigest()
