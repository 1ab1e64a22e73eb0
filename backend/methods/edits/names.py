"""Persons and places (IMP, C.4): a name that says nothing about the picture gives way to what it stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backend.methods.edits.edit import LOCATION, PERSON
from backend.methods.edits.words import Name, Parse, Suggestion, like, suggest
from backend.methods.lexicon.places import BUILDINGS, NOT_BUILDINGS

# As spaCy's English pipelines name them (OntoNotes), and as ours does (Universal NER).
PERSONS = frozenset({"PERSON", "PER"})
FACILITIES = frozenset({"FAC"})
FLAGGED = frozenset({"LOC", "ORG"})
NAMED = PERSONS | FACILITIES | FLAGGED | {"GPE"}

PLACEHOLDER = "<person>"
POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$", re.IGNORECASE)
ARTICLE = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
NEAR = 20  # characters before a name in which its article stands: a text may be 100 kB


def suggest_persons(parse: Parse) -> Iterator[Suggestion]:
    """<person> for each name of a person; what makes it possessive stays, so that it reads "<person>'s"."""
    for name in parse.names:
        if name.label in PERSONS and "<" not in parse.text[max(0, name.start - 1) : name.end]:
            end = _without_possessive(parse.text, name)
            yield suggest(parse, name.start, end, PERSON, (PLACEHOLDER,))


def suggest_locations(parse: Parse) -> Iterator[Suggestion]:
    """ "a building" for a named one with its article; regions and organisations without a text; cities stay.

    Our own parser calls cities LOC as well: those are offered without a text too, and New York City stays where nobody
    touches it.
    """
    for name in parse.names:
        end = _without_possessive(parse.text, name)
        if name.label in FLAGGED:
            yield suggest(parse, name.start, end, LOCATION)
        elif name.label in FACILITIES:
            article = ARTICLE.search(parse.text, max(0, name.start - NEAR), name.start)
            start = article.start() if article else name.start
            last = parse.text[name.start : end].split()[-1].lower()
            model = parse.text[start:end] if article or not parse.text[:start].strip() else ""
            yield suggest(parse, start, end, LOCATION, [like(model, option) for option in _options(last)])


def _options(last_word: str) -> tuple[str, ...]:
    """What to call a place by the last word of its name: a building, unless it is a bridge or the like."""
    if last_word in NOT_BUILDINGS:
        return (f"a {last_word}",)
    kind = last_word.removesuffix("s") if last_word == "towers" else last_word
    return ("a building", f"a {kind}") if kind in BUILDINGS - {"building"} else ("a building",)


def _without_possessive(text: str, name: Name) -> int:
    """Where the name ends."""
    found = POSSESSIVE.search(text, name.start, name.end)
    return found.start() if found else name.end
