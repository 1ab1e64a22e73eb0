"""JSON of any size, read forward one value at a time: NaN, Infinity and commas too many are read as what they mean.

A value that cannot be read is a fault by itself, as long as its end can be found.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from backend.methods.tables.faults import TableFault
from backend.methods.tables.rows import Several, TableLimits
from backend.methods.tables.texts import BAD, MARK

ENDS = ("json_ends", "json_stops", "file_damaged", "unpacks_too_large")  # faults behind which nothing is read
MARGIN = 65536  # characters after a place that are at hand before a value is tried
BLANKS = f" \t\r\n{MARK}"
SPACE = re.compile(rf"[{BLANKS}]*")
STRUCTURE = re.compile(r'["\[\]{}]')
IN_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
SCALAR = re.compile(r"[^,:\[\]{}\"\s]*")
COMMA_TOO_MANY = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")|,(\s*[\]}])', re.DOTALL)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; the values of one name that it has several times are Several."""
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    grouped: dict[str, list[Any]] = {}
    for name, value in pairs:
        grouped.setdefault(name, []).append(value)
    return {name: each[0] if len(each) == 1 else Several(each) for name, each in grouped.items()}


DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant={"NaN": None, "Infinity": float("inf"), "-Infinity": float("-inf")}.get,
    strict=False,
)  # fmt: skip


def parse(text: str, *, is_strict: bool = False) -> Any:
    """The value of a JSON text, with a comma too many unless `is_strict`. Raises TableFault."""
    if not text.isascii() and BAD.search(text):
        raise TableFault("not_utf8")
    try:
        return _decoded(text)
    except json.JSONDecodeError as error:
        fault = TableFault("not_json", column=error.pos + 1)
        if is_strict:
            raise fault from None
    repaired = without_extra_commas(text)
    if repaired == text:
        raise fault
    try:
        return _decoded(repaired)
    except json.JSONDecodeError:
        raise fault from None


def without_extra_commas(text: str) -> str:
    """A JSON text without the commas before the end of a list or an object."""
    return COMMA_TOO_MANY.sub(lambda found: found[1] or found[2], text)


def _decoded(text: str) -> Any:
    try:
        return DECODER.decode(text.strip(f"{MARK} \t\r\n"))
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise TableFault("json_too_deep") from None
    except ValueError:  # more digits than Python takes for a number
        raise TableFault("json_number") from None


class JsonText:
    """A place in a JSON text. `read` gives the next piece of it, empty at the end."""

    def __init__(self, read: Callable[[], str], limits: TableLimits) -> None:
        self._read, self._limits = read, limits
        self._text, self._at, self._is_over = "", 0, False
        self._is_loose = False

    def next(self) -> str:
        """The next character that is no blank, without moving behind it; empty at the end."""
        while True:
            sign = self._text[self._at : self._at + 1]
            if sign and sign not in BLANKS:
                return sign
            found = SPACE.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    @property
    def n_left(self) -> int:
        """How many characters are at hand behind the place."""
        return len(self._text) - self._at

    def begins(self) -> str:
        """How the next value begins: its first character, and of a list how its first element does."""
        sign = self.next()
        found = SPACE.match(self._text, self._at + 1) if sign == "[" else None
        return sign + (self._text[found.end() : found.end() + 1] if found else "")

    def ahead(self) -> JsonText:
        """A second place in what is at hand, which can be moved by itself."""
        pieces = iter((self._text[self._at :],))
        return JsonText(lambda: next(pieces, ""), self._limits)

    def skip(self, sign: str) -> bool:
        """Moves behind `sign` where it is next."""
        if self.next() != sign:
            return False
        self._at += 1
        return True

    def value(self) -> Any:
        """The next value. Raises TableFault: `json_ends` where the text ends within it, `line_too_long` on one that is
        too long, and others; the place is behind it then, too."""
        self.next()
        while len(self._text) - self._at < MARGIN and self._more():
            pass
        if self._is_loose:
            return parse(self._slice())
        try:
            value, end = DECODER.raw_decode(self._text, self._at)
        except (ValueError, RecursionError):
            return self._sliced_value()
        if end == len(self._text) and not self._is_over:  # a number may go on
            return self._sliced_value()
        if not self._text.isascii() and BAD.search(self._text, self._at, end):
            self._at = end
            raise TableFault("not_utf8")
        if end - self._at > self._limits.max_row:
            self._at = end
            raise TableFault("line_too_long", most=self._limits.max_row)
        self._at = end
        return value

    def _sliced_value(self) -> Any:
        """The next value, whose end is looked for first. From one that is not strictly JSON on, all are read so: each
        failure would count the lines of all that is at hand."""
        text = self._slice()
        try:
            return parse(text, is_strict=True)
        except TableFault:
            self._is_loose = True
            return parse(text)

    def pass_by(self) -> None:
        """Moves behind the next value, which is never held. Raises TableFault where the text ends within it."""
        self.next()
        self._end_of_value(keep=False)

    def _slice(self) -> str:
        text = self._end_of_value(keep=True)
        if text is None:
            raise TableFault("line_too_long", most=self._limits.max_row)
        return text

    def _end_of_value(self, *, keep: bool) -> str | None:
        """Moves behind the value. Gives its text; None where it is too long or not to be kept."""
        kept, n_kept = list[str](), 0
        is_nested = self._text[self._at : self._at + 1] in ('"', "[", "{")
        for part in self._to_end_of_nested() if is_nested else self._to_end_of_scalar():
            n_kept += len(part)
            if n_kept > self._limits.max_row:
                keep, kept = False, []
            if keep:
                kept.append(part)
        return "".join(kept) if keep else None

    def _to_end_of_scalar(self) -> Iterator[str]:
        """The pieces of a number or a word; at least one character, whatever it is."""
        start, self._at = self._at, self._at + 1
        yield self._text[start : self._at]
        while True:
            start, found = self._at, SCALAR.match(self._text, self._at)
            self._at = found.end() if found else start
            is_over = self._at < len(self._text)
            yield self._text[start : self._at]
            if is_over or not self._more():
                return

    def _to_end_of_nested(self) -> Iterator[str]:
        """The pieces of a string, a list or an object. Raises TableFault where the text ends within it."""
        depth, in_string = 0, False
        while True:
            start = self._at
            depth, in_string, is_ended = self._scan(depth, in_string=in_string)
            yield self._text[start : self._at]
            if is_ended:
                return
            if not self._more():
                raise TableFault("json_ends")

    def _scan(self, depth: int, *, in_string: bool) -> tuple[int, bool, bool]:
        """On to the end of the value, or of the text at hand: the depth there, whether it is in a string, and whether
        the value ended."""
        text, at = self._text, self._at
        while True:
            if in_string:
                found = IN_STRING.match(text, at)
                at = found.end() if found else at
                if at >= len(text) or text[at] == "\\":  # a backslash is the last character at hand
                    self._at = at
                    return depth, True, False
                at, in_string = at + 1, False
            else:
                found = STRUCTURE.search(text, at)
                if found is None:
                    self._at = len(text)
                    return depth, False, False
                at = found.end()
                if found[0] == '"':
                    in_string = True
                    continue
                depth += 1 if found[0] in "[{" else -1
            if depth <= 0:
                self._at = at
                return depth, False, True

    def _more(self) -> bool:
        """Takes in the next piece and lets go of what is behind the place; False at the end."""
        piece = "" if self._is_over else self._read()
        self._is_over = not piece
        if piece:
            self._text, self._at = self._text[self._at :] + piece, 0
        return bool(piece)

    def items(self) -> Iterator[tuple[int, Any]]:
        """The elements of the list that begins here, numbered from 1; a TableFault for one that cannot be read. The
        last one may be a fault without a line, where the list cannot be read to its end."""
        self.skip("[")
        n = 0
        while not self.skip("]"):
            if self.skip(","):
                continue
            if self.next() in ("", ":", "}"):
                yield n + 1, TableFault("json_stops" if self.next() else "json_ends", n + 1)
                return
            n += 1
            try:
                yield n, self.value()
            except TableFault as fault:
                yield n, TableFault(fault.code, n, **fault.params)
                if fault.code in ENDS:
                    return

    def members(self) -> Iterator[str]:
        """The names of the object that begins here, each with the place before its value, which the caller must pass.
        Raises TableFault where the object cannot be read on."""
        self.skip("{")
        while not self.skip("}"):
            if self.skip(","):
                continue
            if self.next() != '"':
                raise TableFault("json_stops" if self.next() else "json_ends")
            name = self.value()
            if not self.skip(":"):
                raise TableFault("json_stops" if self.next() else "json_ends")
            yield name
