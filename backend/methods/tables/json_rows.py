"""Rows out of JSON, whatever holds them: a list, a line or a value each, columns, or an object by name.

Which of these a text is, its structure tells, and not its first character or the name of its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.methods.tables.faults import Fault, TableFault, named
from backend.methods.tables.json_text import ENDS, JsonText, parse
from backend.methods.tables.rows import Row, TableLimits, fold, joined
from backend.methods.tables.texts import MARK, Text
from backend.methods.tables.values import numbered

STEPS = (65536, 1024 * 1024)
ARRAY, OBJECT, LINES, VALUES = "array", "object", "lines", "values"
LIST, RECORDS, RECORD = "[", "[{", "{"
BLANKS = f" \t\r\n{MARK}"


@dataclass(frozen=True)
class Outline:
    """What a JSON text is: an `array`, an `object` with the `members` that were seen and how the value of each begins,
    a value in each of its `lines`, or `values` one after the other. `is_whole`: the object ends within what was seen.
    """

    kind: str
    members: Mapping[str, str] = field(default_factory=dict)
    is_whole: bool = False


def outline_of(text: Text) -> Outline | None:
    """None where the text is no JSON."""
    if text.peek(1).lstrip(BLANKS)[:1] not in ("[", "{") and text.peek(4096).lstrip(BLANKS)[:1] not in ("[", "{"):
        return None
    for size in (*STEPS, text.limits.max_row + 1):
        head = text.peek(size)
        is_last = len(head) < size or size > text.limits.max_row
        found = _outline(head, is_last=is_last, is_whole=len(head) < size)
        if found is not None or is_last:
            return found
    return None


def _outline(head: str, *, is_last: bool, is_whole: bool) -> Outline | None:
    """None where more of the text must be seen, or it is no JSON."""
    json = _at(head)
    if json.next() == "[":
        return _outline_of_list(json)
    members: dict[str, str] = {}
    try:
        for name in json.members():
            members[name] = json.begins()
            json.pass_by()
    except TableFault as fault:
        return _outline_of_broken(head, members, fault) if is_last or fault.code != "json_ends" else None
    n_left, after = json.n_left, json.next()
    if not after:
        return Outline(OBJECT, members, is_whole=True) if is_last else None
    has_lines = "\n" in head[len(head) - len(head.lstrip(BLANKS)) : len(head) - n_left]
    return Outline(VALUES if has_lines or after == "," else LINES)


def _outline_of_list(json: JsonText) -> Outline | None:
    try:
        json.pass_by()
    except TableFault:
        return Outline(ARRAY)
    after = json.next()
    if after == ",":  # a header of names in brackets
        return None
    return Outline(LINES if after in ("[", "{") and after else ARRAY)


def _outline_of_broken(head: str, members: Mapping[str, str], fault: TableFault) -> Outline:
    """Of an object whose end is not seen: one of many lines, if others begin as it does or it is one text too long."""
    _, *others = head.strip(BLANKS).split("\n", 1)
    if others and others[0].lstrip(BLANKS).startswith("{"):
        return Outline(LINES)
    has_inner = any(begins in (RECORDS, RECORD) for begins in members.values())
    return Outline(OBJECT if has_inner or fault.code != "json_ends" else LINES, members)


def _at(head: str) -> JsonText:
    pieces = iter((head,))
    return JsonText(lambda: next(pieces, ""), TableLimits(max_row=len(head) + 1))


class JsonRows:
    """The rows of a JSON text. `known` are the folded names of columns that the caller looks for, by which columns are
    told from records; `pair` are the columns of an object's names and values where it has neither."""

    def __init__(
        self,
        text: Text,
        name: str,
        outline: Outline,
        *,
        known: frozenset[str],
        pair: tuple[str, str],
        as_written: bool = False,
    ) -> None:
        self._text, self._name, self.outline = text, name, outline
        self._known, self._pair, self._as_written = known, pair, as_written
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
            yield from self._lines()
            return
        json = JsonText(self._text.read, self._text.limits)
        if self.outline.kind == OBJECT:
            yield from self._object(json)
        else:
            items = json.items() if self.outline.kind == ARRAY else _values(json)
            yield from records_of(items, self._name, self._text.limits, as_written=self._as_written)
        if json.next():
            yield Fault(None, self._name, "json_goes_on")

    def _lines(self) -> Iterator[Row | Fault]:
        for n, line in enumerate(self._text.lines(), start=1):
            try:
                if line is None:
                    raise TableFault("line_too_long", most=self._text.limits.max_row)
                if plain := line.strip(BLANKS).removesuffix(","):
                    yield row_of(n, parse(plain), self._name, self._text.limits, as_written=self._as_written)
            except TableFault as fault:
                yield Fault(n, self._name, fault.code, fault.params)

    def _object(self, json: JsonText) -> Iterator[Row | Fault]:
        members = {fold(name): begins for name, begins in self.outline.members.items()}
        known = [members[name] for name in numbered(tuple(members), tuple(self._known))]
        lists = [name for name, begins in self.outline.members.items() if begins == RECORDS]
        if not known and len(lists) > 1:
            yield Fault(None, self._name, "several_lists", {"names": named(lists)})
            json.pass_by()
        elif not known and lists:
            yield from list_of(json, lists[0], self._name, self._text.limits)
        elif known and any(begins[:1] not in ("[", "{") for begins in known):
            yield from records_of(_one(json), self._name, self._text.limits, as_written=self._as_written)
        elif known and all(begins[:1] == LIST for begins in known):
            yield from self._columns(json)
        else:
            yield from self._members(json)

    def _members(self, json: JsonText) -> Iterator[Row | Fault]:
        """An object of records by name, of one value each, or of columns as pandas writes them."""
        rows: list[tuple[str, Any]] = []
        by_column = bool(self.outline.members) and {fold(name) for name in self.outline.members} & self._known
        for n, name, value in numbered_members(json):
            if isinstance(value, TableFault):
                yield value.of(self._name)
            elif by_column:
                rows.append((name, value))
            else:
                inner = value if isinstance(value, dict) else {self._pair[1]: value}
                yield row_of(
                    n, {self._pair[0]: name} | inner, self._name, self._text.limits, as_written=self._as_written
                )
        if by_column:
            yield from self._by_column(rows)

    def _by_column(self, columns: list[tuple[str, Any]]) -> Iterator[Row | Fault]:
        """Columns of `{"0": ..., "1": ...}`, or of lists."""
        cells = [dict(enumerate(each)) if isinstance(each, list) else each for _, each in columns]
        numbers = dict.fromkeys(key for each in cells if isinstance(each, dict) for key in each)
        for n, key in enumerate(numbers, start=1):
            values = {
                name: each.get(key) if isinstance(each, dict) else each
                for (name, _), each in zip(columns, cells, strict=True)
            }
            yield row_of(n, values, self._name, self._text.limits, as_written=self._as_written)

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


def _values(json: JsonText) -> Iterator[tuple[int, Any]]:
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


def _one(json: JsonText) -> Iterator[tuple[int, Any]]:
    try:
        yield 1, json.value()
    except TableFault as fault:
        yield 1, TableFault(fault.code, 1, **fault.params)


def list_of(json: JsonText, wanted: str, name: str, limits: TableLimits) -> Iterator[Row | Fault]:
    """The records of the list that the object has under a name. The rest of it is passed by, and never held."""
    try:
        for member in json.members():
            if member == wanted and json.begins()[:1] == LIST:
                for row in records_of(json.items(), name, limits):
                    yield row
                    if isinstance(row, Fault) and row.code in ENDS:
                        return
            else:
                json.pass_by()
    except TableFault as fault:
        yield fault.of(name)


def records_of(
    items: Iterator[tuple[int, Any]], name: str, limits: TableLimits, *, as_written: bool = False
) -> Iterator[Row | Fault]:
    """The numbered values as rows; a TableFault among them as a Fault."""
    for n, value in items:
        yield value.of(name) if isinstance(value, TableFault) else row_of(n, value, name, limits, as_written=as_written)


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
