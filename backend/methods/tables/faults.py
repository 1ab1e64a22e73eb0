"""What is wrong with a row or with a whole file: a code, a sentence with its values, and the place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from backend.methods.said import Value, fill

# Each sentence has a German one by its code, as every sentence that people see.
SENTENCES = {
    # Of one row.
    "not_utf8": "The line is not UTF-8. Save the file as UTF-8. Connote reads the other lines.",
    "open_quote": "A quote opens on this line and never closes. Close it, or write it twice.",
    "row_has_more_cells": "The row has {n} cells, but the header has {most}. Put text with the separator into quotes.",
    "line_too_long": "The row has more than {most} characters. It was left out.",
    "above_header": "This row is above the header, so Connote did not read it.",
    "cell_too_long": "The cell in column {column} has more than {most} characters. Shorten it.",
    "not_json": "The row is not JSON from character {column} on. Fix it.",
    "not_json_object": "The row is not a JSON object. Write it as an object with named values.",
    "json_too_deep": "The row has too many levels. Write it as a flat object.",
    "json_number": "A number in the row has thousands of digits. Write it as text.",
    # Of the rest of a file.
    "json_ends": "The JSON ends here too early. Connote kept the rows before that. Copy the file again.",
    "json_stops": "Connote cannot read the JSON from here on. It kept the rows before that. Fix the file.",
    "json_goes_on": "There is more text after the end of the JSON. Connote did not read it.",
    "file_damaged": "The file is damaged from here on. Connote kept the rows before that. Copy the file again.",
    "unpacks_too_large": "The unpacked file is more than {ratio} times as large. Connote stopped. Send it unpacked.",
    "formulas_without_value": "{n} cells have a formula but no value. Open the file in Excel and save it.",
    "other_sheet": "Connote read only the first sheet, not {sheet}. Save each sheet as a file.",
    # Of a whole file.
    "table_empty": "The file is empty.",
    "text_not_utf8": "Line {at} is not UTF-8. Save the file as UTF-8.",
    "text_too_long": "The file has more than {most} characters. Send it in parts.",
    "no_rows": "The file has no rows below its header.",
    "no_records": "The file has no rows.",
    "no_table": "The file is not a table. Use CSV, TSV, JSON, Excel (.xlsx) or Parquet.",
    "old_spreadsheet": "Connote cannot read this kind of spreadsheet. Save it as .xlsx or CSV.",
    "too_many_columns": "The header has {n} columns. At most {most} are allowed.",
    "column_missing": "The file has no column for {what}. Use one of these names: {names}. Its columns: {found}.",
    "column_twice": "The file has several columns {column} with different values. Keep one.",
    "several_lists": "The JSON has several lists: {names}. Keep one list of rows.",
    "several_tables": "The archive has several tables: {names}. Send one of them.",
    "no_table_inside": "The archive has no table. Add one CSV, JSON, Excel or Parquet file.",
    "encrypted_table": "The file has a password. Save it without one.",
}  # fmt: skip
IGNORED = frozenset({"above_header", "formulas_without_value"})  # no fault of anybody
COLUMNS_SHOWN, NAME_WIDTH = 30, 40


@dataclass(frozen=True)
class Fault:
    """A row that cannot be read; `line` is its line, element or row from 1. Without a `line`, it is about the file."""

    line: int | None
    name: str  # of the file
    code: str
    params: Mapping[str, Value] = field(default_factory=dict)

    @property
    def template(self) -> str:
        return SENTENCES[self.code]

    @property
    def is_ignored(self) -> bool:
        """Whether nothing is wrong: it is told because nothing vanishes."""
        return self.code in IGNORED

    @property
    def message(self) -> str:
        return fill(self.template, self.params)


class TableFault(Exception):
    """A fault on its way to the reader that tells it."""

    def __init__(self, code: str, line: int | None = None, /, **params: Value) -> None:
        self.code, self.line, self.params = code, line, params
        super().__init__(fill(SENTENCES[code], params))

    def of(self, name: str) -> Fault:
        return Fault(self.line, name, self.code, self.params)


def named(columns: list[str] | tuple[str, ...]) -> str:
    """The names of columns for a sentence: as many as a reader can use."""
    names = [name.strip()[:NAME_WIDTH] or "(no name)" for name in columns[:COLUMNS_SHOWN]]
    more = len(columns) - COLUMNS_SHOWN
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "") or "(none)"
