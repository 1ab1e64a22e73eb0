"""An edit of a caption, and the caption with its edits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

PERSON, LOCATION, NUMBER, COLOR, OBJECT_NAME, OTHER = "person", "location", "number", "color", "object_name", "other"
KINDS = (PERSON, LOCATION, NUMBER, COLOR, OBJECT_NAME, OTHER)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """`before`, which stands at text[start:end] in code points of the original, becomes `after`."""

    start: int
    end: int
    before: str
    after: str
    kind: str = OTHER


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with every edit made, whatever order they come in. Their places count in `text` as it is given.

    Raises ValueError where an edit has an unknown kind, lies outside the text, does not find there what it says, or
    shares a character with another. Two that add text at one place are made in the order of their texts.

    >>> apply_edits("John's elk", [Edit(0, 4, "John", "<person>", PERSON), Edit(7, 10, "elk", "deer", OBJECT_NAME)])
    "<person>'s deer"
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits):
        _check(text, edit)
        if edit.start < at:
            raise ValueError(f"Two edits change {text[edit.start : at]!r}: take one of them back.")
        pieces += (text[at : edit.start], edit.after)
        at = edit.end
    return "".join((*pieces, text[at:]))


def _check(text: str, edit: Edit) -> None:
    if edit.kind not in KINDS:
        raise ValueError(f"{edit.kind!r} is no kind of edit. The kinds are: {', '.join(KINDS)}.")
    if not 0 <= edit.start <= edit.end <= len(text):
        raise ValueError(f"An edit from {edit.start} to {edit.end} lies outside a text of {len(text)} characters.")
    stands = text[edit.start : edit.end]
    if stands != edit.before:
        alike = ", which is written in other characters" if _form(stands) == _form(edit.before) else ""
        raise ValueError(f"At {edit.start} stands {stands!r} and not {edit.before!r}{alike}.")


def _form(text: str) -> str:
    """What is written alike, whichever way its accents are."""
    return unicodedata.normalize("NFKC", text)
