"""Windows-1252, in which Excel saves a CSV in western Europe: told from UTF-8 with a spoilt row, and from the encodings
of other languages."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

# What settles it: a letter of UTF-8, zeros, bytes without a meaning, and one that no language of western Europe uses.
# Some quotes behind a letter happen to be UTF-8, as in `süß“` and `été »`: they settle nothing.
MARKS = rb"\x85\x91-\x94\x96\x97\xa0\xab\xbb"
IS_OTHER = re.compile(
    rb"[\0\x81\x8d\x8f\x90\x9d\xff]|[\xc2\xc3][\x80-\xbf]|[\xc4-\xdf](?![" + MARKS + rb"])[\x80-\xbf]"
    rb"|[\xe0-\xef](?![" + MARKS + rb"]{2})[\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
# What other encodings have instead of letters: rows of these (Cyrillic, Greek, Chinese), signs within words (Polish,
# German of DOS), and capitals behind small letters (Macintosh).
IN_ROWS = re.compile(rb"[\x8a\x8c\x8e\x9a\x9c\x9e\x9f\xc0-\xfe]{3,}|[\x80-\xfe]{5,}")
LETTER = rb"[A-Za-z\xc0-\xfe]"
IN_WORDS = re.compile(
    LETTER + rb"[\x80\x82-\x84\x86-\x89\x8b\x93-\x95\x98\x9b\xa1-\xa9\xac\xaf\xb1\xb3\xb6\xb8\xb9\xbc-\xbf]"
    rb"(?=" + LETTER + rb")|[A-Za-z][\x8a\x9f]|[a-z][\x8c\x8e]"
)
BLANKED = bytes(b if b > 127 or not b else 32 for b in range(256))  # ASCII as blanks
CONTEXT = 3  # bytes that a pattern reaches back
ENOUGH = 100_000  # odd bytes that tell the language
MOST_FOREIGN = 0.25


def is_windows(parts: Iterable[bytes]) -> bool:
    """Whether bytes of which some are not ASCII are Windows-1252. No more of them are asked for than it needs."""
    utf8 = codecs.getincrementaldecoder("utf-8")()
    n_odd, n_foreign, is_utf8, before = 0, 0, True, b""
    for part in parts:
        text = before + part
        before = text[-CONTEXT:]
        odd = text.translate(BLANKED).split()
        if IS_OTHER.search(b" ".join(odd)):
            return False
        if n_odd < ENOUGH:
            n_odd += sum(map(len, odd))
            n_foreign += sum(map(len, IN_ROWS.findall(text))) + len(IN_WORDS.findall(text))
        is_utf8 = is_utf8 and _goes_on(utf8, part)
    return not is_utf8 and n_foreign <= MOST_FOREIGN * n_odd


def _goes_on(utf8: codecs.IncrementalDecoder, part: bytes) -> bool:
    try:
        utf8.decode(part)
    except UnicodeDecodeError:
        return False
    return True
