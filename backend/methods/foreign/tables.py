"""Tables of judgments: a header and rows parted by commas, tabs, semicolons or bars, or records of JSON.

Records may be a list, one a line, or lie by column as pandas writes them. Columns are found by their usual names,
however those are written (`Task`, ` worker`); where none is the task, image and caption are. What says that a value is
missing (empty, `NaN`, `NA`, `null`) is no value; a row that lacks one is told with its line and why, and so is one that
has more cells than the header.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

from backend.methods.foreign.told import NotJudgmentsError, Told, Why, note_truth

NAMES = {
    "task": ("task", "item", "unit", "task_id", "item_id"),
    "worker": ("worker", "annotator", "performer", "rater", "worker_id", "annotator_id"),
    "label": ("label", "response", "value", "answer", "judgment"),
}
QUERY = "query"
IMAGE_COLUMNS = ("image", "image_key", "img", "picture", "photo", "image_id", "img_id", "image_url")
TEXT_COLUMNS, GOLD_COLUMNS = ("caption", "text", QUERY), ("gold",)
COLUMNS_SHOWN, NAME_WIDTH = 30, 40
INPUT = "input:"  # how Toloka begins the names of columns that people were shown
LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
DELIMITERS = (",", "\t", ";", "|")
MISSING = frozenset({"", "nan", "NaN", "NA", "N/A", "n/a", "#N/A", "<NA>", "null", "NULL"})


@dataclass(frozen=True)
class Columns:
    """What a table calls task, worker and label, where it is none of the usual names. A task may be several columns,
    by comma, and is image and caption where there is no column of one; `is_ordered` says that its labels have an order,
    by value where they are numbers and else by name."""

    task: str = ""
    worker: str = ""
    label: str = ""
    is_ordered: bool = False


USUAL = Columns()


class Table(NamedTuple):
    """The header, and each row's cells behind where it stands in the file."""

    header: tuple[str, ...]
    rows: Iterator[tuple[str, Sequence[str]]]


class Places(NamedTuple):
    """Which columns hold what, by number; `image`, `text` and `gold` may be none. `query` are those of `text` that are
    called one."""

    task: tuple[int, ...]
    worker: int
    label: int
    image: tuple[int, ...]
    text: tuple[int, ...]
    gold: tuple[int, ...]
    query: tuple[int, ...]


def read_delimited(text: str, columns: Columns = USUAL) -> Table:
    """The table of a text, parted as its header is: by what makes most columns known, or else most columns."""
    header = next((line for line in lines_of(text) if line.strip()), "")
    delimiter = max(DELIMITERS, key=lambda each: _n_known(_cells(header, each), columns))
    rows = _lines(text, delimiter)
    _, names = next(rows, ("", []))
    return Table(tuple(names), rows)


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
    return Table(header, ((where, [_cell(each.get(name)) for name in header])
                          for where, each in zip(places, records, strict=True)))  # fmt: skip


def is_by_column(values: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether these are columns of a table, or one record, by names that are known."""
    if not isinstance(values, Mapping):
        return False
    plain = list(map(_plain, values))
    return all(_usual(name, plain) for name in NAMES)


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


def tell_table(table: Table, columns: Columns = USUAL) -> tuple[list[Told], dict[str, str]]:
    """Every row as a judgment or as why it is none, and the true label of tasks where a column says it.
    Raises NotJudgmentsError."""
    places, n_columns = _places(table.header, columns), len(table.header)
    told: list[Told] = []
    gold: dict[str, str] = {}
    for where, cells in table.rows:
        n_cells = len(cells)
        if n_cells < n_columns:
            cells = [*cells, *[""] * (n_columns - n_cells)]
        each, truth = _told(where, cells, places)
        if n_cells > n_columns and any(map(str.strip, cells[n_columns:])):
            why = Why("row_too_wide", f"It has {n_cells} cells, and the header has {n_columns}.")
            each = each._replace(why_not=why)
        told.append(each)
        if truth:
            note_truth(gold, each.task, truth)
    if not told:
        raise NotJudgmentsError("The table has a header and no rows.")
    return told, gold


def _told(where: str, cells: Sequence[str], places: Places) -> tuple[Told, str]:
    """The row's judgment, and its task's true label."""
    parts = [_value(cells[at]) for at in places.task]
    task = " | ".join(parts)
    worker, label = _value(cells[places.worker]), _value(cells[places.label])
    why = "" if worker and label and all(parts) else _lacks(task=all(parts), worker=bool(worker), label=bool(label))
    if not any(places[3:]):
        return Told(where, task, worker, label, why_not=why), ""
    image, text, gold = (next((at for at in some if cells[at]), None) for some in places[3:6])
    told = Told(where, task, worker, label, _value(_at(cells, image)), _at(cells, text), why_not=why)
    return told._replace(is_of_query=text in places.query) if places.query else told, _value(_at(cells, gold))


def _at(cells: Sequence[str], place: int | None) -> str:
    return "" if place is None else cells[place]


def _lacks(**there: bool) -> Why:
    missing = [name for name, is_there in there.items() if not is_there]
    return Why("row_lacks_names", f"It has no {' and no '.join(missing)}.")


def _value(cell: str) -> str:
    value = cell.strip()
    return "" if value in MISSING else value


def _cell(value: Any) -> str:
    if isinstance(value, list) and len(value) == 1:
        return _cell(value[0])
    if isinstance(value, (Mapping, list)):
        return json.dumps(value)
    return "" if value is None else str(value)


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
    asked = {_plain(name) for told in (columns.task, columns.worker, columns.label) for name in told.split(",") if told}
    usual = {name for names in NAMES.values() for name in names}
    return len({_plain(name) for name in header} & (asked or usual)), len(header)


def _plain(name: Any) -> str:
    return str(name).strip().casefold()


def _places(header: Sequence[str], columns: Columns) -> Places:
    plain = [_plain(name) for name in header]
    asked = {"task": columns.task.split(","), "worker": [columns.worker], "label": [columns.label]}
    chosen = {name: told if any(told) else _usual(name, plain) for name, told in asked.items()}
    if missing := [name for name, names in chosen.items() if not names]:
        raise NotJudgmentsError(
            f"The table has no column {' or '.join(missing)}. It needs task (or image and caption), worker "
            f"and label. {_columns(header)} Choose the columns for {' and '.join(missing)}. Write commas "
            "between several columns for a task."
        )
    task, (worker,), (label,) = ([_place(name, header) for name in names] for names in chosen.values())
    others = (_shown(names, plain) for names in (IMAGE_COLUMNS, TEXT_COLUMNS, GOLD_COLUMNS, (QUERY,)))
    return Places(tuple(task), worker, label, *(tuple(map(plain.index, names)) for names in others))


def _usual(name: str, plain: Sequence[str]) -> list[str]:
    """Which columns task, worker or label are by their usual names; image and caption are the task of a table without
    one, for they are a pair. None where there is none."""
    if found := [each for each in NAMES[name] if each in plain][:1]:
        return found
    pair = [_shown(names, plain)[:1] for names in (IMAGE_COLUMNS, TEXT_COLUMNS)] if name == "task" else []
    return [each for names in pair for each in names] if all(pair) else []


def _shown(names: Sequence[str], plain: Sequence[str]) -> list[str]:
    """Those columns that people were shown under these names, in the order of the names."""
    shown = {each.removeprefix(INPUT): each for each in reversed(plain)}
    return [shown[name] for name in names if name in shown]


def _place(name: str, header: Sequence[str]) -> int:
    at = [place for place, each in enumerate(header) if _plain(each) == _plain(name)]
    if len(at) != 1:
        there = "two columns" if at else "no column"
        raise NotJudgmentsError(f"The table has {there} {name.strip()}. {_columns(header)}")
    return at[0]


def _columns(header: Sequence[str]) -> str:
    """Which columns there are; names of a width that a line can hold, as a file of no columns has a text for one."""
    names = [name.strip()[:NAME_WIDTH] or "(no name)" for name in header[:COLUMNS_SHOWN]]
    more = f" and {len(header) - COLUMNS_SHOWN:,} more" if len(header) > COLUMNS_SHOWN else ""
    return f"Its columns: {', '.join(names)}{more}."
