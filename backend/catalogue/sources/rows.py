"""What a source gives: rows of images, rows of captions, and the rows it cannot give, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from backend.common.errors import InvalidInput
from backend.methods.said import Value, fill

MB = 1024 * 1024
FILE_NOT_READ = "Connote cannot read the file ({error}). Check its permissions and its disk."


class SourceUnreadable(InvalidInput):
    """This source cannot be read."""

    code = "source_unreadable"


class MemberRefused(Exception):
    """One file or row cannot be read: `code` for programs, a template with its values for people."""

    def __init__(self, code: str, template: str, params: Mapping[str, Value] | None = None) -> None:
        self.code, self.template, self.params = code, template, dict(params or {})
        self.message = fill(template, self.params)
        super().__init__(self.message)

    def at(self, line: int | None, name: str) -> Refused:
        """The refused row at this place."""
        return Refused(line, name, self.code, self.template, self.params)


def not_read(error: OSError) -> MemberRefused:
    """The refusal of a file that the system does not give."""
    return MemberRefused("file_not_read", FILE_NOT_READ, {"error": str(error.strerror or error)})


@dataclass(frozen=True)
class Limits:
    """How a source is read, and how much of it is believed. Bytes, except for the counts and the ratio of unpacked to
    packed bytes."""

    max_members: int = 2_000_000
    max_member_bytes: int = 200 * MB
    max_total_bytes: int = 2_000_000 * MB
    max_ratio: int = 200
    max_inflated_bytes: int = 64 * 1024 * MB
    max_directory_bytes: int = 256 * MB
    max_line_bytes: int = 4 * MB
    only_looks: bool = False  # the first part of a packed archive is enough
    columns: tuple[str, ...] = ()  # the names of the columns of a table without a header


@dataclass(frozen=True)
class Refused:
    """A row or member that was not taken: `line` is its line, element or member number in the source.

    `is_ignored` marks what the import does not need, for example a README: it is counted and shown, and is no fault.
    """

    line: int | None
    name: str
    code: str
    template: str
    params: Mapping[str, Value] = field(default_factory=dict)
    is_ignored: bool = False

    @property
    def message(self) -> str:
        return fill(self.template, self.params)


@dataclass(frozen=True)
class ImageRow:
    """One picture as its source describes it. `read()` gives its bytes or raises MemberRefused."""

    line: int
    key: str
    name: str
    read: Callable[[], bytes]
    licence: tuple[str, ...] = ()  # every wording the source has for it, the most telling first
    author: str = ""
    title: str = ""
    source_url: str = ""
    attribution: str = ""
    names: tuple[str, ...] = ()  # what else the source calls it: its file, other ids, its address
    file: str = ""  # of the row, where the source has several files of rows

    @property
    def shown(self) -> str:
        """How a report calls the row."""
        return _of_file(self.file, self.name)


class Picture(NamedTuple):
    """A picture of the source. `read()` gives its bytes or raises MemberRefused. One inside a table has no name.

    With `is_by_id`, its file only has the id of the image as its name, and no row says that it is this image's.
    """

    name: str
    read: Callable[[], bytes]
    is_by_id: bool = False


@dataclass(frozen=True)
class CaptionRow:
    """One caption. `ref` is its own id in the source; the rest is None or empty where the source does not say.

    `page_url` is the page that it was found on, `site_name` is the name that the page gives to its site.
    `names` are further names of its image. `weak_key` is an id that may be the row's own: it is asked last.
    `picture` is the picture beside the caption: where the source has it, its bytes decide which image is meant.
    """

    line: int
    image_key: str
    text: str
    ref: str = ""
    source: str | None = None
    rank: int | None = None
    similarity: float | None = None
    page_url: str = ""
    site_name: str = ""
    names: tuple[str, ...] = ()
    weak_key: str = ""
    file: str = ""
    picture: Picture | None = field(default=None, compare=False, repr=False)

    @property
    def shown(self) -> str:
        """How a report calls the row."""
        return _of_file(self.file, self.image_key)


Row = TypeVar("Row", ImageRow, CaptionRow)


def told_of_file(row: Row | Refused, file: str) -> Row | Refused:
    """The row with the name of its file: where a source has several files, a line alone says too little."""
    return refused_in(file, row) if isinstance(row, Refused) else replace(row, file=file)


def refused_in(file: str, row: Refused) -> Refused:
    """The refused row with the name of its file."""
    return replace(row, name=_of_file(file, row.name))


def _of_file(file: str, name: str) -> str:
    if not name or name == file:
        return file or name
    return f"{file}: {name}" if file else name
