"""Which two captions say different things although nearly all their letters are the same.

A hard negative is made that way: one number, one colour, a "not" or an opposite is changed, or two words change places.
Such a pair is no pair of near-duplicates, or the true caption would be lost with the false one.

* numbers with their units, colours and negations must be the same ones, in the same order;
* no word of one caption may exclude a word of the other (open and closed, left and right, man and woman);
* the same words must come in the same order, though a part of the sentence may be moved as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from backend.methods.lexicon.colours import BASIC, CSS
from backend.methods.lexicon.foreign_marks import FOREIGN_COLOURS, FOREIGN_NUMBERS
from backend.methods.lexicon.function_words import NEGATIONS
from backend.methods.lexicon.numbers import CARDINALS, GROUPS, ORDINALS, SEVERAL
from backend.methods.lexicon.opposites import opposites
from backend.methods.lexicon.units import PER_HOUR
from backend.methods.lexicon.units import UNITS as UNIT_NAMES

# A number with its sign and what stands within it, or a word; what people put between digits is not cut.
WORD = re.compile(r"(?<![\w.,])[-−+]?\d+(?:[.,:/×x⁄-]\d+)*[%‰°℃℉€$£¥′″]?\w*|[^\W_]+(?:['’][^\W_]+)*|[<>=≤≥≠±]")
THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d.,]*\d)")
DENIED = re.compile(r"n['’]t$")
NO_LETTER = re.compile(r"\W")
TENS, UNITS = CARDINALS[20:28], CARDINALS[1:10]
ONE = frozenset({"one", "1", "single", "a", "an"})
COLOURS = frozenset(name for name in (*BASIC, *CSS) if " " not in name) - {"peru", "tan", "snow", "wheat", "linen"}
COLOUR_FORMS = {"gray": "grey", "blonde": "blond", "golden": "gold", "silvery": "silver"}
Mark = tuple[str, str]  # number, unit, colour, negation or sign; which one
Marks = tuple[Mark, ...]


def _values() -> dict[str, str]:
    """{word: the number that it says}. A number has one value, in digits and in words."""
    values = {word: str(number) for number, word in enumerate(CARDINALS[:21])}
    values |= dict(zip(CARDINALS[21:28], ("30", "40", "50", "60", "70", "80", "90"), strict=True))
    values |= {word: word for word in (*CARDINALS[28:], *GROUPS, *SEVERAL)}
    values |= {word: f"{number}th" for number, word in enumerate(ORDINALS, start=1)}
    return {word: value for word, value in (FOREIGN_NUMBERS | values).items() if word not in ONE}


VALUES = _values()


def words_of(text: str) -> tuple[str, ...]:
    """The words, numbers and comparing signs of a text in their order, case folded."""
    folded = THOUSANDS.sub(lambda number: number.group().replace(",", ""), text.casefold())
    return tuple(WORD.findall(folded))


def marks_of(text: str) -> Marks:
    """The numbers with their units, colours and negations of a text in their order.

    Texts with different ones say different things.

    >>> marks_of("two red kites") == marks_of("2 red kites!") != marks_of("three red kites")
    True
    """
    words, found, is_number = words_of(text), list[Mark](), False
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        mark = _mark(word)
        if before in TENS and word in UNITS:  # twenty-one
            found.pop()
            mark = ("number", f"{VALUES[before][0]}{UNITS.index(word) + 1}")
        elif is_number and word in UNIT_NAMES:
            mark = ("unit", PER_HOUR.get((word, after), UNIT_NAMES[word]))
        found += [mark] if mark else []
        is_number = mark is not None and mark[0] == "number"
    return tuple(found)


def _mark(word: str) -> tuple[str, str] | None:
    if word in ONE:
        return None
    if any(map(str.isnumeric, word)):  # also ½ and 10³
        return "number", re.sub(r"(?<=\d)(?:st|nd|rd)$", "th", word)
    if word in VALUES:
        return "number", VALUES[word]
    colour = COLOUR_FORMS.get(word, word)
    if colour in COLOURS or colour in FOREIGN_COLOURS:
        return "colour", FOREIGN_COLOURS.get(colour, colour)
    if word in NEGATIONS or DENIED.search(word):
        return "negation", "not"
    return ("sign", word) if NO_LETTER.fullmatch(word) else None


def differ(text: str, other: str) -> bool:
    """Whether two nearly equal texts say different things.

    >>> differ("a man opens a red door", "a man closes a red door"), differ("a dog in a park", "in a park a dog")
    (True, False)
    """
    return marks_of(text) != marks_of(other) or exclude(text, other)


def exclude(text: str, other: str) -> bool:
    """The part of `differ` that is no comparison of marks: opposites, and words that have changed places."""
    words, others = words_of(text), words_of(other)
    mine, theirs = Counter(words) - Counter(others), Counter(others) - Counter(words)
    if mine and theirs:
        excluded = {opposite for word in mine for form in _forms(word) for opposite in opposites().get(form, ())}
        return not excluded.isdisjoint(form for word in theirs for form in _forms(word))
    return not mine and not theirs and not _is_moved(words, others)


def _forms(word: str) -> Iterator[str]:
    """The word, and what it may be a form of: opens, opened, opening, running."""
    yield word
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            yield stem
            if ending == "ing":
                yield f"{stem}e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]


def _is_moved(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether one becomes the other by moving one part of it as a whole."""
    start, end = 0, len(words)
    while start < end and words[start] == others[start]:
        start += 1
    while end > start and words[end - 1] == others[end - 1]:
        end -= 1
    one, twice = "\n".join(others[start:end]), "\n".join(words[start:end] * 2)
    return f"\n{one}\n" in f"\n{twice}\n"
