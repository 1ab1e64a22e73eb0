"""A row: its line and its values by the folded names of the columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

GAP = re.compile(r"[\s\-]+")
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
HALF = re.compile("[\ud800-\udfff]")
LONG_NAME = 200
KEY_AND_VALUE = ("key", "value")


@dataclass(frozen=True)
class TableLimits:
    """How much one row may hold, and a file that must be held whole, in characters; and how much larger an unpacked
    file may be."""

    max_row: int = 4 * 1024 * 1024
    max_cell: int = 1024 * 1024
    max_columns: int = 10_000
    max_ratio: int = 200
    max_text: int = 2**31


@dataclass(frozen=True)
class Wanted:
    """What the caller knows of its tables. `known` are the names of the columns that it looks for, by which a delimiter
    is found and columns are told from records; `columns` are those of a table without a header; `pair` are the columns
    of a JSON object of one value for each name. `telling` are names that only rows have, by which rows are found
    in JSON that has more in it. `as_written` keeps the names of columns as they are, else folded."""

    known: Collection[str] = ()
    telling: Collection[str] = ()
    columns: Sequence[str] = ()
    pair: tuple[str, str] = KEY_AND_VALUE
    as_written: bool = False
    limits: TableLimits = field(default_factory=TableLimits)

    @cached_property
    def folded(self) -> frozenset[str]:
        return frozenset(map(fold, self.known))


class Row(NamedTuple):
    """`line` is the line on which it begins, or its number where a file has no lines."""

    line: int
    values: Mapping[str, Any]


class Several(list[Any]):
    """The values of several columns of one name, in their order, without the empty ones."""


def fold(name: str) -> str:
    """The name of a column without capitals and outer blanks: ` File name` and `FILE-NAME` are `file_name`."""
    return _fold(name) if len(name) < LONG_NAME else _folded(name)


def _folded(name: str) -> str:
    return GAP.sub("_", name.strip().strip("\ufeff").strip().casefold())


_fold = lru_cache(maxsize=4096)(_folded)


def joined(pairs: Iterable[tuple[str, Any]], *, as_written: bool = False) -> dict[str, Any]:
    """The values by folded name; those of one name are Several, where more than one of them holds anything."""
    values: dict[str, Any] = {}
    for name, value in pairs:
        key = name if as_written else fold(name)
        values[key] = together(values[key], value) if key in values else value
    return values


def together(one: Any, other: Any) -> Any:
    """Two values of one name as one, or as Several."""
    if is_empty(other):
        return one
    if is_empty(one) or (not isinstance(one, Several) and one == other):
        return other
    return Several([*(one if isinstance(one, Several) else [one]), other])


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or (isinstance(value, list) and not value)


def as_text(value: object) -> str:
    """A value as one line of text: numbers as they are written, lists and objects as nothing."""
    if isinstance(value, bytes):
        value = _decoded(value)
    if isinstance(value, float):
        if value != value:  # NaN is how tables write that there is nothing
            return ""
        if value.is_integer():
            value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return HALF.sub("\ufffd", CONTROL.sub(" ", str(value))).strip()


def _decoded(value: bytes) -> str:
    """Parquet may keep text as bytes; an image's bytes are no text."""
    if len(value) > LONG_NAME * 100 or b"\0" in value:
        return ""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def plain(value: Any) -> Any:
    """A value of a sheet or of Parquet as JSON has it; bytes stay."""
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, float) and value != value:
        return None
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return value


class Header:
    """The columns of a table, as written and folded, and how cells become values."""

    def __init__(self, names: Sequence[str], *, as_written: bool = False) -> None:
        self.names = tuple(name.strip().strip("\ufeff").strip() for name in names)
        self.folded = self.names if as_written else tuple(map(fold, self.names))
        self._is_plain = "" not in self.folded and len(set(self.folded)) == len(self.folded)

    def values(self, cells: Sequence[Any]) -> dict[str, Any]:
        """The cells by name. A column without a name, such as a counter, is left out."""
        if self._is_plain:
            return dict(zip(self.folded, cells, strict=False))
        values: dict[str, Any] = {}
        for name, value in zip(self.folded, cells, strict=False):
            if name:
                values[name] = together(values[name], value) if name in values else value
        return values
