"""Colours (IMP, C.4): "a blue flower" where it is red. The eleven basic colours are offered instead."""

from __future__ import annotations

from collections.abc import Iterator

from backend.methods.edits.edit import COLOR
from backend.methods.edits.words import Parse, Suggestion, like, with_article
from backend.methods.lexicon.colours import ALSO_THINGS, BASIC, colours

LABEL = "COLOR"
NAMES = frozenset(colours())
LONGEST = max(name.count(" ") + 1 for name in NAMES)
OFFERED = tuple(name for name in BASIC if name != "grey")


def suggest_colours(parse: Parse) -> Iterator[Suggestion]:
    """Each name of a colour, the longest from each word on, where it surely means one."""
    at = 0
    while at < len(parse.words):
        length = _length(parse, at)
        if length:
            first, last = parse.words[at], parse.words[at + length - 1]
            name = parse.text[first.start : last.end].lower().replace("grey", "gray")
            options = [like(first.text, other) for other in OFFERED if other != name]
            yield with_article(parse, at, last.end, COLOR, options)
        at += length or 1


def _length(parse: Parse, at: int) -> int:
    """How many words from `at` on are the name of a colour; 0 where none is."""
    for length in range(min(LONGEST, len(parse.words) - at), 0, -1):
        words = parse.words[at : at + length]
        name = " ".join(word.text.lower() for word in words)
        if name in NAMES and (name not in ALSO_THINGS or words[-1].pos == "ADJ" or _is_labelled(parse, at)):
            return length
    return 0


def _is_labelled(parse: Parse, at: int) -> bool:
    return any(name.label == LABEL for name in parse.names_from.get(parse.words[at].start, ()))
