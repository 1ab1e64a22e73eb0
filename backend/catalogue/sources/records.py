"""Streams records out of CSV, JSONL and JSON arrays: each a mapping with its line, or a refusal; memory stays flat."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import ijson

from backend.catalogue.sources.archives import UNZIPPABLE
from backend.catalogue.sources.json_tokens import ShortTokens, TokenTooLong
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Limits, Refused, SourceUnreadable

Record = tuple[int, dict[str, Any]]
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
NOT_UTF8 = "The line is not UTF-8. Save the file as UTF-8. Connote reads the other lines."
NOT_JSON = "The line is not a JSON object: {error}. Fix it."
SHIFTED = "The line has more fields than the header. Put text with a comma into quotes."
TOO_LONG = "The line has more than {n:,} bytes. It was left out."
DAMAGED = "The file is damaged from here on ({error}). Connote kept the rows before that. Copy the file again."
STOPPED = "Connote cannot read the JSON from here on ({error}). It kept the rows before that."


def read_records(file: BinaryIO, name: str, limits: Limits) -> Iterator[Record | Refused]:
    """Records of `file` by what its name ends in and its first bytes say. Raises SourceUnreadable on UTF-16."""
    buffered = io.BufferedReader(file, 65536) if isinstance(file, io.RawIOBase) else file
    head = first_bytes(buffered)
    if head.startswith(UTF16):
        raise SourceUnreadable(f"{name} is UTF-16. Save it as UTF-8.")
    try:
        if head.removeprefix(BOM).lstrip()[:1] == b"[":
            yield from read_json_array(buffered, "item")
        elif name.lower().endswith((".csv", ".tsv")):
            yield from _read_csv(buffered, name)
        else:
            yield from _read_lines(buffered, limits)
    except UNZIPPABLE as error:  # a packed table's checksum is known only at its end
        yield Refused(None, printable(name), "damaged", DAMAGED.format(error=error))


def first_bytes(file: BinaryIO, n: int = 4096) -> bytes:
    """The beginning of a file without moving in it, where it can peek; the caller opened it at its start."""
    peek = getattr(file, "peek", None)
    if peek is None:
        raise SourceUnreadable("Connote cannot read the start of this file twice. Send the file itself.")
    head: bytes = peek(n)[:n]
    return head


def _read_lines(file: BinaryIO, limits: Limits) -> Iterator[Record | Refused]:
    line = 0
    while raw := file.readline(limits.max_line_bytes + 1):
        line += 1
        if len(raw) > limits.max_line_bytes:
            _skip_line(file, raw, limits)
            yield Refused(line, "", "line_too_long", TOO_LONG.format(n=limits.max_line_bytes))
        elif raw.strip():
            yield _read_line(line, raw.removeprefix(BOM) if line == 1 else raw)


def _skip_line(file: BinaryIO, raw: bytes, limits: Limits) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = file.readline(limits.max_line_bytes)


def _read_line(line: int, raw: bytes) -> Record | Refused:
    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return Refused(line, printable(raw[:60].decode("utf-8", "replace")), "not_utf8", NOT_UTF8)
    except (ValueError, RecursionError) as error:
        return Refused(line, "", "malformed_json", NOT_JSON.format(error=error))
    if not isinstance(record, dict):
        return Refused(line, "", "malformed_json", NOT_JSON.format(error=f"it is a {type(record).__name__}"))
    return line, record


def read_json_array(file: BinaryIO, prefix: str) -> Iterator[Record | Refused]:
    """The objects of the array at ijson's `prefix`; `line` counts its elements from 1."""
    n = 0
    if first_bytes(file).startswith(BOM):
        file.read(len(BOM))
    try:
        for n, record in enumerate(ijson.items(ShortTokens(file), prefix, use_float=True), start=1):
            if isinstance(record, dict):
                yield n, record
            else:
                yield Refused(n, "", "malformed_json", f"Element {n} is not an object. Write an object.")
    except TokenTooLong as error:
        yield error.at(n + 1)
    except (ijson.JSONError, UnicodeDecodeError, ValueError, RecursionError) as error:
        code = "not_utf8" if "utf" in str(error).lower() else "malformed_json"
        yield Refused(n + 1, "", code, STOPPED.format(error=printable(error)[:200]))
    except UNZIPPABLE as error:
        yield Refused(n + 1, "", "damaged", DAMAGED.format(error=error))


def _read_csv(file: BinaryIO, name: str) -> Iterator[Record | Refused]:
    """Bytes that are no UTF-8 come through as half characters, so that only their own row is refused."""
    delimiter = _delimiter(first_bytes(file), name)
    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        yield from _rows_of(text, delimiter)
    finally:
        text.detach()  # the file is closed by whoever opened it


def _rows_of(text: io.TextIOWrapper, delimiter: str) -> Iterator[Record | Refused]:
    rows = csv.reader(text, delimiter=delimiter)
    header: list[str] | None = None
    while True:
        line = rows.line_num + 1
        try:
            fields = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            yield Refused(line, "", "malformed_csv", f"Connote cannot read the line: {error}")
            continue
        if header is None:
            header = [column.strip() for column in fields]
        elif any(fields):
            yield _record_of(line, header, fields)


def _record_of(line: int, header: list[str], fields: list[str]) -> Record | Refused:
    if any("\udc80" <= letter <= "\udcff" for field in fields for letter in field if letter > "\ud7ff"):
        return Refused(line, printable(fields[0]), "not_utf8", NOT_UTF8)
    if len(fields) > len(header):
        return Refused(line, printable(fields[0]), "malformed_csv", SHIFTED)
    return line, dict(zip(header, fields, strict=False))


def _delimiter(head: bytes, name: str) -> str:
    first_line = head.split(b"\n", 1)[0]
    if name.lower().endswith(".tsv"):
        return "\t"
    counts = {delimiter: first_line.count(delimiter.encode()) for delimiter in (",", ";", "\t")}
    return max(counts, key=lambda delimiter: counts[delimiter])
