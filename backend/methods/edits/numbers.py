"""Numbers (IMP, C.4): "a group of birds" where the picture has one. How many there are only a person can see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backend.methods.edits.edit import NUMBER
from backend.methods.edits.words import Parse, Suggestion, like, singular_of, suggest
from backend.methods.lexicon.numbers import CARDINALS, GROUPS

LABELS = frozenset({"CARDINAL", "NUMBER"})
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
WORDS, OF = frozenset(CARDINALS), 3


def suggest_numbers(parse: Parse) -> Iterator[Suggestion]:
    """Each "a group of", with "a single bird" to put there; each cardinal in words or digits, with nothing to put."""
    taken = 0
    for at, word in enumerate(parse.words):
        if word.start < taken:
            continue
        found = _group(parse, at) or _cardinal(parse, at) or _by_label(parse, at)
        if found:
            taken = found.end
            yield found


def _group(parse: Parse, at: int) -> Suggestion | None:
    words = parse.words[at : at + OF]
    if len(words) < OF or words[0].text.lower() not in ("a", "an") or words[2].text.lower() != "of":
        return None
    if words[1].text.lower() not in GROUPS:
        return None
    members = parse.words[at + OF] if at + OF < len(parse.words) else None
    if members is None or members.pos != "NOUN":
        return suggest(parse, words[0].start, words[2].end, NUMBER)
    single = like(words[0].text, f"a single {singular_of(members.text)}")
    return suggest(parse, words[0].start, members.end, NUMBER, (single,))


def _cardinal(parse: Parse, at: int) -> Suggestion | None:
    """A run of cardinals: two hundred, 12. "No one" counts nothing."""
    last = at
    while last < len(parse.words) and _is_cardinal(parse, last):
        last += 1
    return suggest(parse, parse.words[at].start, parse.words[last - 1].end, NUMBER) if last > at else None


def _is_cardinal(parse: Parse, at: int) -> bool:
    word = parse.words[at]
    return bool(DIGITS.fullmatch(word.text)) or (word.text.lower() in WORDS and word.pos != "PRON")


def _by_label(parse: Parse, at: int) -> Suggestion | None:
    """What the parser calls a number and is none of these: a dozen."""
    for name in parse.names_from.get(parse.words[at].start, ()):
        if name.label in LABELS:
            return suggest(parse, name.start, name.end, NUMBER)
    return None
