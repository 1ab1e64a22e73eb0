"""All suggestions for a caption. None is ever made by itself: an annotator takes one, changes it, or leaves it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from backend.methods.edits.colours import suggest_colours
from backend.methods.edits.names import NAMED, suggest_locations, suggest_persons
from backend.methods.edits.numbers import suggest_numbers
from backend.methods.edits.object_names import suggest_object_names
from backend.methods.edits.words import Name, Parse, Suggestion, Word


def suggest_edits(text: str, *, words: Sequence[Word], names: Sequence[Name]) -> tuple[Suggestion, ...]:
    """Suggestions for `text` with its tokens and entities, in the order of their places.

    What stands within the name of a person or a place is no number, colour or animal: Gordon Brown, Times Square,
    the Red Lion Inn. Two suggestions may share words ("a group of white birds" and "white"); two edits may not.
    """
    parse = Parse(text, words, names)
    named = [*suggest_persons(parse), *suggest_locations(parse)]
    inside = [(name.start, name.end) for name in names if name.label in NAMED]
    others = chain(suggest_numbers(parse), suggest_colours(parse), suggest_object_names(parse))
    return tuple(sorted((*named, *_outside(others, inside))))


def _outside(suggestions: Iterable[Suggestion], spans: Sequence[tuple[int, int]]) -> Iterable[Suggestion]:
    """Those that share no character with any span."""
    taken = {place for start, end in spans for place in range(start, end)}
    for one in suggestions:
        if taken.isdisjoint(range(one.start, one.end)):
            yield one
