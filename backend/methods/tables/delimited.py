"""Tables of lines and cells: by commas, semicolons, tabs, bars or blanks, with quotes that may never close.

The cells are parsed here and not by the csv module: that one takes the rest of a file into the cell whose quote never
closes, and does not say where it opened.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from backend.methods.tables.faults import Fault, TableFault
from backend.methods.tables.headers import header_at
from backend.methods.tables.rows import Header, Row, fold
from backend.methods.tables.sources import UNREADABLE
from backend.methods.tables.texts import BAD, Text

DELIMITERS = (",", "\t", ";", "|")
BLANK = " "  # columns that stand apart by blanks; the last takes the rest of the line
SEPARATOR = re.compile(r'\s*"?sep=(.)"?\s*', re.IGNORECASE)  # a first line that Excel writes for itself
OPEN = re.compile(r'[ \t]*"')
INSIDE = re.compile(r'[^"]*+(?:""[^"]*+)*+')
AFTER = re.compile(r"[ \t\r]*")
ENDING, DIGITS = re.compile(r"\.\w{1,5}$"), re.compile(r"\d+")
SIGNS = re.compile(r"[\W_]+")
MOST_LINES = 10_000  # of one cell
LOOKED_AT = 8192  # characters of a header that tell its delimiter
Cells = list[str]


@dataclass
class _Lines:
    """Numbered lines, of which some may be given back."""

    lines: Iterator[str | None]
    number: int = 0  # of the line that was given last

    def __post_init__(self) -> None:
        self._back = deque[tuple[int, str | None]]()

    def next(self) -> tuple[int, str | None]:
        """Raises StopIteration."""
        if self._back:
            self.number, line = self._back.popleft()
            return self.number, line
        line = next(self.lines)
        self.number += 1
        return self.number, line

    def give_back(self, lines: Sequence[tuple[int, str | None]]) -> None:
        """These come next again."""
        self._back.extendleft(reversed(lines))


class _Open(Exception):
    """The quote that opens on `line` never closes. `pulled` are the lines that were read to find its end."""

    def __init__(self, line: int, pulled: list[tuple[int, str | None]]) -> None:
        self.line, self.pulled = line, pulled
        super().__init__(line)


class Delimited:
    """The rows of a delimited text. `known` are the folded names of columns that the caller looks for, by which the
    delimiter is found; `columns` are the names of a table without a header. Raises TableFault."""

    unit = "line"

    def __init__(
        self, text: Text, name: str, *, known: frozenset[str], columns: Sequence[str], as_written: bool = False
    ) -> None:
        self._as_written = as_written
        self._lines, self._name, self._limits = _Lines(text.lines()), name, text.limits
        self._n_rows, self._above = 0, list[int]()
        self.header = Header(())
        first_line, first = self._first_line("table_empty")
        if told := SEPARATOR.fullmatch(first):
            self.delimiter = told[1]
            first_line, first = self._first_line("no_rows")
        elif columns:
            self.delimiter = delimiter_of(first, known, len(columns))
        else:
            self._lines.give_back([(first_line, first)])
            self._pass_titles(known)
            first_line, first = self._first_line("table_empty")
            self.delimiter = delimiter_of(first, known)
        self._lines.give_back([(first_line, first)])
        self.header = self._header(columns)

    def _first_line(self, missing: str) -> tuple[int, str]:
        for number, line in iter(self._next_line, None):
            if line is None:
                raise TableFault("line_too_long", number, most=self._limits.max_row)
            if line.strip():
                return number, line
        raise TableFault(missing)

    def _pass_titles(self, known: frozenset[str]) -> None:
        """Go on to the header where titles stand above it; they are told with the rows."""

        def rows() -> Iterator[Sequence[str]]:
            for number, line in iter(self._next_line, None):
                pulled.append((number, line))
                if line and line.strip():
                    filled.append(number)
                    yield _names(line[:LOOKED_AT], delimiter_of(line[:LOOKED_AT], known))

        pulled, filled = list[tuple[int, str | None]](), list[int]()
        try:
            at = header_at(rows(), known)
        except (TableFault, *UNREADABLE) as fault:  # the rows before a damaged place are read, so it comes again
            at, self._lines.lines = 0, _raising(fault)
        self._above = filled[:at]
        self._lines.give_back([line for line in pulled if line[0] >= filled[at]])

    def _next_line(self) -> tuple[int, str | None] | None:
        try:
            return self._lines.next()
        except StopIteration:
            return None

    def _header(self, columns: Sequence[str]) -> Header:
        start, first = self._lines.next()
        self._lines.give_back([(start, first)])
        try:
            _, cells = self._record()
        except _Open as fault:
            raise TableFault("open_quote", fault.line) from None
        if len(cells) > self._limits.max_columns:
            raise TableFault("too_many_columns", n=len(cells), most=self._limits.max_columns)
        names = [BAD.sub("\ufffd", cell) for cell in cells]
        if columns and [fold(name) for name in names[: len(columns)]] != [fold(name) for name in columns]:
            self._lines.give_back([(start, first)])
            names = list(columns)
        return Header(names, as_written=self._as_written)

    def __iter__(self) -> Iterator[Row | Fault]:
        yield from (self._fault("above_header", line) for line in self._above)
        while True:
            try:
                row = self._row()
            except StopIteration:
                break
            except _Open as fault:
                self._lines.give_back(fault.pulled)
                row = self._fault("open_quote", fault.line)
            if row is not None:
                self._n_rows += 1
                yield row
        if not self._n_rows:
            yield Fault(None, self._name, "no_rows")

    def _row(self) -> Row | Fault | None:
        """The next row; None for an empty line. Raises StopIteration and _Open."""
        number, cells = self._record()
        if not cells:
            return self._fault("line_too_long", number, most=self._limits.max_row)
        n_columns = len(self.header.names)
        if len(cells) > n_columns:
            if any(map(str.strip, cells[n_columns:])):
                return self._fault("row_has_more_cells", number, n=len(cells), most=n_columns)
            del cells[n_columns:]
        if not any(map(str.strip, cells)):
            return None
        return self._bad_cell(number, cells) or Row(number, self.header.values(cells))

    def _bad_cell(self, number: int, cells: Cells) -> Fault | None:
        for at, cell in enumerate(cells):
            if not cell.isascii() and BAD.search(cell):
                return self._fault("not_utf8", number)
            if len(cell) > self._limits.max_cell:
                column = self.header.names[at][:40] or str(at + 1)
                return self._fault("cell_too_long", number, column=column, most=self._limits.max_cell)
        return None

    def _fault(self, code: str, line: int, **params: int | str) -> Fault:
        return Fault(line, self._name, code, params)

    def _record(self) -> tuple[int, Cells]:
        """The line on which the next record begins and its cells, none where it is too long. Raises StopIteration, and
        _Open where a quote never closes."""
        number, line = self._lines.next()
        if line is None:
            return number, []
        if self.delimiter == BLANK:
            return number, _by_blanks(line, len(self.header.names))
        if '"' not in line or self.delimiter == "\t":  # quotes mean nothing in a TSV
            return number, line.rstrip("\r").split(self.delimiter)
        return number, self._quoted(number, line)

    def _quoted(self, number: int, line: str) -> Cells:
        cells, at = Cells(), 0
        while True:
            if opened := OPEN.match(line, at):
                cell, number, line, at = self._quoted_cell(cells, number, line, (at, opened.end()))
            else:
                end = line.find(self.delimiter, at)
                cell, at = (line[at:].rstrip("\r"), len(line)) if end < 0 else (line[at:end], end)
            cells.append(cell)
            if at >= len(line):
                return cells
            at += 1
            if at == len(line):
                return [*cells, ""]

    def _quoted_cell(self, cells: Cells, number: int, line: str, place: tuple[int, int]) -> tuple[str, int, str, int]:
        """The cell whose quote opens before `place[1]`, and where it ends: line number, line and place."""
        begins, at = place
        opened, parts, pulled = number, list[str](), list[tuple[int, str | None]]()
        n_left = self._limits.max_cell
        while (end := _end_of_inside(line, at)) == len(line):
            parts.append(line[at:])
            n_left -= len(line) - at
            following = self._next_line()
            if following is not None:
                pulled.append(following)
            if following is None or n_left < 0 or len(pulled) > MOST_LINES or self._is_row(following[1], cells):
                raise _Open(opened, pulled)
            number, line, at = following[0], following[1] or "", 0
        parts.append(line[at:end])
        after = _after(line, end + 1)
        if after == len(line) or line[after] == self.delimiter:
            return "\n".join(parts).replace('""', '"'), number, line, after
        if pulled:
            raise _Open(opened, pulled)
        end = line.find(self.delimiter, end)  # `"Tall" trees`: the quotes are part of the text
        end = len(line) if end < 0 else end
        return line[begins:end].strip(), number, line, end

    def _is_row(self, line: str | None, cells: Cells) -> bool:
        """Whether a line within an open quote is a row by itself: as many cells, and a first cell of the same kind."""
        if line is None:
            return True
        if not cells:
            return False
        kind, first = _kind_of(cells[0]), line.split(self.delimiter)
        return len(first) == len(self.header.names) and kind is not None and kind == _kind_of(first[0])


def _raising(fault: Exception) -> Iterator[str | None]:
    yield from ()
    raise fault


def _end_of_inside(line: str, at: int) -> int:
    found = INSIDE.match(line, at)
    return found.end() if found else at


def _after(line: str, at: int) -> int:
    found = AFTER.match(line, at)
    return found.end() if found else at


def _kind_of(cell: str) -> str | None:
    """What an id or a file has in common with others of its column: its ending, or the text around its digits."""
    cell = cell.strip()
    if ending := ENDING.search(cell):
        return ending[0].casefold()
    return DIGITS.sub("0", cell) if DIGITS.search(cell) else None


def _by_blanks(line: str, n_columns: int) -> Cells:
    cells = line.split(None, n_columns - 1) if n_columns else line.split()
    return [cell.strip().removeprefix('"').removesuffix('"') if _is_in_quotes(cell.strip()) else cell for cell in cells]


def _is_in_quotes(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1]


def delimiter_of(line: str, known: frozenset[str], n_columns: int = 0) -> str:
    """What parts the columns of a header: by it most of them are known, or there are as many as asked, or most."""

    wanted = {*map(_letters, known)}

    def rank(delimiter: str) -> tuple[int, bool, int]:
        names = _names(line[:LOOKED_AT], delimiter)
        return len(wanted & {*map(_letters, names)}), len(names) == n_columns, len(names)

    best = max(DELIMITERS, key=rank)
    if len(_names(line[:LOOKED_AT], best)) > 1:
        return best
    by_blanks = line.split()
    is_known = len(wanted & {*map(_letters, by_blanks)}) == len(by_blanks) > 1
    return BLANK if is_known or len(by_blanks) == n_columns > 1 else best


def _letters(name: str) -> str:
    return SIGNS.sub("", name.casefold())


@lru_cache(maxsize=64)
def _names(line: str, delimiter: str) -> tuple[str, ...]:
    """The cells of a header line; a delimiter in quotes parts nothing."""
    quoted = re.compile(rf'(?:"(?:[^"]|"")*+"|[^{re.escape(delimiter)}])*+')
    names, at = list[str](), 0
    while at <= len(line):
        found = quoted.match(line, at)
        end = found.end() if found else at
        names.append(line[at:end].strip().strip('"'))
        at = end + 1
    return tuple(names)
