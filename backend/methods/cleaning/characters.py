"""Broken encodings, invisible characters and spellings of one character: repairs for every source.

A repair never changes what a caption says. A character gets its usual form only where that is the same character in
another width, position or font. Superscripts (10³), ordinals (25º), fractions (½), units (㎡) and symbols (™, ℃, №, ①)
are more than a form of other characters, so they stay: 10³ is not 103.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import ftfy

CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
ZERO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u202a-\u202e\u2060-\u206f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# Invisible characters that choose between two visible ones: the flags of countries such as England, variants of a
# Chinese character, forms of a Mongolian letter.
FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,16}\U000e007f"
VARIANT = "[\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff][\U000e0100-\U000e01ef]"
MONGOLIAN = "[\u1820-\u18aa][\u180b-\u180e]+"
INVISIBLE = re.compile(f"({FLAG}|{VARIANT}|{MONGOLIAN})|[{CONTROLS}{ZERO_WIDTH}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# These marks put numbers and foreign words into their places in Hebrew and Arabic. Elsewhere they do nothing.
DIRECTION_MARK = re.compile("[\u061c\u200e\u200f]")
RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001eeff]"
)
# Joiners spell Persian and Indic words and build emoji; between Latin letters or at an edge they are litter.
JOINERS = re.compile("[\u200c\u200d]+")
LAST_LATIN = "\u02af"
VIRAMA = 9  # its combining class
# The rule `markup` decodes entities, in time that grows with the text and not with its square.
FIXES = ftfy.TextFixerConfig(unescape_html=False, explain=False)


def is_plain(text: str) -> bool:
    """Whether neither `repair_encoding` nor `one_spelling` can change `text`, but for white space.

    That is printable ASCII. Repairs are most of the cost of cleaning and most captions are plain. A property test
    compares this with the repairs.
    """
    return text.isascii() and text.isprintable()


def repair_encoding(text: str) -> str:
    """Undo wrong decodings ("cafÃ©"), curly quotes and terminal escapes (ftfy)."""
    return text if is_plain(text) else ftfy.fix_text(text, FIXES)


def one_spelling(text: str) -> str:
    """One spelling for each character, nothing invisible, single spaces."""
    if is_plain(text):
        return single_spaces(text)
    return single_spaces(without_invisible(one_form(text)))


# The same character in another width, for vertical text, or small.
WIDTHS = frozenset({"<wide>", "<narrow>", "<small>", "<vertical>"})
# The same letter, digit, mark or space in another font or position, or several letters written as one.
FORMS = frozenset({"<compat>", "<font>", "<initial>", "<medial>", "<final>", "<isolated>", "<noBreak>"})
LETTERLIKE = range(0x2100, 0x2150)  # № ℃ ℓ ℝ ℵ
WHOLE_WORDS = range(0xFDF0, 0xFE00)  # ﷺ is set as one sign
HANGUL_LETTERS = range(0x3130, 0x3190)  # ㅋㅋ are whole letters, and not beginnings of a syllable
BLOCKS = (LETTERLIKE, HANGUL_LETTERS, WHOLE_WORDS)
SIGNS = frozenset("µ‼⁇⁈⁉″‴‶‷⁗")  # units of measure, and marks that are one emoji
ACCENT_AS_APOSTROPHE = re.compile(r"(?<=[A-Za-z])´(?=\w)")


def _usual_form(character: str) -> str | None:
    """The usual form of a character that is one in another shape; None where the character means more than that."""
    tag, _, _ = unicodedata.decomposition(character).partition(" ")
    form = unicodedata.normalize("NFKC", character)
    if tag in WIDTHS:
        return form
    if tag not in FORMS or character in SIGNS or any(ord(character) in block for block in BLOCKS):
        return None
    category = unicodedata.category(character)
    if form.startswith(" ") and category != "Zs":
        return None  # an accent that stands alone: a space would split the word
    return form if category[0] in "LMPZ" or category == "Nd" else None


@lru_cache(maxsize=1)
def usual_forms() -> dict[int, str]:
    """{code point: its usual form}. Above U+20000 there is nothing but Chinese characters."""
    forms = ((code, _usual_form(chr(code))) for code in range(0xA0, 0x20000) if not 0xD800 <= code < 0xE000)
    return {code: form for code, form in forms if form is not None}


def one_form(text: str) -> str:
    """One form for each character: composed accents (NFC), and no full-width letters, ligatures or letters in a font.

    An accent between letters is an apostrophe: don´t becomes don't.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", ACCENT_AS_APOSTROPHE.sub("'", text).translate(usual_forms()))


def without_invisible(text: str) -> str:
    """`text` without control, zero-width and direction characters, and without joiners that join nothing.

    Those stay that choose a flag or a form of a letter, and direction marks in texts with Hebrew or Arabic letters.
    """
    text = INVISIBLE.sub(lambda found: found[1] or "", text)
    if DIRECTION_MARK.search(text) and not RIGHT_TO_LEFT.search(text):
        text = DIRECTION_MARK.sub("", text)
    return JOINERS.sub(_needed, text)


def _needed(joiners: re.Match[str]) -> str:
    """The joiners where they join or part two characters, or end an Indic word: a virama needs one there."""
    start, end = joiners.span()
    before, after = joiners.string[max(start - 1, 0) : start], joiners.string[end : end + 1]
    if before and unicodedata.combining(before) == VIRAMA:
        return joiners.group()
    sides = [character > LAST_LATIN for character in (before, after) if character and not character.isspace()]
    spells = (before + after).isalnum() and any(sides)  # the plural of "PDF" in Persian
    return joiners.group() if len(sides) == 2 and (all(sides) or spells) else ""


def single_spaces(text: str) -> str:
    """Every run of white space is one space, and none at the ends."""
    return " ".join(text.split())
