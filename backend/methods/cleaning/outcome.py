"""What a rule may say instead of a text, and the names that drops are counted by."""

from __future__ import annotations

from dataclasses import dataclass

EMPTY = "empty"
UNSTABLE = "unstable"
KEYWORD_LIST = "keyword_list"
REPETITION = "repetition"
PART_OF_SPEECH = "part_of_speech"
TOO_SHORT = "too_short"
DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A caption that is not kept: which rule dropped it, and what the rule saw."""

    rule: str
    detail: str = ""


Outcome = str | Dropped
