"""The captions of one image beside each other: when two say the same, and which of them is the better one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from backend.methods.cleaning.characters import DIRECTION_MARK, one_form
from backend.methods.cleaning.hashtags import RUN
from backend.methods.cleaning.outcome import Dropped
from backend.methods.cleaning.rules import repair_text

# People wrote about this very image; a caption borrowed from another image is the first to go.
FIRST_SOURCES = ("human", "corpus", "web")
LAST_SOURCE = "other_image"


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


ALL_PUNCTUATION = "".join(filter(_is_punctuation, map(chr, range(0x20000))))
ASCII_PUNCTUATION = str.maketrans("", "", "".join(filter(str.isascii, ALL_PUNCTUATION)))
THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d.,]*\d)")
# Marks within a number, beside one, or after the name of a language or a tone mean something: 1.5, -5, 50%, C#.
MEANINGFUL = r"(?<=\d)[.,:/‐–-](?=\d)|(?<![^\s(])-(?=\d)|(?<=\d)[%‰′″]|(?<=\w)#"
PUNCTUATION = re.compile(f"({MEANINGFUL})|[{re.escape(ALL_PUNCTUATION)}]")
VARIATION = re.compile("[\ufe0e\ufe0f]")

# What cleaning leaves in a text, and a cleaner twin does not have.
DIRT = (
    re.compile(r"<(?!person>)/?[a-z!][^<>]*>", re.IGNORECASE),
    RUN,
    re.compile(r"(?<![\w.])@\w"),
    re.compile(r" (?:\||¦|»|›|•|::|//) "),
    re.compile(r"[!?]{2}|\.\.|…|,,|\ufffd"),
    re.compile(r"^[^\w\s\"'(\[<«“‘¿¡#$€£-]|[^\w\s\"')\]>»”’.!?%°-]$"),
    re.compile(r"\.(?:jpe?g|png|gif|webp|tiff?|bmp)\b", re.IGNORECASE),
)
PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))


@dataclass(frozen=True, slots=True)
class Caption:
    """One cleaned text of a pool, with what decides which of two twins is kept. `n_repaired` rules repaired it."""

    key: str
    source: str
    text: str
    n_repaired: int = 0


def merit(caption: Caption) -> tuple[bool, int, int, int, int, str]:
    """Sorts first what is kept of twins: captions of this image before borrowed ones, the cleanest text, the best
    source (human, corpus, web, others), the one that needed the fewest repairs, the longest, the lowest key. A rule
    that knows neither database ids nor the order of import.
    """
    return (
        caption.source == LAST_SOURCE, count_dirt(caption.text), _rank_of(caption.source), caption.n_repaired,
        -len(caption.text), caption.key,
    )  # fmt: skip


def _rank_of(source: str) -> int:
    return FIRST_SOURCES.index(source) if source in FIRST_SOURCES else len(FIRST_SOURCES)


def count_dirt(text: str) -> int:
    """How many kinds of dirt a cleaned text still has: tags, hashtags, separators, cut ends, capitals and others.

    >>> count_dirt("A red barn at dusk"), count_dirt("A RED BARN | BARNS!!! #barn")
    (0, 4)
    """
    if text.isascii() and text.replace(" ", "").isalpha():
        return _is_shouted(text)
    found = sum(bool(sign.search(text)) for sign in DIRT)
    odd = any(text.count(opening) != text.count(closing) for opening, closing in PAIRS) or text.count('"') % 2 == 1
    return found + odd + _is_shouted(text)


def _is_shouted(text: str) -> bool:
    """Whether several words are all in capitals."""
    return text.isupper() and " " in text


def fold_text(text: str) -> str:
    """`text` for comparing: one form of each character, case folded, without punctuation, single spaces.

    Marks that make another number of a number stay; a text that is nothing but marks stays whole.

    >>> fold_text("A dog's  ball!"), fold_text("?!"), fold_text("1,500 m at 1.5 km/h")
    ('a dogs ball', '?!', '1500 m at 1.5 kmh')
    """
    if text.isascii():
        folded = text.lower()
    else:
        folded = VARIATION.sub("", DIRECTION_MARK.sub("", one_form(one_form(text).casefold())))
    if folded.isascii() and "#" not in folded and not any(map(str.isdigit, folded)):
        bare = folded.translate(ASCII_PUNCTUATION)
    else:
        folded = THOUSANDS.sub(lambda number: number.group().replace(",", ""), folded)
        bare = PUNCTUATION.sub(lambda mark: mark[1] or "", folded)
    return " ".join(bare.split()) or folded


def comparison_form(raw_text: str) -> str:
    """The folded form of a text that is not cleaned yet."""
    repaired = repair_text(raw_text)
    return fold_text(raw_text if isinstance(repaired, Dropped) else repaired)
