"""An edit of a caption, and the caption with its edits."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from backend.methods.said import fill

PERSON, LOCATION, NUMBER, COLOR, OBJECT_NAME, OTHER = "person", "location", "number", "color", "object_name", "other"
KINDS = (PERSON, LOCATION, NUMBER, COLOR, OBJECT_NAME, OTHER)


class EditError(ValueError):
    """An edit that does not fit the text: a code, and a template with its values."""

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        self.code, self.template, self.params = code, template, params
        super().__init__(fill(template, params))


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

    Raises EditError where an edit has an unknown kind, lies outside the text, does not find there what it says, or
    shares a character with another. Two that add text at one place are made in the order of their texts.

    >>> apply_edits("John's elk", [Edit(0, 4, "John", "<person>", PERSON), Edit(7, 10, "elk", "deer", OBJECT_NAME)])
    "<person>'s deer"
    """
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits):
        _check(text, edit)
        if edit.start < at:
            raise EditError(
                "edits_overlap", 'two edits change "{text}". Remove one of them.', text=text[edit.start : at]
            )
        pieces += (text[at : edit.start], edit.after)
        at = edit.end
    return "".join((*pieces, text[at:]))


def _check(text: str, edit: Edit) -> None:
    if edit.kind not in KINDS:
        raise EditError(
            "edit_kind_unknown",
            '"{kind}" is not a kind of edit. The kinds are: {kinds}.',
            kind=edit.kind,
            kinds=", ".join(KINDS),
        )
    if not 0 <= edit.start <= edit.end <= len(text):
        raise EditError(
            "edit_outside",
            "the edit from {start} to {end} is outside the text of {length} characters.",
            start=edit.start,
            end=edit.end,
            length=len(text),
        )
    stands = text[edit.start : edit.end]
    if stands != edit.before:
        if _form(stands) == _form(edit.before):
            raise EditError(
                "edit_other_characters",
                'at {start} the caption has "{found}" in other characters than the edit. Reload the page.',
                start=edit.start,
                found=stands,
            )
        raise EditError(
            "edit_elsewhere",
            'at {start} the caption has "{found}", not "{wanted}". Reload the page.',
            start=edit.start,
            found=stands,
            wanted=edit.before,
        )


def _form(text: str) -> str:
    """What is written alike, whichever way its accents are."""
    return unicodedata.normalize("NFKC", text)
