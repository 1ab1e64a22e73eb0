"""Rule 7: a list of keywords, as photo stocks and shops write them below a picture.

Sentences need function words, and enumerations in a sentence end with "and": "Red, green, blue and yellow boats". A
list of keywords is many short pieces with hardly a function word among them.
"""

from __future__ import annotations

import re

from backend.methods.cleaning.outcome import KEYWORD_LIST, Dropped, Outcome
from backend.methods.cleaning.review import is_english
from backend.methods.cleaning.words import HAN_AND_KANA, SOUTH_EAST_ASIAN
from backend.methods.lexicon.foreign_words import FOREIGN_WORDS, NEVER_ENGLISH
from backend.methods.lexicon.function_words import FUNCTION_WORDS

CUT = re.compile(r"[,;،؛](?!\d)")  # not the commas of 1,500
WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
SENTENCE_END = re.compile(r"[.!?…]\s+\S")
# In the last piece, or at the beginning of another.
AND = r"(?:and|or|&|und|oder|et|ou|y|o|e|ed|en|och|og|i|и|ve)\s"
LAST_OF_SEVERAL, ONE_OF_SEVERAL = re.compile(rf"(?:^|\s){AND}", re.IGNORECASE), re.compile(rf"\s*{AND}", re.IGNORECASE)
NAMES_A_LIST = re.compile(r"\b(?:including|includes?|such as|like|contains?|containing)\b", re.IGNORECASE)
FEWEST = 4  # pieces
MOST_WORDS = 2.5  # in a piece, on average
LONGEST = 4  # words in a piece
FUNCTIONAL = 0.2


def not_a_list(text: str) -> Outcome:
    """`text`, or `keyword_list` where it is four or more short pieces between commas, and no sentence.

    >>> not_a_list("dog, puppy, cute pet, animal").detail
    '4 keywords between commas'
    """
    pieces = [piece for piece in CUT.split(text) if WORD.search(piece)]
    n_keywords = sum(not any(map(str.isdigit, piece)) for piece in pieces)  # dates are none
    if n_keywords < FEWEST or SENTENCE_END.search(text) or _enumerates(text, pieces):
        return text
    lengths = [len(WORD.findall(piece)) for piece in pieces]
    if max(lengths) > LONGEST or sum(lengths) > MOST_WORDS * len(pieces) or _has_no_spaces(text):
        return text
    words = WORD.findall(text.casefold())
    foreign = NEVER_ENGLISH if is_english(text) else FOREIGN_WORDS
    if _is_sentence(words, FUNCTION_WORDS) or _is_sentence(words, foreign):
        return text
    return Dropped(KEYWORD_LIST, f"{n_keywords} keywords between commas")


def _enumerates(text: str, pieces: list[str]) -> bool:
    """Whether a sentence names several things: "apples, pears, plums and figs", "fruit such as apples, pears"."""
    return bool(
        LAST_OF_SEVERAL.search(pieces[-1]) or any(map(ONE_OF_SEVERAL.match, pieces)) or NAMES_A_LIST.search(text)
    )


def _has_no_spaces(text: str) -> bool:
    """Whether the script of `text` has no spaces, so that its words cannot be told."""
    return not text.isascii() and bool(HAN_AND_KANA.search(text) or SOUTH_EAST_ASIAN.search(text))


def _is_sentence(words: list[str], functional: frozenset[str]) -> bool:
    return sum(word in functional for word in words) > FUNCTIONAL * len(words)
