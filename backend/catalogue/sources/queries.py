"""Queries out of a file, one pair of a query and an image at a time.

A table has a row for each pair (`query, kind, image`), or for each query with its `images`. A JSON object is
`{query: {image: anything}}`, or ConQA's seeds: `{id: {Text, Conceptual, Seeds}}`. What else stands there is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from backend.catalogue.sources.columns import Naming, first_of, read_key
from backend.catalogue.sources.names import is_table, printable
from backend.catalogue.sources.records import object_of, read_object, read_records
from backend.catalogue.sources.rows import Limits, MemberRefused, Refused, SourceUnreadable
from backend.methods.tables import BY_NAME, ONE_LIST, SEVERAL_LISTS, as_text, many_in

QUERY = ("query", "Query", "Text", "text")
KIND = ("kind", "Kind", "type")
NO_QUERY = "The row has no query. Add a query column."
NO_IMAGES = "The images of this query are not a list of ids. Send a list."


@dataclass(frozen=True)
class QueryRow:
    """A query and one of its images by its key; without a key, the query alone."""

    line: int
    text: str
    kind: str
    image_key: str


def read_queries(path: Path, limits: Limits | None = None) -> Iterator[QueryRow | Refused]:
    """The rows of the file at `path`, or of the one table in that folder. Raises SourceUnreadable."""
    file_path = _table_at(path)
    with file_path.open("rb") as file:
        found = object_of(file, file_path.name)
        if found and found[1] in (BY_NAME, ONE_LIST, SEVERAL_LISTS):
            file.seek(0)
            yield from _read_object(file, file_path.name)
            return
        file.seek(0)
        for record in read_records(file, file_path.name, limits or Limits(), ("queries", QUERY)):
            if isinstance(record, Refused):
                yield record
            else:
                yield from _rows_of(*record)


def _table_at(path: Path) -> Path:
    if path.is_file() and is_table(path.name):
        return path
    tables = sorted(each for each in path.iterdir() if is_table(each.name)) if path.is_dir() else []
    if len(tables) != 1:
        raise SourceUnreadable("Choose one CSV, JSON, Excel or Parquet file with the queries.")
    return tables[0]


def _rows_of(line: int, record: Mapping[str, Any]) -> Iterator[QueryRow | Refused]:
    text, kind = first_of(record, QUERY), first_of(record, KIND)
    if not text:
        yield Refused(line, "", "no_query", NO_QUERY)
    elif "images" in record:
        images = record["images"]
        yield from _rows_of_images(line, text, kind, many_in(images) if isinstance(images, str) else images)
    else:
        try:
            yield QueryRow(line, text, kind, read_key(record, Naming()))
        except MemberRefused as refused:
            yield refused.at(line, printable(text))


def _rows_of_images(line: int, text: str, kind: str, images: object) -> Iterator[QueryRow | Refused]:
    keys = [as_text(key) for key in images] if isinstance(images, list) else [""]
    if not all(keys):
        yield Refused(line, printable(text), "no_key", NO_IMAGES)
    else:
        yield from (QueryRow(line, text, kind, key) for key in keys or [""])


def _read_object(file: BinaryIO, name: str) -> Iterator[QueryRow | Refused]:
    """Members of one JSON object; `line` counts them from 1."""
    for member in read_object(file, name):
        if isinstance(member, Refused):
            yield member
        else:
            yield from _rows_of_member(*member)


def _rows_of_member(line: int, name: str, value: object) -> Iterator[QueryRow | Refused]:
    if isinstance(value, dict) and isinstance(value.get("Text"), str):
        is_conceptual = value.get("Conceptual")
        kind = ("conceptual" if is_conceptual else "descriptive") if isinstance(is_conceptual, bool) else ""
        yield from _rows_of_images(line, as_text(value["Text"]), kind, value.get("Seeds", []))
    elif isinstance(value, dict):
        yield from _rows_of_images(line, as_text(name), "", list(value))
    else:
        yield from _rows_of_images(line, as_text(name), "", value)
