"""Rule 3, second half: addresses of pages and people."""

from __future__ import annotations

import re

# What repeats has a limit, so that a text of 100 kB is read in one go.
URL = re.compile(
    r"(?:\b(?:https?|ftp)://|\bwww\.(?=\w))[^\s<>\"\[\]]*[^\s<>\"\[\].,;:!?)']"
    # Without a scheme an address is one when a path follows a well-known ending.
    r"|\b(?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|edu|gov|info|io|co|de|fr|it|es|nl|uk|ru|jp|ca|au)"
    r"/[^\s<>\"\[\]]*[^\s<>\"\[\].,;:!?)']",
    re.IGNORECASE,
)
EMAIL = re.compile(
    r"(?:\bmailto:)?(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,4}\.[a-z]{2,63}\b", re.IGNORECASE
)
EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]")
LONE_MARK = re.compile(r" (?=[.,;:!?)\]](?: |$))")
EDGES = " |-–—·»:,;"


def without_addresses(text: str) -> str:
    """`text` without URLs and e-mail addresses, nor the empty brackets and hanging separators that they leave.

    >>> without_addresses("A lighthouse (https://lights.example/p/1) - prints@lights.example")
    'A lighthouse'
    """
    if "@" not in text and "/" not in text and "www." not in text.lower():
        return text
    bare = EMAIL.sub(" ", URL.sub(" ", text))
    return text if bare == text else _tidy(bare)


def _tidy(text: str) -> str:
    spaced = " ".join(EMPTY_BRACKETS.sub(" ", text).split())  # first, as many addresses leave a long run of spaces
    return LONE_MARK.sub("", spaced).strip(EDGES)
