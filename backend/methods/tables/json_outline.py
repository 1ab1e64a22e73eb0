"""What a JSON text is: a list, an object, or a value on each line. Its structure tells, and not its first character or
the name of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from backend.methods.tables.faults import TableFault
from backend.methods.tables.json_text import JsonText
from backend.methods.tables.rows import TableLimits, fold
from backend.methods.tables.texts import MARK, Text

STEPS = (65536, 1024 * 1024)
ARRAY, OBJECT, LINES, VALUES = "array", "object", "lines", "values"
LIST, LISTS, TEXTS, RECORDS, RECORD = "[", "[[", '["', "[{", "{"
BLANKS = f" \t\r\n{MARK}"
MOST_LOOKED_AT = 20  # objects and lists of an object
DEEPEST = 4  # objects in each other that are looked into
Path = tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    """What a JSON text is: an `array`, an `object` with the `members` that were seen and how the value of each begins,
    a value in each of its `lines`, or `values` one after the other. `is_whole`: the object ends within what was seen.

    `lists` are the lists of objects in it by their paths, each with the folded names of the first object; `entries` the
    objects in it.
    """

    kind: str
    members: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[Path, set[str]] = field(default_factory=dict)
    entries: Mapping[Path, set[str]] = field(default_factory=dict)
    is_whole: bool = False


@dataclass
class _Look:
    """A look into an object."""

    members: dict[str, str] = field(default_factory=dict)
    lists: dict[Path, set[str]] = field(default_factory=dict)
    entries: dict[Path, set[str]] = field(default_factory=dict)

    def outline(self, kind: str, *, is_whole: bool = False) -> Outline:
        return Outline(kind, self.members, self.lists, self.entries, is_whole)

    def into(self, json: JsonText, path: Path = ()) -> None:
        """Raises TableFault where the object ends too early."""
        for name in json.members():
            begins, below = json.begins(), (*path, name)
            if path:
                self.entries.setdefault(path, set()).add(fold(name))
            else:
                self.members[name] = begins
            is_new = len(self.lists) + len(self.entries) < MOST_LOOKED_AT and len(path) < DEEPEST
            if is_new and begins in (RECORD, RECORDS):
                with suppress(TableFault):
                    ahead = json.ahead()
                    self.into(ahead, below) if begins == RECORD else self._list(ahead, below)
            json.pass_by()

    def _list(self, json: JsonText, path: Path) -> None:
        """The names of the first object, and of the objects in it: a row can lie in a wrapper."""
        names = self.lists[path] = set()
        json.skip("[")
        for name in json.members():
            names.add(fold(name))
            if json.begins() == RECORD:
                for inner in json.members():
                    names.add(fold(inner))
                    json.pass_by()
            else:
                json.pass_by()


def outline_of(text: Text) -> Outline | None:
    """None where the text is no JSON."""
    if text.peek(1).lstrip(BLANKS)[:1] not in ("[", "{") and text.peek(4096).lstrip(BLANKS)[:1] not in ("[", "{"):
        return None
    for size in (*STEPS, text.limits.max_row + 1):
        head = text.peek(size)
        is_last = len(head) < size or size > text.limits.max_row
        found = _outline(head, is_last=is_last)
        if found is not None or is_last:
            return found
    return None


def _outline(head: str, *, is_last: bool) -> Outline | None:
    """None where more of the text must be seen, or it is no JSON."""
    json = _at(head)
    if json.next() == "[":
        return _outline_of_list(json)
    look = _Look()
    try:
        look.into(json)
    except TableFault as fault:
        return _outline_of_broken(head, look, fault) if is_last or fault.code != "json_ends" else None
    n_left, after = json.n_left, json.next()
    if not after:
        return look.outline(OBJECT, is_whole=True) if is_last else None
    ends = len(head) - n_left
    has_lines = "\n" in head[len(head) - len(head.lstrip(BLANKS)) : ends]
    is_on_line = after in ("{", "[") and "\n" not in head[ends : len(head) - json.n_left]
    return Outline(VALUES if has_lines or is_on_line or after == "," else LINES)


def _outline_of_list(json: JsonText) -> Outline | None:
    try:
        json.pass_by()
    except TableFault:
        return Outline(ARRAY)
    after = json.next()
    if after == ",":  # a header of names in brackets
        return None
    return Outline(LINES if after in ("[", "{") and after else ARRAY)


def _outline_of_broken(head: str, look: _Look, fault: TableFault) -> Outline:
    """Of an object whose end is not seen: one of many lines, if others begin as it does or it is one text too long."""
    _, *others = head.strip(BLANKS).split("\n", 1)
    if others and others[0].lstrip(BLANKS).startswith("{"):
        return Outline(LINES)
    has_inner = any(begins in (RECORDS, RECORD) for begins in look.members.values())
    return look.outline(OBJECT if has_inner or fault.code != "json_ends" else LINES)


def _at(head: str) -> JsonText:
    pieces: Iterator[str] = iter((head,))
    return JsonText(lambda: next(pieces, ""), TableLimits(max_row=len(head) + 1))
