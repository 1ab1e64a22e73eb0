"""Object names (IMP, C.4): animals and plants are often taken for their neighbours; what they are kinds of is offered.

The trap of the paper's own example: WordNet's elk is the moose of Europe, and both it and the American elk (wapiti) are
deer. "keep elk, change Moose to deer" is therefore an offer for both, and a person says which.
"""

from __future__ import annotations

from collections.abc import Iterator

from backend.methods.edits.edit import OBJECT_NAME
from backend.methods.edits.words import Parse, Suggestion, like, plural_of, singular_of, with_article
from backend.methods.lexicon.organisms import LONGEST_NAME, organisms

NOUNS = frozenset({"NOUN", "PROPN"})
PLURAL = frozenset({"NNS", "NNPS"})
ONE = frozenset({"a", "an", "one", "1", "this", "that", "each", "every", "single"})


def suggest_object_names(parse: Parse) -> Iterator[Suggestion]:
    """Each name of an animal or a plant, the longest that ends at a noun, with its hypernyms up to two levels."""
    at = 0
    while at < len(parse.words):
        found = _longest(parse, at)
        if found:
            length, singular = found
            yield _suggestion(parse, at, length, singular)
        at += found[0] if found else 1


def _suggestion(parse: Parse, at: int, length: int, singular: str) -> Suggestion:
    first, last = parse.words[at], parse.words[at + length - 1]
    is_plural = _is_plural(parse, at, length, singular)
    kinds = [plural_of(kind) if is_plural else kind for kind in organisms()[singular]]
    return with_article(parse, at, last.end, OBJECT_NAME, [like(first.text, kind) for kind in kinds])


def _is_plural(parse: Parse, at: int, length: int, singular: str) -> bool:
    """By form; where singular and plural are one, as in elk, by the article or number before, then by the tag."""
    if _joined(parse, at, length) != singular:
        return True
    before = parse.words[at - 1] if at else None
    if before and before.text.lower() in ONE:
        return False
    if before and before.pos == "NUM":
        return True
    return parse.words[at + length - 1].tag in PLURAL


def _longest(parse: Parse, at: int) -> tuple[int, str] | None:
    """(number of words, the name in the singular) of the longest name that begins at `at`."""
    for length in range(min(LONGEST_NAME, len(parse.words) - at), 0, -1):
        if parse.words[at + length - 1].pos not in NOUNS:
            continue
        name = _joined(parse, at, length)
        for singular in (name, singular_of(name)):
            if singular in organisms():
                return length, singular
    return None


def _joined(parse: Parse, at: int, length: int) -> str:
    return " ".join(word.text.lower() for word in parse.words[at : at + length])
