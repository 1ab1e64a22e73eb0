"""Rows out of JSON, whatever holds them: a list, a line or a value each, columns, or an object by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from backend.methods.tables.faults import Fault, TableFault, named
from backend.methods.tables.json_outline import (
    ARRAY,
    BLANKS,
    DEEPEST,
    LINES,
    LIST,
    LISTS,
    OBJECT,
    RECORD,
    RECORDS,
    TEXTS,
    Outline,
)
from backend.methods.tables.json_text import ENDS, JsonText, parse
from backend.methods.tables.rows import Row, TableLimits, Wanted, fold, joined
from backend.methods.tables.texts import Text
from backend.methods.tables.values import numbered

Items = Iterator[tuple[int, Any]]
RECORD_ITSELF, LISTS_OF_ROWS, ONE_LIST, SEVERAL_LISTS = "record", "lists of rows", "one list", "several lists"
COLUMNS, CELLS, BY_COLUMN, BY_NAME = "columns", "cells", "by column", "by name"


def shape_of(outline: Outline, wanted: Wanted) -> str:
    """How an object holds its rows.

    `record` is a row itself, `lists of rows` are lists that say so by their names, wherever they lie; `columns` are
    lists side by side, `cells` a list of names and a list of lists, `by column` objects as pandas writes them.
    """
    members = {fold(name): begins for name, begins in outline.members.items()}
    known = [members[name] for name in numbered(tuple(members), tuple(wanted.folded))]
    top, lists = [path for path in outline.lists if len(path) == 1], outline.lists
    entries = [names for path, names in outline.entries.items() if len(path) == 1]
    best = max((_n_telling(names, wanted) for names in lists.values()), default=0)
    of_entries = [n for names in entries if (n := _n_telling(names, wanted))]
    is_by_name = len(of_entries) > 1 or max(of_entries, default=0) >= best
    if best > _n_telling(members, wanted) and (top or not is_by_name):
        return LISTS_OF_ROWS
    if not known and top:
        return ONE_LIST if len(top) == 1 else SEVERAL_LISTS
    if known and any(begins[:1] not in ("[", "{") for begins in known):
        return RECORD_ITSELF
    if known and all(begins[:1] == LIST and begins != RECORDS for begins in known):
        return COLUMNS
    if [*outline.members.values()].count(LISTS) == 1 and TEXTS in outline.members.values():
        return CELLS
    return BY_COLUMN if known else BY_NAME


def _n_telling(names: Collection[str], wanted: Wanted) -> int:
    return len(numbered(tuple(map(fold, names)), tuple(wanted.telling)))


class JsonRows:
    """The rows of a JSON text."""

    def __init__(self, text: Text, name: str, outline: Outline, wanted: Wanted) -> None:
        self._text, self._name, self.outline, self._wanted = text, name, outline, wanted
        self._n_listed = 0  # rows of the lists before
        self._header: tuple[str, ...] = tuple(wanted.columns)
        self.unit = "line" if outline.kind == LINES else "record"

    def __iter__(self) -> Iterator[Row | Fault]:
        is_empty = True
        for row in self._rows():
            is_empty = False
            yield row
        if is_empty:
            yield Fault(None, self._name, "no_records")

    def _rows(self) -> Iterator[Row | Fault]:
        if self.outline.kind == LINES:
            yield from self._rows_of(self._lines())
            return
        json = JsonText(self._text.read, self._text.limits)
        if self.outline.kind == OBJECT:
            yield from self._object(json)
        else:
            yield from self._rows_of(json.items() if self.outline.kind == ARRAY else _values(json))
        if json.next():
            yield Fault(None, self._name, "json_goes_on")

    def _lines(self) -> Items:
        for n, line in enumerate(self._text.lines(), start=1):
            try:
                if line is None:
                    raise TableFault("line_too_long", most=self._text.limits.max_row)
                if plain := line.strip(BLANKS).removesuffix(","):
                    yield n, parse(plain)
            except TableFault as fault:
                yield n, TableFault(fault.code, n, **fault.params)

    def _object(self, json: JsonText) -> Iterator[Row | Fault]:
        shape = shape_of(self.outline, self._wanted)
        top = [path[0] for path in self.outline.lists if len(path) == 1]
        if shape == LISTS_OF_ROWS:
            yield from self._told(self._lists_of_rows(json))
        elif shape == ONE_LIST:
            yield from list_of(json, top[0], self._name, self._text.limits)
        elif shape == SEVERAL_LISTS:
            yield Fault(None, self._name, "several_lists", {"names": named(top)})
            json.pass_by()
        elif shape == RECORD_ITSELF:
            yield from self._rows_of(_one(json))
        elif shape == COLUMNS:
            yield from self._columns(json)
        elif shape == CELLS:
            yield from self._told(self._cells(json))
        else:
            yield from self._members(json, by_column=shape == BY_COLUMN)

    def _told(self, rows: Iterator[Row | Fault]) -> Iterator[Row | Fault]:
        """The rows, and where the text cannot be read on, once."""
        row: Row | Fault | None = None
        try:
            for row in rows:
                yield row
        except TableFault as fault:
            if not isinstance(row, Fault) or row.code not in ENDS:
                yield fault.of(self._name)

    def _lists_of_rows(self, json: JsonText, depth: int = 1) -> Iterator[Row | Fault]:
        for _ in json.members():
            begins = json.begins()
            if begins == RECORDS:
                yield from self._list_of_rows(json)
            elif begins == RECORD and depth < DEEPEST:
                yield from self._lists_of_rows(json, depth + 1)
            else:
                json.pass_by()

    def _list_of_rows(self, json: JsonText) -> Iterator[Row | Fault]:
        """The rows of a list if its first object tells that it has some. Their numbers go on from list to list."""
        n_before, has_rows = self._n_listed, True
        for n, value in json.items():
            if n == 1:
                has_rows = isinstance(value, TableFault) or bool(_n_telling(_names_in(value), self._wanted))
            if has_rows or (isinstance(value, TableFault) and value.code in ENDS):
                self._n_listed = n_before + n
                yield from self._rows_of(iter([(self._n_listed, value)]))

    def _cells(self, json: JsonText) -> Iterator[Row | Fault]:
        """A list of the names of columns, and a list of the cells of each row."""
        for _ in json.members():
            if (begins := json.begins()) == TEXTS and not self._header:
                names = [value for _, value in json.items()]
                self._header = tuple(map(str, names)) if self._is_header(names) else ()
            elif begins == LISTS:
                yield from self._rows_of(json.items())
            else:
                json.pass_by()

    def _members(self, json: JsonText, *, by_column: bool) -> Iterator[Row | Fault]:
        """An object of records by name, of one value each, or of columns as pandas writes them."""
        columns: list[tuple[str, Any]] = []
        name_of, value_of = self._wanted.pair
        for n, name, value in numbered_members(json):
            if isinstance(value, TableFault):
                yield value.of(self._name)
            elif by_column:
                columns.append((name, value))
            else:
                inner = value if isinstance(value, dict) else {value_of: value}
                yield self._row_of(n, {name_of: name} | inner)
        if by_column:
            yield from self._by_column(columns)

    def _by_column(self, columns: list[tuple[str, Any]]) -> Iterator[Row | Fault]:
        """Columns of `{"0": ..., "1": ...}`, or of lists."""
        cells = [dict(enumerate(each)) if isinstance(each, list) else each for _, each in columns]
        numbers = dict.fromkeys(key for each in cells if isinstance(each, dict) for key in each)
        for n, key in enumerate(numbers, start=1):
            values = {
                name: each.get(key) if isinstance(each, dict) else each
                for (name, _), each in zip(columns, cells, strict=True)
            }
            yield self._row_of(n, values)

    def _columns(self, json: JsonText) -> Iterator[Row | Fault]:
        """Columns as lists, which are held: their rows stand apart from each other."""
        columns: list[tuple[str, Any]] = []
        try:
            for name in json.members():
                if json.begins()[:1] != LIST:
                    json.pass_by()
                    continue
                values = []
                for n, value in json.items():
                    if isinstance(value, TableFault):
                        yield Fault(n, self._name, value.code, value.params)
                        value = None
                    values.append(value)
                columns.append((name, values))
        except TableFault as fault:
            yield fault.of(self._name)
        yield from self._by_column(columns)

    def _rows_of(self, items: Items) -> Iterator[Row | Fault]:
        """The numbered values as rows: objects, objects in a wrapper, and lists of cells below a list of names."""
        for n, value in items:
            if isinstance(value, TableFault):
                yield Fault(n, self._name, value.code, value.params)
            elif not isinstance(value, list):
                yield self._row_of(n, value)
            elif self._header:
                yield self._row_of_cells(n, value)
            elif n == 1 and self._is_header(value):
                self._header = tuple(map(str, value))
            else:
                yield Fault(n, self._name, "not_json_object")

    def _is_header(self, cells: list[Any]) -> bool:
        names = tuple(fold(cell) for cell in cells if isinstance(cell, str))
        return len(names) == len(cells) and bool(numbered(names, tuple(self._wanted.folded)))

    def _row_of_cells(self, n: int, cells: list[Any]) -> Row | Fault:
        if len(cells) > len(self._header):
            return Fault(n, self._name, "row_has_more_cells", {"n": len(cells), "most": len(self._header)})
        return self._row_of(n, {name: cell for name, cell in zip(self._header, cells, strict=False) if name})

    def _row_of(self, n: int, value: Any) -> Row | Fault:
        row = row_of(n, value, self._name, self._text.limits, as_written=self._wanted.as_written)
        if isinstance(row, Fault) or not self._wanted.telling or _n_telling(row.values, self._wanted):
            return row
        cells = row.values.items()
        inner = {name: cell for name, cell in cells if isinstance(cell, dict) and _n_telling(cell, self._wanted)}
        members = [member for cell in inner.values() for member in cell.items()]
        if not inner or len({fold(name) for name, _ in members}) < len(members):
            return row  # two objects with the same names, such as captions by language, are two things
        outer = {name: cell for name, cell in cells if name not in inner}
        return Row(n, outer | joined(members, as_written=self._wanted.as_written))


def _names_in(value: Any) -> list[str]:
    """The names of an object and of the objects in it."""
    if not isinstance(value, dict):
        return []
    return [*value, *(name for each in value.values() if isinstance(each, dict) for name in each)]


def _values(json: JsonText) -> Items:
    n = 0
    while json.next():
        if json.skip(","):
            continue
        n += 1
        try:
            yield n, json.value()
        except TableFault as fault:
            yield n, TableFault(fault.code, n, **fault.params)
            if fault.code in ENDS:
                return


def _one(json: JsonText) -> Items:
    try:
        yield 1, json.value()
    except TableFault as fault:
        yield 1, TableFault(fault.code, 1, **fault.params)


def values_in(json: JsonText, wanted: str) -> Items:
    """The numbered values of the list that the object has under a name. The rest of it is passed by, and never held."""
    try:
        for member in json.members():
            if member == wanted and json.begins()[:1] == LIST:
                for n, value in json.items():
                    yield n, value
                    if isinstance(value, TableFault) and value.code in ENDS:
                        return
            else:
                json.pass_by()
    except TableFault as fault:
        yield 0, fault


def list_of(json: JsonText, wanted: str, name: str, limits: TableLimits) -> Iterator[Row | Fault]:
    """The records among these values."""
    for n, value in values_in(json, wanted):
        yield value.of(name) if isinstance(value, TableFault) else row_of(n, value, name, limits)


def row_of(n: int, value: Any, name: str, limits: TableLimits, *, as_written: bool = False) -> Row | Fault:
    """A JSON object as a row."""
    if not isinstance(value, dict):
        return Fault(n, name, "not_json_object")
    for column, cell in value.items():
        if isinstance(cell, str) and len(cell) > limits.max_cell:
            return Fault(n, name, "cell_too_long", {"column": column[:40], "most": limits.max_cell})
    return Row(n, joined(value.items(), as_written=as_written))


def numbered_members(json: JsonText) -> Iterator[tuple[int, str, Any]]:
    """The members of an object, numbered from 1, a TableFault for one that cannot be read."""
    n = 0
    try:
        for n, name in enumerate(json.members(), start=1):
            try:
                value = json.value()
            except TableFault as fault:
                value = TableFault(fault.code, n, **fault.params)
            yield n, name, value
            if isinstance(value, TableFault) and value.code in ENDS:
                return
    except TableFault as fault:
        yield n + 1, "", TableFault(fault.code, n + 1, **fault.params)


def members_within(json: JsonText, wanted: str) -> Iterator[tuple[int, str, Any]]:
    """The members of the object that an object has under a name, as above. The rest of it is passed by."""
    try:
        for member in json.members():
            if member == wanted and json.begins() == RECORD:
                for each in numbered_members(json):
                    yield each
                    if isinstance(each[2], TableFault) and each[2].code in ENDS:
                        return
            else:
                json.pass_by()
    except TableFault as fault:
        yield 0, "", fault
