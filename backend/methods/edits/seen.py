"""What can be seen of a text: whether anything, and whether two of them look different."""

from __future__ import annotations

import re
import unicodedata

# Letters and signs that are drawn as nothing: the blank of Braille, which is a space there, and the fillers of Hangul.
BRAILLE_BLANK, FILLERS = "\u2800", "\u115f\u1160\u3164\uffa0"
# Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 16, and others that are drawn as nothing; but for
# those that change how others are drawn, which follow.
IGNORED = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# What joins letters and emoji, and chooses among their shapes; letters of these scripts have but one.
SHAPERS = "\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
OF_ONE_SHAPE = "\\x00-\u024f\u0370-\u052f\u1e00-\u206f"  # Latin, Greek, Cyrillic, and spaces
# What turns the direction of writing: nothing, where all of it runs from left to right already.
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
TURNING = "\u202b\u202e\u2067"  # to the left, whatever is written
CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # those that are no white space
HIDDEN = f"[{CONTROLS}{FILLERS}{IGNORED}]|(?<![^{OF_ONE_SHAPE}])[{SHAPERS}]"
# A flag of a region is a black one and the letters of its name, which are ignored anywhere else.
FLAG_OR_HIDDEN = re.compile(f"(\U0001f3f4[\U000e0020-\U000e007f]+)|{HIDDEN}")
# Marks need a letter to stand on; what is no character yet may be one by tomorrow, as emoji are.
NOT_DRAWN = frozenset({"Cc", "Cf", "Co", "Cs", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"})


def is_seen(text: str) -> bool:
    """Whether anything of it can be seen: more than spaces, signs that only join or steer others, and marks, which
    need a letter to stand on.

    >>> is_seen("\N{ZERO WIDTH SPACE}\N{HANGUL FILLER}\N{COMBINING ACUTE ACCENT}"), is_seen(".")
    (False, True)
    """
    shown = re.sub(HIDDEN, "", text).replace(BRAILLE_BLANK, "")
    return any(unicodedata.category(character) not in NOT_DRAWN for character in shown)


def look_alike(text: str, other: str) -> bool:
    """Whether nobody could tell one from the other: they differ in hidden signs, in how much white space there is and
    of which kind, or in how their accents are written.

    >>> look_alike("a cat", " a\N{NO-BREAK SPACE}c\N{SOFT HYPHEN}at"), look_alike("a cat", "a bat")
    (True, False)
    """
    return _as_seen(text) == _as_seen(other)


def _as_seen(text: str) -> str:
    shown = FLAG_OR_HIDDEN.sub(lambda found: found[1] or "", text if _runs_leftward(text) else DIRECTIONS.sub("", text))
    return unicodedata.normalize("NFC", " ".join(shown.replace(BRAILLE_BLANK, " ").split()))


def _runs_leftward(text: str) -> bool:
    """Whether anything of it does: a letter of such a script, or a sign that turns others."""
    return any(sign in TURNING or _is_leftward_letter(sign) for sign in text)


def _is_leftward_letter(sign: str) -> bool:
    return unicodedata.bidirectional(sign) in ("R", "AL") and unicodedata.category(sign) != "Cf"
