"""Rule 10: what a person should look at. A flag drops nothing.

The language is asked of py3langid, which weighs 5 MB and needs numpy alone; lingua, more exact on short texts, weighs
96 MB. Titles are short, so it is asked only where not one word tells English, and believed only when it is sure.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from backend.methods.lexicon.adult import ADULT
from backend.methods.lexicon.function_words import ONLY_ENGLISH

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

NON_ENGLISH, ADULT_WORDS, PERSONAL = "non_english", "adult", "personal_data"
FLAGS = (NON_ENGLISH, ADULT_WORDS, PERSONAL)

# Nothing of 30,000 English captions of COCO and CC3M is flagged with these, nor much that is only names.
ENGLISH_AT_MOST = 0.001
FAVOURITE = 0.3
FEWEST_LETTERS = 12
MOST_LETTERS = 2000  # tell the language of a text as well as all of them do
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
LATIN = re.compile("[a-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]@[\w-]+\.[\w.-]*[a-z]", re.IGNORECASE)
# With its country's code, or cut 3-3-4 as in North America: long numbers alone are numbers of products.
PHONE = re.compile(r"(?<![\w.+-])(?:\+\d[\d ().-]{7,16}\d|\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4})(?![\w-])")
DIGIT = re.compile(r"\d")
CARD = re.compile(r"(?<!\d)(?:\d{4}[ -]){3}\d{4}(?!\d)")


def flags_of(text: str) -> tuple[str, ...]:
    """The flags that `text` has, in the order of FLAGS.

    >>> flags_of("Ein Hund läuft über die grüne Wiese"), flags_of("Call 555-123-4567 for prints")
    (('non_english',), ('personal_data',))
    """
    words = WORD.findall(text.lower())
    found = (
        (NON_ENGLISH, not is_english(text, words)),
        (ADULT_WORDS, not ADULT.isdisjoint(words)),
        (PERSONAL, is_personal(text)),
    )
    return tuple(name for name, is_so in found if is_so)


def is_personal(text: str) -> bool:
    """Whether an e-mail address, a telephone number or the number of a card stands in `text`."""
    if "@" in text and EMAIL.search(text):
        return True
    return bool(DIGIT.search(text)) and bool(PHONE.search(text) or CARD.search(text))


def is_english(text: str, words: list[str] | None = None) -> bool:
    """Whether `text` is English, or too short or too mixed to say. `words` are its words in lower case, if known."""
    words = WORD.findall(text.lower()) if words is None else words
    if not ONLY_ENGLISH.isdisjoint(words):
        return True
    letters = "".join(words)
    n_latin = len(letters) if letters.isascii() else len(LATIN.findall(letters))
    if n_latin < len(letters) / 2:
        return False
    return len(letters) < FEWEST_LETTERS or not _is_surely_foreign(" ".join(words)[:MOST_LETTERS])


def _is_surely_foreign(text: str) -> bool:
    """Neighbours such as Spanish and Catalan share what is not English, so none of them has to stand out."""
    language, chance = _identifier().classify(text)
    if language == "en" or chance < FAVOURITE:
        return False
    chances: dict[str, float] = dict(_identifier().rank(text))
    return chances["en"] < ENGLISH_AT_MOST


@lru_cache(maxsize=1)
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # 20 MB once read: only where a text needs it

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
