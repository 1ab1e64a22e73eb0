"""Labels that are numbers, as of a scale: 2 stands before 10, and 1 and 1.0 are one label."""

from __future__ import annotations

import re
from collections.abc import Set
from decimal import Decimal

# No more digits than stay apart as numbers: labels that are longer are names of something.
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,10})?|\.[0-9]{1,10})")


def are_numbers(labels: Set[str]) -> bool:
    """Whether all of them are."""
    return bool(labels) and all(map(NUMBER.fullmatch, labels))


def one_spelling(label: str) -> str:
    """A number as it is written shortest; itself where it is none.

    >>> [one_spelling(each) for each in ("1.0", "01", "-0", "100", ".50", "many")]
    ['1', '1', '0', '100', '0.5', 'many']
    """
    return f"{(Decimal(label) + 0).normalize():f}" if NUMBER.fullmatch(label) else label


def by_value(labels: Set[str]) -> tuple[str, ...]:
    """Numbers, lowest first."""
    return tuple(sorted(labels, key=Decimal))
