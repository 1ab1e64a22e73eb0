"""The text of a file, read forward in pieces. Bytes outside its encoding come through as half characters."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

from backend.methods.said import Value
from backend.methods.tables.faults import TableFault
from backend.methods.tables.rows import TableLimits
from backend.methods.tables.sources import UNREADABLE, Bytes

BAD = re.compile("[\udc80-\udcff]")  # what `surrogateescape` and `connote_half` make of bytes that are no text
# By their marks; that of UTF-32 begins as that of UTF-16 does.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32", codecs.BOM_UTF32_BE: "utf-32", codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}  # fmt: skip
CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\udc80-\udcff]")
MOST_ODD = 0.2  # share of bytes that no text has
MARK = "\ufeff"


def _half(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "\udcff", error.end


codecs.register_error("connote_half", _half)


def encoding_of(head: bytes) -> str:
    """The encoding that the first bytes tell: by a mark, or by the zeros that UTF-16 has beside Latin letters."""
    marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), "")
    if marked or b"\0" not in head:
        return marked or "utf-8-sig"
    start = head[:2000]
    even, odd = start[::2].count(0), start[1::2].count(0)
    if even == 0 and odd * 3 > len(start) // 2:
        return "utf-16-le"
    return "utf-16-be" if odd == 0 and even * 3 > len(start) // 2 else "utf-8-sig"


class Text:
    """The text of `source`, in pieces, with any number of its first characters known. Raises TableFault on bytes that
    are no text at all."""

    def __init__(self, source: Bytes, limits: TableLimits) -> None:
        self._source, self.limits = source, limits
        encoding = encoding_of(source.head)
        errors = "surrogateescape" if encoding == "utf-8-sig" else "connote_half"
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        self._ahead, self._is_over = "", False
        self._fault: tuple[str, Mapping[str, Value]] | None = None  # an exception would hold on to the open file
        head = self.peek(4096)
        if "\0" in head or len(CONTROL.findall(head)) > MOST_ODD * len(head):
            raise TableFault("no_table")
        self._end = "\n" if "\n" in head or "\r" not in head else "\r"

    def peek(self, n: int) -> str:
        """The next `n` characters or more, fewer at the end; they are read again."""
        parts, found = [self._ahead], len(self._ahead)
        while found < n and (part := self._piece()):
            parts.append(part)
            found += len(part)
        self._ahead = "".join(parts)
        return self._ahead

    def read(self) -> str:
        """The next piece, empty at the end. Raises TableFault at the place from which on the file is damaged."""
        ahead, self._ahead = self._ahead, ""
        piece = ahead or self._piece()
        if not piece and self._fault:
            code, params = self._fault
            raise TableFault(code, None, **params)
        return piece

    def _piece(self) -> str:
        piece = ""
        while not piece and not self._is_over:
            data = self._data()
            piece = self._decoder.decode(data, final=not data)
            self._is_over = not data
        return piece

    def _data(self) -> bytes:
        try:
            return self._source.read()
        except TableFault as fault:
            self._fault = fault.code, fault.params
        except UNREADABLE:  # the checksum of what is packed is known only at its end
            self._fault = "file_damaged", {}
        return b""

    def end_count(self, whole: str, at: int) -> int:
        """How many lines end before a place of the text."""
        return whole.count(self._end, 0, at)

    def lines(self) -> Iterator[str | None]:
        """Lines without their ends, None for one that is too long, which is never held. Only line feeds end a line, or
        carriage returns where a file has no others: whatever else looks like an end is part of a text."""
        rest, n_rest, is_long = list[str](), 0, False
        while piece := self.read():
            first, *others = piece.split(self._end)
            rest.append(first)
            n_rest += len(first)
            if n_rest > self.limits.max_row:
                rest, is_long = [], True
            if others:
                yield None if is_long else "".join(rest)
                *whole, last = others
                yield from (line if len(line) <= self.limits.max_row else None for line in whole)
                rest, n_rest, is_long = [last], len(last), False
        if is_long or n_rest:
            yield None if is_long or n_rest > self.limits.max_row else "".join(rest)
