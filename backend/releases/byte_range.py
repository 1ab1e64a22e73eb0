"""One `Range: bytes=...` of a file (RFC 9110, section 14). Several ranges at once are answered with the whole file."""

from __future__ import annotations

import re
from dataclasses import dataclass

MOST_DIGITS = 19  # Python refuses to read thousands of them
ONE_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")


class UnsatisfiableRange(ValueError):
    """The range lies outside the file."""


@dataclass(frozen=True)
class ByteRange:
    """Bytes `first` to `last`, both in."""

    first: int
    last: int

    @property
    def n_bytes(self) -> int:
        return self.last - self.first + 1


def read_range(header: str, *, n_bytes: int) -> ByteRange | None:
    """What the header asks of a file of `n_bytes`; None for all of it. Raises UnsatisfiableRange.

    What is no single byte range is ignored, as the standard says.
    """
    found = ONE_RANGE.fullmatch(header.replace(" ", ""))
    if not found or found.groups() == ("", ""):
        return None
    first, last = (_number(digits) for digits in found.groups())
    if first is None:
        return _suffix(last or 0, n_bytes)
    if last is not None and last < first:
        return None
    if first >= n_bytes:
        raise UnsatisfiableRange
    return ByteRange(first, n_bytes - 1 if last is None else min(last, n_bytes - 1))


def _number(digits: str) -> int | None:
    """The number, of which no more digits are read than the largest file has bytes; None where there is none."""
    return int(digits.lstrip("0")[:MOST_DIGITS] or 0) if digits else None


def _suffix(n_last: int, n_bytes: int) -> ByteRange:
    """The last `n_last` bytes."""
    if not n_last or not n_bytes:
        raise UnsatisfiableRange
    return ByteRange(max(0, n_bytes - n_last), n_bytes - 1)
