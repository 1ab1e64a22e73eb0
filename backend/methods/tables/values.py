"""Several values of one row: a list in a cell, columns of one name, and numbered columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from backend.methods.tables.rows import Several, fold, is_empty

NUMBER = re.compile(r"[_. ]?\(?\[?(\d{1,4})\]?\)?")
# A list as Python and numpy write it: texts in quotes, with commas, blanks or both between them.
TEXT = r"""u?'((?:[^'\\]|\\.)*+)'|u?"((?:[^"\\]|\\.)*+)\""""
ITEM = re.compile(rf"\s*(?:{TEXT})\s*(?:,|(?=['\"]|$))", re.DOTALL)
ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "0": "\0", "\n": ""}


def many_in(value: Any) -> list[Any]:
    """The values of a cell: of a list each, and so of a text that is a list as JSON or Python writes one; none of an
    empty cell. `[a dog]` is one text, as it is neither."""
    if isinstance(value, Several):
        return [inner for each in value for inner in many_in(each)]
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, str):
        plain = value.strip()
        if plain[:1] in ("[", "(") and plain[-1:] in ("]", ")"):
            found = _listed(plain)
            if found is not None:
                return found
    return [] if is_empty(value) or value != value else [value]


def _listed(text: str) -> list[Any] | None:
    """The texts or objects of a list; None where it is no such list."""
    if text[0] == "[":
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            values = None
        if isinstance(values, list) and all(isinstance(each, str | dict) for each in values):
            return values
    inside, at, found = text[1:-1].rstrip(), 0, list[Any]()
    while at < len(inside):
        item = ITEM.match(inside, at)
        if item is None:
            return None
        found.append(ESCAPE.sub(_unescaped, item[1] if item[1] is not None else item[2]))
        at = item.end()
    return found if found else None


def _unescaped(escape: re.Match[str]) -> str:
    sign = escape[1]
    if len(sign) > 1:
        number = int(sign[1:], 16)
        return chr(number) if number < 0x110000 else "\ufffd"
    return ESCAPED.get(sign, sign if sign in "\\'\"" else f"\\{sign}")


def values_of(record: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    """All values of the first of `names` that has any, whether in one cell, in several columns of that name, or in
    numbered ones (`caption_1`, `caption_2`)."""
    return next((values for _, values in values_by_name(record, names)), [])


def values_by_name(record: Mapping[str, Any], names: Sequence[str]) -> Iterator[tuple[str, list[Any]]]:
    """Each of `names`, as one says it of one, that has values, with all of them."""
    for name, columns in _columns_of(tuple(record), tuple(names)).items():
        if found := [value for column in columns for value in many_in(record[column])]:
            yield name, found


def numbered(columns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Those of the folded `columns` that have one of `names`, with or without a number."""
    found = _columns_of(tuple(columns), tuple(names))
    return tuple(column for each in found.values() for column in each)


@lru_cache(maxsize=256)
def _columns_of(columns: tuple[str, ...], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns by the name that they have, one or several of it, the one without a number first. The names are in
    the order of `names`."""
    wanted = {spelt: single_of(name) for name in names for spelt in (fold(name), single_of(name))}
    found: dict[str, list[tuple[int, str]]] = {}
    for column in columns:
        if column in wanted:
            found.setdefault(wanted[column], []).append((0, column))
            continue
        for name, single in wanted.items():
            if (number := _number_behind(column, name)) is not None:
                found.setdefault(single, []).append((number, column))
                break
    in_order = (name for name in dict.fromkeys(wanted.values()) if name in found)
    return {name: tuple(column for _, column in sorted(found[name])) for name in in_order}


def single_of(name: str) -> str:
    """The folded name as one says it of one: `captions` is `caption`."""
    return fold(name).removesuffix("s")


def _number_behind(column: str, name: str) -> int | None:
    if not column.startswith(name):
        return None
    found = NUMBER.fullmatch(column, len(name))
    return int(found[1]) + 1 if found else None
