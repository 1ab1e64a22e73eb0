"""Rows of an Excel file: its first visible sheet."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, BinaryIO
from xml.etree.ElementTree import ParseError

from backend.methods.tables.faults import Fault, TableFault
from backend.methods.tables.headers import MOST_ABOVE, header_at
from backend.methods.tables.merged_cells import MergedCells
from backend.methods.tables.rows import Header, Row, Wanted, fold, plain
from backend.methods.tables.sources import UNREADABLE

BROKEN = (*UNREADABLE, ParseError, KeyError, ValueError, TypeError, AttributeError, IndexError, AssertionError)
Cells = list[Any]


class SheetRows:
    """The rows of a spreadsheet, read without holding it. Raises TableFault where it cannot be read."""

    unit = "row"

    def __init__(self, file: BinaryIO, name: str, wanted: Wanted) -> None:
        import openpyxl

        self._name, self._limits, self._as_written = name, wanted.limits, wanted.as_written
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of formats and rules for entering data, which no row needs
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
                sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"] or book.worksheets
                self._others = [
                    sheet.title for sheet in sheets[1:] if any(sheet.iter_rows(max_row=1, values_only=True))
                ]
                self._merged = _merged_of(book, sheets[0]) if sheets else None
        except BROKEN:
            raise TableFault("file_damaged") from None
        if not sheets:
            raise TableFault("table_empty")
        sheets[0].reset_dimensions()  # what a file says of its size may be wrong
        self._rows = self._filled(sheets[0])
        self.header = self._header(list(wanted.columns), wanted.folded)

    def _header(self, columns: list[str], known: frozenset[str]) -> Header:
        ahead = list(islice(self._rows, MOST_ABOVE + 1))
        at = 0 if columns else header_at([_texts(row) for row in ahead], known)
        self._above = [row[0] for row in ahead[:at] if not isinstance(row, Fault)]
        self._rows = chain(ahead[at + 1 :], self._rows)
        first = ahead[at] if ahead else None
        if first is None:
            raise TableFault("table_empty")
        if isinstance(first, Fault):
            raise TableFault(first.code, first.line, **first.params)
        if self._merged and not columns:
            self._merged.fill_across(*first)
        names = _texts(first)
        if len(names) > self._limits.max_columns:
            raise TableFault("too_many_columns", n=len(names), most=self._limits.max_columns)
        if columns and [fold(name) for name in names[: len(columns)]] != [fold(name) for name in columns]:
            self._first: tuple[int, Cells] | None = first
            return Header(columns, as_written=self._as_written)
        self._first = None
        return Header(names, as_written=self._as_written)

    def __iter__(self) -> Iterator[Row | Fault]:
        n_rows = 0
        yield from (Fault(line, self._name, "above_header") for line in self._above)
        for found in self._after_header():
            n_rows += 1
            yield found if isinstance(found, Fault) else self._row(*found)
        if not n_rows:
            yield Fault(None, self._name, "no_rows")
        if self._merged and self._merged.n_without_value:
            yield Fault(None, self._name, "formulas_without_value", {"n": self._merged.n_without_value})
        for title in self._others:
            yield Fault(None, self._name, "other_sheet", {"sheet": title[:100]})

    def _after_header(self) -> Iterator[tuple[int, Cells] | Fault]:
        if self._first:
            yield self._first
        yield from self._rows

    def _filled(self, sheet: Any) -> Iterator[tuple[int, Cells] | Fault]:
        """The rows that hold anything, with their numbers and without empty cells at their ends."""
        n = 0
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for n, row in enumerate(sheet.iter_rows(values_only=True), start=1):
                    cells = list(row)
                    if self._merged:
                        self._merged.fill_down(n, cells)
                    while cells and (cells[-1] is None or cells[-1] == ""):
                        cells.pop()
                    if cells:
                        yield n, cells
        except BROKEN:
            yield Fault(n + 1, self._name, "file_damaged")

    def _row(self, n: int, cells: Cells) -> Row | Fault:
        n_columns = len(self.header.names)
        if len(cells) > n_columns:
            return Fault(n, self._name, "row_has_more_cells", {"n": len(cells), "most": n_columns})
        return Row(n, self.header.values([_cell(cell) for cell in cells]))


def _merged_of(book: Any, sheet: Any) -> MergedCells:
    """openpyxl knows merged cells only of a sheet that it holds whole."""
    with book._archive.open(sheet._worksheet_path) as xml:
        return MergedCells(xml)


def _texts(row: tuple[int, Cells] | Fault) -> list[str]:
    return [] if isinstance(row, Fault) else ["" if cell is None else str(cell) for cell in row[1]]


def _cell(value: Any) -> Any:
    """As text, as a CSV would have it. Excel writes a carriage return as `_x000D_`."""
    from openpyxl.utils.escape import unescape

    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return unescape(value) if isinstance(value, str) else str(value)
