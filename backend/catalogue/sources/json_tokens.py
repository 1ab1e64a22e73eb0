"""JSON from strangers: one text in it may be only so long, since the parser takes quadratic time for it.

A run of 400 MB in one text would hold a worker for hours. yajl, the parser under ijson, has no limit of its own.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from backend.catalogue.sources.rows import Refused

MOST_TOKEN = 1024 * 1024  # bytes between two quotes: a text, or numbers and blanks
QUOTE = re.compile(rb'(?<!\\)(?:\\\\)*"')


TEXT_TOO_LONG = "A text in the JSON has more than {n} bytes. Connote kept the rows before that. Shorten it."


class TokenTooLong(ValueError):
    """The JSON has a text of more than MOST_TOKEN bytes."""

    def __init__(self) -> None:
        super().__init__(f"it has a text of more than {MOST_TOKEN:,} bytes")

    def at(self, line: int) -> Refused:
        """The refused row that would have come next."""
        return Refused(line, "", "json_text_too_long", TEXT_TOO_LONG, {"n": MOST_TOKEN})


class ShortTokens:
    """A file of JSON for ijson. `read` raises TokenTooLong where no text ends for MOST_TOKEN bytes.

    It looks for one quote in each block that is read, so that an ordinary file costs no time. With `at_most` the file
    ends after that many bytes.
    """

    def __init__(self, file: BinaryIO, at_most: int | None = None) -> None:
        self._file, self._left = file, at_most
        self._n_bytes = 0
        self._is_escaped = False  # the block before ended in a backslash that belongs to the next byte

    def read(self, size: int) -> bytes:
        block = self._file.read(size if self._left is None else min(size, self._left))
        if not block:
            return block
        if self._left is not None:
            self._left -= len(block)
        rest = block[1:] if self._is_escaped else block
        self._n_bytes = 0 if QUOTE.search(rest) else self._n_bytes + len(block)
        self._is_escaped = (len(rest) - len(rest.rstrip(b"\\"))) % 2 == 1
        if self._n_bytes > MOST_TOKEN:
            raise TokenTooLong
        return block
