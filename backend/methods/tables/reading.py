"""Opens a table by what its bytes hold; its name says only which file a fault is about."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from backend.methods.tables.delimited import Delimited
from backend.methods.tables.faults import Fault, TableFault, named
from backend.methods.tables.json_outline import Outline, outline_of
from backend.methods.tables.json_rows import JsonRows, list_of, members_within, numbered_members, values_in
from backend.methods.tables.json_text import JsonText
from backend.methods.tables.parquet import ParquetRows
from backend.methods.tables.rows import Row, TableLimits, Wanted, fold
from backend.methods.tables.sheets import SheetRows
from backend.methods.tables.sources import SMALL_ENOUGH, UNREADABLE, Bytes, open_bytes
from backend.methods.tables.texts import BAD, MARK, Text

ZIP, PARQUET, OLD_OFFICE = (b"PK\x03\x04", b"PK\x05\x06"), b"PAR1", b"\xd0\xcf\x11\xe0"
PLAIN = (".csv", ".tsv", ".tab", ".json", ".jsonl", ".jsonlines", ".ndjson")
ENDINGS = (
    *PLAIN,
    ".xlsx",
    ".xlsm",
    ".parquet",
    *(f"{each}{pack}" for each in PLAIN for pack in (".gz", ".bz2", ".xz")),
)
DELIMITED, SHEET, COLUMNAR = "delimited", "sheet", "parquet"
ENCRYPTED = 0x1
Found = TypeVar("Found")


class _Rows(Protocol):
    unit: str

    def __iter__(self) -> Iterator[Row | Fault]: ...


class Table:
    """The rows of one file, to be gone through once; each is a Row, or a Fault with its line. A Fault without a line is
    about the file and comes once.

    `kind` is `delimited`, `sheet`, `parquet`, or of JSON `array`, `object`, `lines` or `values`; `unit` says what a
    row's number counts; `columns` are the names in the header, empty where each row names its own.
    """

    def __init__(self, name: str, kind: str, rows: _Rows, columns: Sequence[str] = (), delimiter: str = "") -> None:
        self.name, self.kind, self.unit, self.columns = name, kind, rows.unit, tuple(columns)
        self.delimiter = delimiter
        self._rows = rows

    def __iter__(self) -> Iterator[Row | Fault]:
        line: int | None = None
        try:
            for row in self._rows:
                line = row.line
                yield row
        except TableFault as fault:
            yield Fault((line or 0) + 1, self.name, fault.code, fault.params)
        except UNREADABLE:
            yield Fault((line or 0) + 1, self.name, "file_damaged")

    def lacking(self, what: str, names: Collection[str]) -> Fault | None:
        """The fault of a table whose header has none of these columns; None where a header is not to be had."""
        wanted = {*map(fold, names)}
        if not self.columns or any(fold(name) in wanted for name in self.columns):
            return None
        params = {"what": what, "names": named(list(names)), "found": named(self.columns)}
        return Fault(None, self.name, "column_missing", params)


def is_table_name(name: str) -> bool:
    """Whether a file says by its name that it is a table. What it is, its bytes tell."""
    return name.lower().endswith(ENDINGS)


def open_table(file: BinaryIO, name: str, wanted: Wanted | None = None) -> Table:
    """The table that a file holds from its place on; the caller closes the file. Raises TableFault where it is none."""
    return _open(file, name, wanted or Wanted(), is_inner=False)


def read_rows(file: BinaryIO | Path, name: str, wanted: Wanted | None = None) -> Iterator[Row | Fault]:
    """The rows of a table, as Table gives them; what is wrong with the file as such comes as a Fault, too."""
    if isinstance(file, Path):
        try:
            with file.open("rb") as opened:
                yield from read_rows(cast(BinaryIO, opened), name, wanted)
        except OSError:
            yield Fault(None, name, "file_damaged")
        return
    try:
        table = open_table(file, name, wanted)
    except TableFault as fault:
        yield fault.of(name)
    else:
        yield from table


def read_text(file: BinaryIO, limits: TableLimits | None = None) -> str:
    """The whole text of a file, for what is no table. Raises TableFault, with the first line that is not UTF-8."""
    bounds = limits or TableLimits()
    text = Text(open_bytes(file, bounds), bounds)
    parts, n_left = list[str](), bounds.max_text
    for part in iter(text.read, ""):
        parts.append(part)
        if (n_left := n_left - len(part)) < 0:
            raise TableFault("text_too_long", most=bounds.max_text)
    whole = "".join(parts)
    if not whole.isascii() and (bad := BAD.search(whole)):
        raise TableFault("text_not_utf8", at=text.end_count(whole, bad.start()) + 1)
    return whole


def read_lines(file: BinaryIO, name: str, limits: TableLimits | None = None) -> Iterator[tuple[int, str] | Fault]:
    """The numbered lines of a text, without their ends; a Fault for one that cannot be read."""
    bounds = limits or TableLimits()
    try:
        text = Text(open_bytes(file, bounds), bounds)
        for n, line in enumerate(text.lines(), start=1):
            if line is None:
                yield Fault(n, name, "line_too_long", {"most": bounds.max_row})
            elif not line.isascii() and BAD.search(line):
                yield Fault(n, name, "not_utf8")
            else:
                yield n, line.removeprefix(MARK).removesuffix("\r")
    except TableFault as fault:
        yield fault.of(name)


def outline(file: BinaryIO, name: str, limits: TableLimits | None = None) -> Outline:
    """What kind of table a file is, and of a JSON object the names it begins with. Raises TableFault."""
    source = open_bytes(file, limits or TableLimits())
    if source.head.startswith(PARQUET):
        return Outline(COLUMNAR)
    if source.head.startswith(ZIP):
        return Outline(SHEET)
    text = Text(source, limits or TableLimits())
    if not text.peek(1):
        raise TableFault("table_empty")
    return outline_of(text) or Outline(DELIMITED)


def read_list(file: BinaryIO, name: str, wanted: str, limits: TableLimits | None = None) -> Iterator[Row | Fault]:
    """The records of the list that a JSON object has under a name, such as COCO's `images`. `line` counts them. The
    rest of the object is passed by. Nothing where the object has no such list."""
    bounds = limits or TableLimits()
    yield from _read_json(file, name, bounds, lambda json: list_of(json, wanted, name, bounds))


def read_values(
    file: BinaryIO, name: str, wanted: str, limits: TableLimits | None = None
) -> Iterator[tuple[int, Any] | Fault]:
    """The numbered values of the list that a JSON object has under a name."""

    def values(json: JsonText) -> Iterator[tuple[int, Any] | Fault]:
        for n, value in values_in(json, wanted):
            yield value.of(name) if isinstance(value, TableFault) else (n, value)

    yield from _read_json(file, name, limits or TableLimits(), values)


def read_members(
    file: BinaryIO, name: str, limits: TableLimits | None = None, *, within: str = ""
) -> Iterator[tuple[int, str, Any] | Fault]:
    """Number, name and value of each member of a JSON object, or of the object that it has under a name."""

    def members(json: JsonText) -> Iterator[tuple[int, str, Any] | Fault]:
        for n, key, value in members_within(json, within) if within else numbered_members(json):
            yield value.of(name) if isinstance(value, TableFault) else (n, key, value)

    yield from _read_json(file, name, limits or TableLimits(), members)


def _read_json(
    file: BinaryIO, name: str, limits: TableLimits, read: Callable[[JsonText], Iterator[Found | Fault]]
) -> Iterator[Found | Fault]:
    try:
        json = JsonText(Text(open_bytes(file, limits), limits).read, limits)
        yield from read(json)
        if json.next():
            yield Fault(None, name, "json_goes_on")
    except TableFault as fault:
        yield fault.of(name)


def _open(file: BinaryIO, name: str, wanted: Wanted, *, is_inner: bool) -> Table:
    source = open_bytes(file, wanted.limits)
    if not source.head:
        raise TableFault("table_empty")
    if source.head.startswith(PARQUET):
        rows = ParquetRows(source.whole(), name, wanted.limits, as_written=wanted.as_written)
        return Table(name, COLUMNAR, rows, rows.header.names)
    if source.head.startswith(OLD_OFFICE):
        raise TableFault("old_spreadsheet")
    if source.head.startswith(ZIP):
        return _open_zip(source, name, wanted, is_inner=is_inner)
    return _open_text(Text(source, wanted.limits), name, wanted)


def _open_text(text: Text, name: str, wanted: Wanted) -> Table:
    if found := outline_of(text):
        return Table(name, found.kind, JsonRows(text, name, found, wanted))
    rows = Delimited(text, name, known=wanted.folded, columns=wanted.columns, as_written=wanted.as_written)
    return Table(name, DELIMITED, rows, rows.header.names, rows.delimiter)


def _open_zip(source: Bytes, name: str, wanted: Wanted, *, is_inner: bool) -> Table:
    """An Excel file, or the one table in an archive."""
    whole = source.whole()
    try:
        archive = zipfile.ZipFile(whole)
        infos = [info for info in archive.infolist() if not info.is_dir()]
    except (*UNREADABLE, ValueError):
        raise TableFault("file_damaged") from None
    ratio = wanted.limits.max_ratio
    if any(info.file_size > max(SMALL_ENOUGH, info.compress_size * ratio) for info in infos):
        raise TableFault("unpacks_too_large", ratio=ratio)
    names = {info.filename for info in infos}
    if {"mimetype", "content.xml"} <= names:
        raise TableFault("old_spreadsheet")
    if "xl/workbook.xml" in names:
        whole.seek(0)
        rows = SheetRows(whole, name, wanted)
        return Table(name, SHEET, rows, rows.header.names)
    return _open_member(archive, infos, name, wanted, is_inner=is_inner)


def _open_member(
    archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], name: str, wanted: Wanted, *, is_inner: bool
) -> Table:
    tables = [info for info in infos if is_table_name(info.filename) and not is_hidden(info.filename)]
    if is_inner or not tables:
        raise TableFault("no_table_inside")
    if len(tables) > 1:
        raise TableFault("several_tables", names=named([info.filename for info in tables]))
    if tables[0].flag_bits & ENCRYPTED:
        raise TableFault("encrypted_table")
    try:
        return _open(cast(BinaryIO, archive.open(tables[0])), name, wanted, is_inner=True)
    except (*UNREADABLE, ValueError):
        raise TableFault("file_damaged") from None


def is_hidden(name: str) -> bool:
    """Whether a desktop left this behind."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)
