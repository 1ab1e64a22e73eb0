"""Tables of judgments: rows as `methods.tables` reads them, or records of JSON.

Records may be a list, one a line, or lie by column as pandas writes them. A row that cannot be read is told with why.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from backend.methods.foreign.columns import IMAGE_COLUMNS, NAMES, TEXT_COLUMNS, USUAL, Columns, Record
from backend.methods.foreign.parsing import unread
from backend.methods.foreign.statuses import squashed
from backend.methods.foreign.told import NotJudgmentsError, Why
from backend.methods.tables import Fault, Row, TableFault, Wanted, open_table
from backend.methods.tables import Table as FileTable


class Table(NamedTuple):
    """The names of the columns, and each row behind where it stands in the file, or why it cannot be read."""

    header: tuple[str, ...]
    rows: Iterator[tuple[str, Record | Why]]


def raw_of(content: str | bytes) -> bytes:
    """What a file holds, of its text too."""
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def open_file(raw: bytes, columns: Columns = USUAL, *, is_deep: bool = False) -> FileTable:
    """The table of a file, packed or not, whatever it is written in. With `is_deep` its rows may lie deeper in JSON.
    Raises NotJudgmentsError."""
    asked = {name for told in (columns.task, columns.worker, columns.label) for name in told.split(",") if told}
    known = asked or {name for names in NAMES.values() for name in names}
    try:
        return open_table(io.BytesIO(raw), "", Wanted(known, known if is_deep else (), as_written=True))
    except TableFault as fault:
        raise unread(fault) from fault


def has_header(table: FileTable, columns: Columns = USUAL) -> bool:
    """Whether a delimited file is a table: it has a column that is known, or several and is no YAML."""
    is_yaml = not table.columns or (":" in table.columns[0] and table.delimiter != "\t")
    return _n_known(table.columns, columns) > 0 or (len(table.columns) > 1 and not is_yaml)


def read_file(table: FileTable) -> Table:
    """The rows of a file with a header, or of records that have been read."""
    rows = ((place_of(row, table.unit), record_of(row)) for row in table if not is_bare(row))
    return Table(table.columns, rows)


def record_of(row: Row | Fault) -> Record | Why:
    """What a row holds, or why it cannot be read."""
    return Why(row.code, row.message) if isinstance(row, Fault) else row.values


def place_of(row: Row | Fault, unit: str) -> str:
    """Where a row stands, in words."""
    return f"{unit} {row.line}" if row.line is not None else "the file"


def is_bare(row: Row | Fault) -> bool:
    """Whether it only says that the file has no rows, which is told as an error."""
    return isinstance(row, Fault) and row.code in ("no_rows", "no_records")


def read_records(records: Sequence[Any], places: Sequence[str]) -> Table:
    """The table of JSON records, of which some may say why they cannot be read. Raises NotJudgmentsError on one that
    is no record."""
    for record, place in zip(records, places, strict=True):
        if not isinstance(record, Mapping | Why):
            raise NotJudgmentsError(f"The file has no JSON object in {place}.")
    header = tuple(dict.fromkeys(str(name) for each in records if isinstance(each, Mapping) for name in each))
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


def _n_known(header: Sequence[str], columns: Columns) -> int:
    """How many columns are known."""
    asked = {
        squashed(name) for told in (columns.task, columns.worker, columns.label) for name in told.split(",") if told
    }
    usual = {name for names in NAMES.values() for name in names}
    return len({squashed(name) for name in header} & (asked or usual))
