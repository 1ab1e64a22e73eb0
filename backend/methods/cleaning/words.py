"""What a word is, also in scripts that put no space between words."""

from __future__ import annotations

import re

# Letters per word, rounded from running text: Chinese and Japanese words are mostly two characters, Thai, Lao, Khmer
# and Burmese ones mostly four. Good enough to tell a title from a caption; a segmenter per language is not worth it.
HAN_AND_KANA = re.compile(
    r"[\u3005\u3007\u3041-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
SOUTH_EAST_ASIAN = re.compile(r"[\u0e01-\u0ec6\u0edc-\u0edf\u1000-\u103f\u1780-\u17d3]")
UNSPACED = ((HAN_AND_KANA, 2), (SOUTH_EAST_ASIAN, 4))
LETTER_OR_DIGIT = re.compile(r"[^\W_]")


def count_words(text: str, *, up_to: int | None = None) -> int:
    """How many words `text` has; counting stops once `up_to` is reached, for speed.

    A word is a piece between white space that holds a letter or a digit: dashes, emoji and lone punctuation are none.
    Scripts written without spaces count by their letters: every two begun of Han, Hiragana or Katakana, every four
    begun of Thai, Lao, Khmer or Burmese. What else stands in the same piece (Latin, digits) counts as one more.

    >>> count_words("a dog - and 2 cats"), count_words("一只狗在草地上跑"), count_words("🐕 !")
    (5, 4, 0)
    """
    n_words = 0
    for piece in text.split():
        n_words += _words_in(piece)
        if up_to is not None and n_words >= up_to:
            break
    return n_words


def _words_in(piece: str) -> int:
    if piece.isascii():
        return 1 if piece.isalnum() or LETTER_OR_DIGIT.search(piece) else 0
    n_words = 0
    for script, letters_per_word in UNSPACED:
        piece, n_letters = script.subn("", piece)
        n_words += -(-n_letters // letters_per_word)
    return n_words + (1 if LETTER_OR_DIGIT.search(piece) else 0)
