"""The rules for one text, in their order.

Markup and site names come with the web sources that bring them, as rules before and after the repair. What stands
here holds for every source: mend broken encodings, one form per character, nothing invisible, single spaces, then
the tests that drop. Cleaning twice is cleaning once: the mending rules are repeated until nothing changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

import ftfy

from backend.methods.cleaning.outcome import EMPTY, TOO_SHORT, UNSTABLE, Dropped
from backend.methods.cleaning.words import count_words

Outcome = str | Dropped
Rule = Callable[[str], Outcome]
ROUNDS = 10

CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
ZERO_WIDTH = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
INVISIBLE = re.compile(f"[{CONTROLS}{ZERO_WIDTH}\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
# Joiners spell Persian and Indic words and build emoji; between Latin letters or at an edge they are litter.
STRAY_JOINER = re.compile(r"(?<![^\x00-\u02af\s])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\u02af\s])")


def clean_text(text: str, *, min_words: int) -> Outcome:
    """`text` mended, or why it is dropped: `empty`, `too_short`, or `unstable` where mending finds no end."""
    return apply_rules(text, (repair_text, not_empty, at_least(min_words)))


def apply_rules(text: str, rules: Iterable[Rule]) -> Outcome:
    """`text` through the rules in order; the first that drops it ends the walk."""
    outcome: Outcome = text
    for rule in rules:
        if isinstance(outcome, Dropped):
            return outcome
        outcome = rule(outcome)
    return outcome


def repair_text(text: str) -> Outcome:
    """Mend `text` until another round would change nothing; `unstable` when ten rounds are not enough."""
    if text.isascii():  # elsewhere a no-break space may be the second byte of a letter, until the encoding is mended
        text = single_spaces(text)
    for _ in range(ROUNDS):
        if is_plain(text):
            return text
        mended = single_spaces(without_invisible(one_form(mend_encoding(text))))
        if mended == text:
            return text
        text = mended
    return Dropped(UNSTABLE, "Mending this text does not come to an end.")


def is_plain(text: str) -> bool:
    """Whether no mending rule can change `text`: printable ASCII without an HTML entity.

    Mending is most of the cost of cleaning and most captions are plain. A property test holds this against mending.
    """
    return text.isascii() and text.isprintable() and not ("&" in text and ";" in text)


def mend_encoding(text: str) -> str:
    """Undo wrong decodings ("cafÃ©"), HTML entities, curly quotes and terminal escapes (ftfy)."""
    return ftfy.fix_text(text)


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


def not_empty(text: str) -> Outcome:
    return text or Dropped(EMPTY, "Nothing is left to read.")


def at_least(min_words: int) -> Rule:
    """The rule that drops captions of fewer words, as `count_words` counts them."""

    def rule(text: str) -> Outcome:
        n_words = count_words(text, up_to=min_words)
        if n_words >= min_words:
            return text
        return Dropped(TOO_SHORT, f"{n_words} {'word' if n_words == 1 else 'words'}, {min_words} needed")

    return rule
