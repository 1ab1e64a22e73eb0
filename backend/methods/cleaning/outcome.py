"""What a rule may say instead of a text."""

from __future__ import annotations

from dataclasses import dataclass

TOO_SHORT = "too_short"
EMPTY = "empty"
UNSTABLE = "unstable"
DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A caption that is not kept: which rule dropped it, and what the rule saw."""

    rule: str
    detail: str = ""
