"""Rule 6: a title that says the same words again and again is a list of keywords."""

from __future__ import annotations

import re

from backend.methods.cleaning.outcome import REPETITION, Dropped, Outcome
from backend.methods.cleaning.review import is_english
from backend.methods.lexicon.foreign_words import FOREIGN_WORDS, NEVER_ENGLISH
from backend.methods.lexicon.function_words import FUNCTION_WORDS

WORD = re.compile(r"[^\W_]+(?:(?:['’-]|(?<=\d)[.,:/](?=\d))[^\W_]+)*")  # 1.5 is one word
ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|dell|all|nell|sull|dall)['’]")  # l'eau is a word with its article
FEWEST = 4  # content words, below which nothing is said
MOST = 0.2


def without_repetition(text: str) -> Outcome:
    """`text`, or `repetition` where r = 1 - unique / total over its content words is above 0.2.

    Source: CC12M, "maximum fraction of word repetition 0.2"; its formula is unpublished. Function words are left out,
    or "the lake, the sky, the stillness of the hour" would be lost; of a text that is not English, foreign ones.

    >>> without_repetition("dog dogs puppy dog breed dog training dog").detail
    '3 of 8 content words are repeated (0.38)'
    """
    words = content_words(text)
    if not _repeats(words):
        return text
    words = _without_foreign(words, NEVER_ENGLISH if is_english(text) else FOREIGN_WORDS)
    if not _repeats(words):
        return text
    repeated = len(words) - len(set(words))
    share = repeated / len(words)
    return Dropped(REPETITION, f"{repeated} of {len(words)} content words are repeated ({share:.2f})")


def _without_foreign(words: list[str], functional: frozenset[str]) -> list[str]:
    return [word for word in (ELIDED.sub("", word) for word in words) if word not in functional]


def _repeats(words: list[str]) -> bool:
    return len(words) >= FEWEST and len(words) - len(set(words)) > MOST * len(words)


def content_words(text: str) -> list[str]:
    """The words of `text` that are no function words, case folded, in their order."""
    folded = text.lower() if text.isascii() else text.casefold()
    return [word for word in WORD.findall(folded) if word not in FUNCTION_WORDS]
