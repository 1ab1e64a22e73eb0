"""Exact duplicates within the captions of one image."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from backend.methods.cleaning.outcome import DUPLICATE, Dropped
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


def drop_duplicates(captions: Iterable[Caption], *, settled: Iterable[Caption] = ()) -> dict[str, Dropped]:
    """The captions that say the same as a kept one, by key; their detail is the kept one's key.

    `settled` ones are kept whatever else there is: people have them before their eyes.
    Kept is the one of the best source (human, corpus, web, others, other images), then the longest, then the lowest
    key: a rule that knows neither database ids nor the order of import.
    """
    kept = {fold_text(caption.text): caption.key for caption in settled}
    dropped: dict[str, Dropped] = {}
    for caption in sorted(captions, key=_merit):
        first = kept.setdefault(fold_text(caption.text), caption.key)
        if first != caption.key:
            dropped[caption.key] = Dropped(DUPLICATE, first)
    return dropped


def _merit(caption: Caption) -> tuple[int, int, str]:
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
