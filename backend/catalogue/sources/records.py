"""Rows of a table for imports: `methods.tables` reads them, and what it cannot read is refused with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, BinaryIO

from backend.catalogue.sources.columns import AUTHOR, CAPTIONS, FILE, KEY, LICENCE, SOURCE_URL, TITLE
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Limits, Refused, SourceUnreadable
from backend.methods.tables import (
    SENTENCES,
    Fault,
    Outline,
    Row,
    TableFault,
    TableLimits,
    Wanted,
    fold,
    open_table,
    outline,
    read_list,
    read_members,
    shape_of,
)

Record = tuple[int, dict[str, Any]]
# The columns that imports look for. They show the delimiter, and whether the JSON is by columns
# or by records.
KNOWN = (
    *KEY, *FILE, *CAPTIONS, *LICENCE, *SOURCE_URL, *AUTHOR, *TITLE, "query", "kind", "images", "accepted", "label",
    "similarity", "rank", "caption_id",
)  # fmt: skip
TELLING = (*FILE, *CAPTIONS, "query")  # names that rows have, and lists of licences or categories do not
PREFIX = re.compile(r"^(?:input|answer)\.(?=.)")
LEFT_UNREAD = ("json_ends", "json_stops", "json_goes_on", "file_damaged", "unpacks_too_large")


def read_records(
    file: BinaryIO, name: str, limits: Limits, needs: tuple[str, tuple[str, ...]] | None = None
) -> Iterator[Record | Refused]:
    """Records of the table that `file` holds, whatever it is written in, by the folded names of columns.

    `needs` are what the caller cannot do without, and the columns that may have it: a table whose header has none of
    them is refused once.
    """
    try:
        table = open_table(file, name, _wanted(limits))
    except TableFault as fault:
        yield refused_of(fault.of(name))
        return
    if needs and not _plain_names(tuple(map(fold, table.columns))) and (lacking := table.lacking(*needs)):
        yield refused_of(lacking)
        return
    yield from map(_record_of, table)


def read_json_array(file: BinaryIO, wanted: str, name: str = "") -> Iterator[Record | Refused]:
    """The objects of the list of that name; `line` counts them from 1."""
    return map(_record_of, read_list(file, name, wanted))


def read_object(file: BinaryIO, name: str) -> Iterator[tuple[int, str, Any] | Refused]:
    """Number, name and value of each member of a JSON object."""
    for member in read_members(file, name):
        yield refused_of(member) if isinstance(member, Fault) else member


def object_of(file: BinaryIO, name: str) -> tuple[Outline, str] | None:
    """What one JSON object is and its shape. None for what is no object or cannot be read: its reader says why."""
    try:
        found = outline(file, name)
    except TableFault:
        return None
    return (found, shape_of(found, _wanted(Limits()))) if found.kind == "object" else None


def _record_of(row: Row | Fault) -> Record | Refused:
    if isinstance(row, Fault):
        return refused_of(row)
    names = _plain_names(tuple(row.values))
    return row.line, dict(zip(names, row.values.values(), strict=True)) if names else dict(row.values)


@lru_cache(maxsize=256)
def _plain_names(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns without what Mechanical Turk puts before them (`Input.image_url`, `Answer.caption`), as far as no
    other has this name; none where no column has it."""
    plain = tuple(PREFIX.sub("", column, count=1) for column in columns)
    if plain == columns:
        return ()
    return tuple(short if plain.count(short) == 1 else column for short, column in zip(plain, columns, strict=True))


def refused_of(fault: Fault) -> Refused:
    """A fault as a row of the report, named after its file."""
    return Refused(fault.line, printable(fault.name), fault.code, SENTENCES[fault.code], fault.params, fault.is_ignored)


def _wanted(limits: Limits) -> Wanted:
    bounds = TableLimits(max_row=limits.max_line_bytes, max_ratio=limits.max_ratio)
    return Wanted(KNOWN, TELLING, limits.columns, ("image", "captions"), limits=bounds)


def first_bytes(file: BinaryIO, n: int = 4096) -> bytes:
    """The beginning of a file without moving in it, where it can peek; the caller opened it at its start."""
    peek = getattr(file, "peek", None)
    if peek is None:
        raise SourceUnreadable("Connote cannot read the start of this file twice. Send the file itself.")
    head: bytes = peek(n)[:n]
    return head
