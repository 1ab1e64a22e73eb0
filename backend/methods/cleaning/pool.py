"""The captions of one image beside each other: when two say the same, and which of them is the better one."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from backend.methods.cleaning.outcome import Dropped
from backend.methods.cleaning.rules import repair_text

# People wrote about this very image; a caption borrowed from another image is the first to go.
FIRST_SOURCES = ("human", "corpus", "web")
LAST_SOURCE = "other_image"


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P")


ASCII_PUNCTUATION = str.maketrans("", "", "".join(filter(_is_punctuation, map(chr, range(128)))))


@dataclass(frozen=True, slots=True)
class Caption:
    """One cleaned text of a pool, with what decides which of two equals is kept."""

    key: str
    source: str
    text: str


def merit(caption: Caption) -> tuple[int, int, str]:
    """Sorts first what is kept of equals: the best source (human, corpus, web, others, other images), the longest, the
    lowest key. A rule that knows neither database ids nor the order of import.
    """
    return _rank_of(caption.source), -len(caption.text), caption.key


def _rank_of(source: str) -> int:
    if source in FIRST_SOURCES:
        return FIRST_SOURCES.index(source)
    return len(FIRST_SOURCES) + (source == LAST_SOURCE)


def fold_text(text: str) -> str:
    """`text` for comparing: NFKC, case folded, without punctuation, single spaces; whole where only marks are left.

    >>> fold_text("A dog's  ball!"), fold_text("?!")
    ('a dogs ball', '?!')
    """
    if text.isascii():
        folded = text.lower()
        bare = folded.translate(ASCII_PUNCTUATION)
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        bare = "".join(c for c in folded if not _is_punctuation(c))
    return " ".join(bare.split()) or folded


def comparison_form(raw_text: str) -> str:
    """The folded form of a text that is not cleaned yet."""
    mended = repair_text(raw_text)
    return fold_text(raw_text if isinstance(mended, Dropped) else mended)
