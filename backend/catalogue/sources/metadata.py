"""Metadata rows out of CSV, TSV, JSON lines or a JSON list, one at a time, with the line each stands on.

A line that cannot be read is refused by itself; those around it are not lost.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, Any

import ijson

from backend.catalogue.sources.rows import Refused, UnreadableError

Fields = dict[str, Any]
MetadataRow = tuple[int, Fields] | Refused
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json")
NOT_UTF8 = "The line is not UTF-8. Save the file as UTF-8."
LONGEST_LINE = 16 * 2**20


def read_rows(file: IO[bytes], name: str) -> Iterator[MetadataRow]:
    """The rows of a metadata file, by what its name ends in and, for JSON, by what it begins with."""
    if name.lower().endswith((".csv", ".tsv")):
        return _csv_rows(file, "\t" if name.lower().endswith(".tsv") else ",")
    if name.lower().endswith((".jsonl", ".ndjson")) or first_character(file) != "[":
        return _jsonl_rows(file)
    return _json_rows(file)


def first_character(file: IO[bytes]) -> str:
    """The first character that is not white space; the file is wound back. A byte order mark is passed over."""
    start = file.read(4096).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    file.seek(0)
    return start[:1]


def _lines(file: IO[bytes]) -> Iterator[str]:
    """Lines with what is not UTF-8 kept as lone surrogates, so that one bad line does not spoil the file."""
    first = True
    while line := file.readline(LONGEST_LINE):
        text = line.decode("utf-8", "surrogateescape")
        yield text.removeprefix("\ufeff") if first else text
        first = False


def _csv_rows(file: IO[bytes], delimiter: str) -> Iterator[MetadataRow]:
    reader = csv.DictReader(_lines(file), delimiter=delimiter, strict=True)
    csv.field_size_limit(LONGEST_LINE)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Refused(line, "", "malformed", f"The line is not CSV: {error}.")
            continue
        yield _checked(max(line, reader.line_num) if reader.line_num > 1 else 2, fields)


def _checked(line: int, fields: Fields) -> MetadataRow:
    if None in fields or None in fields.values():
        return Refused(
            line,
            str(next(iter(fields.values()), ""))[:300],
            "malformed",
            "The line has more or fewer columns than the header.",
        )
    broken = [str(value) for value in fields.values() if _is_broken(str(value))]
    return Refused(line, _shown(broken[0]), "not_utf8", NOT_UTF8) if broken else (line, fields)


def _jsonl_rows(file: IO[bytes]) -> Iterator[MetadataRow]:
    for line, text in enumerate(_lines(file), start=1):
        if not text.strip():
            continue
        if _is_broken(text):
            yield Refused(line, _shown(text), "not_utf8", NOT_UTF8)
            continue
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            yield Refused(line, _shown(text), "malformed", "The line is not JSON.")
            continue
        yield (
            (line, fields)
            if isinstance(fields, dict)
            else Refused(line, _shown(text), "malformed", "The line is no object.")
        )


def _json_rows(file: IO[bytes]) -> Iterator[MetadataRow]:
    yield from stream_items(file, "item")


def stream_items(file: IO[bytes], prefix: str) -> Iterator[MetadataRow]:
    """The objects of one list of a JSON file, counted from one; where the file breaks off, a refusal says so."""
    number = 0
    try:
        for number, fields in enumerate(ijson.items(file, prefix), start=1):
            if isinstance(fields, dict):
                yield number, fields
            else:
                yield Refused(number, _shown(str(fields)), "malformed", "This element is no object.")
    except (ijson.JSONError, UnicodeDecodeError, ValueError) as error:
        yield Refused(number + 1, "", "malformed", f"The JSON breaks off after element {number}: {error}"[:300])
    except UnreadableError as error:
        yield Refused(number + 1, "", error.code, error.message)


def _is_broken(text: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in text) if not text.isascii() else False


def _shown(text: str) -> str:
    """The start of a line, fit to be stored and shown."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip().replace("\0", "\ufffd")[:200]


ALIASES = {
    "file": ("file_name", "file", "path", "filename", "image"),
    "key": ("id", "image_id", "key", "ImageID", "ID"),
    "licence": ("license_url", "licence_url", "license", "licence", "License", "license_name"),
    "author": ("author", "Author", "creator"),
    "title": ("title", "Title"),
    "source_url": ("source_url", "OriginalLandingURL", "flickr_url", "coco_url", "url", "OriginalURL"),
    "attribution": ("attribution", "credit"),
    "captions": ("captions", "caption", "text", "sentences", "raw"),
    "caption_key": ("caption_id", "sentid", "id"),
}


def field_of(fields: Fields, meaning: str) -> Any:
    """The first filled field among the names that `meaning` goes by; None where there is none."""
    for name in ALIASES[meaning]:
        if (value := fields.get(name)) not in (None, ""):
            return value
    return None


def text_of(fields: Fields, meaning: str) -> str:
    """The field as one line of text: numbers as they are written, white space squeezed; empty where there is none."""
    value = field_of(fields, meaning)
    if isinstance(value, Decimal | float) and value == int(value):
        value = int(value)
    return " ".join(str(value).split()) if isinstance(value, str | int | float | Decimal) else ""
