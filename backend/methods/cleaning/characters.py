"""Broken encodings, invisible characters and spellings of one character: what every source may have to be mended of."""

from __future__ import annotations

import re
import unicodedata

import ftfy

CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
INVISIBLE = re.compile(f"[{CONTROLS}{ZERO_WIDTH}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# Joiners spell Persian and Indic words and build emoji; between Latin letters or at an edge they are litter.
STRAY_JOINER = re.compile(r"(?<![^\x00-\u02af\s])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\u02af\s])")


def is_plain(text: str) -> bool:
    """Whether neither `mend_encoding` nor `one_spelling` can change `text`, but for white space.

    That is printable ASCII without an HTML entity. Mending is most of the cost of cleaning and most captions are
    plain. A property test holds this against mending.
    """
    return text.isascii() and text.isprintable() and not ("&" in text and ";" in text)


def mend_encoding(text: str) -> str:
    """Undo wrong decodings ("cafÃ©"), HTML entities, curly quotes and terminal escapes (ftfy)."""
    return text if is_plain(text) else ftfy.fix_text(text)


def one_spelling(text: str) -> str:
    """One spelling for each character, nothing invisible, single spaces."""
    if is_plain(text):
        return single_spaces(text)
    return single_spaces(without_invisible(one_form(text)))


def _invents_a_space(character: str) -> bool:
    form = unicodedata.normalize("NFKC", character)
    return len(form) > 1 and form.startswith(" ")


# NFKC would write these accents as a space and a combining mark, and split the word they stand in.
SPACING_ACCENTS = "".join(c for c in map(chr, range(0xA0, 0xFFFF)) if _invents_a_space(c))
ACCENT_AS_APOSTROPHE = re.compile(r"(?<=\w)´(?=\w)")
BESIDES_ACCENTS = re.compile(f"[^{re.escape(SPACING_ACCENTS)}]+")
MIXED_NUMBER = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞↉])")


def one_form(text: str) -> str:
    """NFKC, so that full-width letters, ligatures and composed accents have one spelling each.

    Three things NFKC would break are kept whole: don´t becomes don't and not "don ́t", other spacing accents stay,
    and 1½ becomes "1 1⁄2" and not "11⁄2".
    """
    if text.isascii():
        return text
    text = MIXED_NUMBER.sub(" ", ACCENT_AS_APOSTROPHE.sub("'", text))
    return BESIDES_ACCENTS.sub(lambda run: unicodedata.normalize("NFKC", run.group()), text)


def without_invisible(text: str) -> str:
    """`text` without control, zero-width and direction characters, and without joiners that join nothing."""
    return STRAY_JOINER.sub("", INVISIBLE.sub("", text))


def single_spaces(text: str) -> str:
    """Every run of white space is one space, and none at the ends."""
    return " ".join(text.split())
