"""What the rows of an Excel sheet do not tell: merged cells, of which only the first has the value, and formulas whose
value is not in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
# A formula without a value was never calculated; an empty text is a value.
NO_VALUE = re.compile(
    rb'<(?:\w+:)?c r="([A-Z]{1,3}[0-9]{1,7})"(?![^>]*\bt="str")[^>]*>'
    rb"<(?:\w+:)?f(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)(?:<(?:\w+:)?v ?/>|<(?:\w+:)?v></(?:\w+:)?v>)?</(?:\w+:)?c>"
)
BLOCK, LONGEST = 1 << 16, 9000  # bytes that are read at once, and bytes of a cell or a mark at most
Cells = list[Any]


class MergedCells:
    """The merged cells of a sheet, whose XML `file` holds. Rows are filled in their order. `n_without_value` counts the
    formulas without a value.

    A cell that spans rows holds for each of them that has anything else, as one image for the rows of its captions. In
    a header, a cell that spans columns names each of them.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._down: dict[int, list[tuple[int, int]]] = {}  # by the first row: the column, and the last row
        self._across: dict[int, list[tuple[int, int]]] = {}  # by the row: the first and the last column
        self.n_without_value = 0
        for left, top, right, bottom in self._look(file):
            if bottom > top:
                self._down.setdefault(top, []).append((left, bottom))
            elif right > left:
                self._across.setdefault(top, []).append((left, right))
        self._open: dict[int, tuple[int, Any]] = {}  # by the column: the last row, and the value

    def fill_down(self, n: int, cells: Cells) -> None:
        """The values that began above this row are put into it."""
        for column, (last, value) in list(self._open.items()):
            if n > last:
                del self._open[column]
            elif any(cell is not None for cell in cells):
                _put(cells, column, value)
        for column, last in self._down.get(n, ()):
            if column < len(cells):
                self._open[column] = last, cells[column]

    def fill_across(self, n: int, cells: Cells) -> None:
        """The names that span columns of this row are put into each."""
        for left, right in self._across.get(n, ()):
            for column in range(left + 1, right + 1):
                _put(cells, column, cells[left] if left < len(cells) else None)

    def _look(self, file: BinaryIO) -> Iterator[tuple[int, int, int, int]]:
        """First column, first row, last column and last row of each, columns counted from 0."""
        tail = b""
        while block := file.read(BLOCK):
            text, at = tail + block, 0
            for found in MERGED.finditer(text):
                left, top, right, bottom = found.groups()
                yield _column(left), int(top), _column(right), int(bottom)
                at = found.end()
            for found in NO_VALUE.finditer(text):
                self.n_without_value += 1
                at = max(at, found.end())
            tail = text[max(at, len(text) - LONGEST) :]


def _put(cells: Cells, column: int, value: Any) -> None:
    cells.extend([None] * (column + 1 - len(cells)))
    if cells[column] is None:
        cells[column] = value


def _column(letters: bytes) -> int:
    """AB is 27."""
    n = 0
    for letter in letters:
        n = n * 26 + letter - ord("A") + 1
    return n - 1
