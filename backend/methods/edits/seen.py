"""What can be seen of a text: whether anything, and whether two of them look different."""

from __future__ import annotations

import re
import unicodedata

# Letters and signs that are drawn as nothing: the blank of Braille, which is a space there, and the fillers of Hangul.
BRAILLE_BLANK, FILLERS = "\u2800", "\u115f\u1160\u3164\uffa0"
# Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 16, but for those that change how others are
# drawn: the joiners of letters and emoji, and what turns the direction of writing.
IGNORED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # those that are no white space
# A flag of a region is a black one and the letters of its name, which are ignored anywhere else.
FLAG_OR_HIDDEN = re.compile(f"(\U0001f3f4[\U000e0020-\U000e007f]+)|[{CONTROLS}{FILLERS}{IGNORED}]")


def is_seen(text: str) -> bool:
    """Whether anything of it can be seen: more than spaces, signs that only join or steer others, and marks, which
    need a letter to stand on.

    >>> is_seen("\N{ZERO WIDTH SPACE}\N{HANGUL FILLER}\N{COMBINING ACUTE ACCENT}"), is_seen(".")
    (False, True)
    """
    blank = BRAILLE_BLANK + FILLERS
    return any(unicodedata.category(character)[0] not in "CZM" and character not in blank for character in text)


def look_alike(text: str, other: str) -> bool:
    """Whether nobody could tell one from the other: they differ in hidden signs, in how much white space there is and
    of which kind, or in how their accents are written.

    >>> look_alike("a cat", " a\N{NO-BREAK SPACE}c\N{SOFT HYPHEN}at"), look_alike("a cat", "a bat")
    (True, False)
    """
    return _as_seen(text) == _as_seen(other)


def _as_seen(text: str) -> str:
    shown = FLAG_OR_HIDDEN.sub(lambda found: found[1] or "", text)
    return unicodedata.normalize("NFC", " ".join(shown.replace(BRAILLE_BLANK, " ").split()))
