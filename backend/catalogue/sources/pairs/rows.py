"""What a shard gives, whatever its layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

from backend.catalogue.sources.columns import MAX_KEY
from backend.catalogue.sources.container import Folder
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.rows import Limits, MemberRefused, Refused, SourceUnreadable

MAX_CAPTION_BYTES = 100_000
TOO_LONG = "A caption of {key!r} has more than {limit:,} bytes. It was left out."
NOT_TEXT = "A caption of {key!r} has a null or incomplete character. Save the source as UTF-8."
NO_CAPTION = "{key!r} has no valid caption. Add one."
TWICE = "The shard has the key {key!r} twice. Connote kept the first row."
LONG_KEY = "The key has more than {n} characters. Shorten it."
ADDRESSES = ("url", "URL", "image_url")  # where img2dataset and its like name the address of a picture
GONE = "The shard {file} is not in its folder any more. Put it back, or register the corpus again under another name."
CUT_OFF = "Connote cannot read the shard {file}: {why}. Copy the original file again."
NO_COLUMN = "The shard {file} has no column for {what}. Use one of the names: {wanted}. Its columns are: {found}."
NO_PLACE = "There is no image at {place!r} in {file}."
CUT = "cut_off"
OF_A_CAPTION = ("too_long", "not_text")  # codes of a caption that is left out by itself, beside its pair
T = TypeVar("T")


@dataclass(frozen=True)
class Slice:
    """A shard: a file of the corpus' folder, or `n` of its rows from the row `first` on, where it is a table."""

    file: str
    first: int = 0
    n: int | None = None

    def of(self, rows: Iterable[T]) -> Iterator[T]:
        """This slice's share of all rows of the file."""
        return islice(rows, self.first, None if self.n is None else self.first + self.n)


@dataclass(frozen=True)
class CorpusPair:
    """One picture with its captions, at least one. `read()` gives its bytes or raises MemberRefused.

    `place` says where in the shard the picture lies, in its layout's own way: `ShardReader.read` takes it. `address` is
    the address on the web that the picture was downloaded from, empty where the shard does not name it.
    """

    key: str
    captions: tuple[str, ...]
    place: str
    read: Callable[[], bytes]
    address: str = ""


class ShardReader(Protocol):
    """One shard of a corpus."""

    def pairs(self) -> Iterator[CorpusPair | Refused]:
        """Every pair in order, and what cannot be one. Raises SourceUnreadable where the shard as such is broken."""

    def read(self, place: str) -> bytes:
        """The picture at a place that a pair named. Raises MemberRefused or SourceUnreadable."""

    def state(self) -> str:
        """A name for what the shard's own checksum does not cover, such as pictures beside a table; mostly empty."""


def shard_path(folder: Path, file: str) -> Path:
    """Where the shard lies. Raises SourceUnreadable where it is gone, or is a link that leads out of the folder."""
    try:
        return Folder(folder, Limits()).path_of(file)
    except MemberRefused as refused:
        message = GONE.format(file=file) if refused.code == "missing_file" else refused.message
        raise SourceUnreadable(message, code="shard_gone") from refused


def cut_off(file: str, why: object) -> SourceUnreadable:
    """The error of a shard that ends too early or is no such file at all."""
    return SourceUnreadable(CUT_OFF.format(file=file, why=printable(why, 200).rstrip(".")), code=CUT)


def no_column(file: str, what: str, wanted: Iterable[str], found: Iterable[str]) -> SourceUnreadable:
    """The error of a shard without the column of `what`; names the columns there are."""
    message = NO_COLUMN.format(file=file, what=what, wanted=", ".join(wanted), found=", ".join(found) or "none")
    return SourceUnreadable(message, code="no_column")


def judged(
    line: int, key: str, texts: Iterable[object], place: str, read: Callable[[], bytes], address: str = ""
) -> Iterator[CorpusPair | Refused]:
    """The pair of a picture and what was said of it; a caption that cannot be one is refused by itself."""
    if len(key) > MAX_KEY:
        yield Refused(line, printable(key), "key_too_long", LONG_KEY.format(n=MAX_KEY))
        return
    captions = []
    for text in dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()):
        if why := _why_not(key, text):
            yield Refused(line, key, *why)
        else:
            captions.append(text)
    if captions:
        yield CorpusPair(key, tuple(captions), place, read, address)
    else:
        yield Refused(line, key, "no_caption", NO_CAPTION.format(key=key))


def _why_not(key: str, text: str) -> tuple[str, str] | None:
    try:
        n_bytes = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        return "not_text", NOT_TEXT.format(key=key)
    if n_bytes > MAX_CAPTION_BYTES:
        return "too_long", TOO_LONG.format(key=key, limit=MAX_CAPTION_BYTES)
    return ("not_text", NOT_TEXT.format(key=key)) if "\x00" in text else None


def once_each(rows: Iterable[CorpusPair | Refused]) -> Iterator[CorpusPair | Refused]:
    """The same rows, the second pair of a key refused: an id must mean one picture."""
    seen: set[str] = set()
    for row in rows:
        if isinstance(row, CorpusPair) and row.key in seen:
            yield Refused(None, row.key, "duplicate_key", TWICE.format(key=row.key))
            continue
        if isinstance(row, CorpusPair):
            seen.add(row.key)
        yield row
