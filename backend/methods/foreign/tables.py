"""Tables of judgments: a header and rows parted by commas, tabs, semicolons or bars, or records of JSON.

Records may be a list, one a line, or lie by column as pandas writes them. A row that has more cells than the header is
told with why.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from backend.methods.foreign.columns import IMAGE_COLUMNS, NAMES, TEXT_COLUMNS, USUAL, Columns, Record
from backend.methods.foreign.statuses import squashed
from backend.methods.foreign.told import NotJudgmentsError, Why

LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
DELIMITERS = (",", "\t", ";", "|")


class Table(NamedTuple):
    """The names of the columns, and each row behind where it stands in the file, or why it cannot be read."""

    header: tuple[str, ...]
    rows: Iterator[tuple[str, Record | Why]]


def read_delimited(text: str, columns: Columns = USUAL) -> Table:
    """The table of a text, parted as its header is: by what makes most columns known, or else most columns."""
    header = next((line for line in lines_of(text) if line.strip()), "")
    delimiter = max(DELIMITERS, key=lambda each: _n_known(_cells(header, each), columns))
    rows = _lines(text, delimiter)
    _, names = next(rows, ("", []))
    return Table(tuple(names), ((where, _record(names, cells)) for where, cells in rows))


def _record(names: Sequence[str], cells: Sequence[str]) -> Record | Why:
    if len(cells) > len(names) and any(map(str.strip, cells[len(names) :])):
        return Why("row_too_wide", f"It has {len(cells)} cells, and the header has {len(names)}.")
    return dict(zip(names, cells, strict=False))


def lines_of(text: str) -> Iterator[str]:
    """The lines with their ends, as they are asked for: a file in memory would take four times the text."""
    return (line.group() for line in LINE.finditer(text))


def is_table(text: str, columns: Columns = USUAL) -> bool:
    """Whether the first line is a header: one with a column that is known, or of several that are no YAML."""
    header = read_delimited(text, columns).header
    if not header:
        return False
    is_yaml = ":" in header[0] and "\t" not in text.lstrip().split("\n", 1)[0]
    return _n_known(header, columns)[0] > 0 or (len(header) > 1 and not is_yaml)


def read_records(records: Sequence[Any], places: Sequence[str]) -> Table:
    """The table of JSON records. Raises NotJudgmentsError on one that is no record."""
    for record, place in zip(records, places, strict=True):
        if not isinstance(record, Mapping):
            raise NotJudgmentsError(f"The file has no JSON object in {place}.")
    header = tuple(dict.fromkeys(str(name) for record in records for name in record))
    return Table(header, zip(places, records, strict=True))


def is_by_column(values: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether these are columns of a table, or one record, by names that are known."""
    if not isinstance(values, Mapping):
        return False
    names = set(map(squashed, values))
    is_pair = bool(names & set(IMAGE_COLUMNS)) and bool(names & set(TEXT_COLUMNS))
    return all(names & set(usual) or (role == "task" and is_pair) for role, usual in NAMES.items())


def by_column(values: Any) -> list[dict[str, Any]] | None:
    """Records of `{"task": {"0": ...}, "worker": {"0": ...}, ...}`, of lists in their place, or of one bare record;
    None where this is none of them."""
    if not is_by_column(values):
        return None
    if all(isinstance(column, list) for column in values.values()):
        values = {name: dict(enumerate(column)) for name, column in values.items()}
    if not any(isinstance(column, Mapping) for column in values.values()):
        return [dict(values)]
    if not all(isinstance(column, Mapping) for column in values.values()):
        return None
    rows = dict.fromkeys(row for column in values.values() for row in column)
    return [{name: column.get(row) for name, column in values.items()} for row in rows]


def _lines(text: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Rows with the line on which each begins; empty lines are none. Raises NotJudgmentsError."""
    reader = csv.reader(lines_of(text), delimiter=delimiter, strict=True, skipinitialspace=True)
    first = 1
    try:
        for cells in reader:
            if cells and (len(cells) > 1 or cells[0].strip()):
                yield f"line {first}", cells
            first = reader.line_num + 1
    except csv.Error as error:
        raise NotJudgmentsError(f"Connote cannot read the row that starts on line {first}: {error}.") from error


def _cells(line: str, delimiter: str) -> list[str]:
    """None where the line cannot be parted; whoever reads the table then says why."""
    try:
        return next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        return []


def _n_known(header: Sequence[str], columns: Columns) -> tuple[int, int]:
    """How many columns are known, and how many there are."""
    asked = {
        squashed(name) for told in (columns.task, columns.worker, columns.label) for name in told.split(",") if told
    }
    usual = {name for names in NAMES.values() for name in names}
    return len({squashed(name) for name in header} & (asked or usual)), len(header)
