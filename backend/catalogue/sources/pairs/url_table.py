"""Lists of addresses as CC3M and CC12M are published: (url, caption) or (caption, url) by tabs, with a header or not.

Quotes mean nothing in these files: a caption may open one and never close it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from backend.catalogue.sources.columns import CAPTIONS
from backend.catalogue.sources.pairs.rows import (
    NO_PLACE,
    CorpusPair,
    Slice,
    judged,
    no_column,
    once_each,
    shard_path,
)
from backend.catalogue.sources.rows import Limits, MemberRefused, Refused

Fetch = Callable[[str], bytes]  # an address to its bytes; raises MemberRefused
MOST_FETCHED = 20 * 1024 * 1024  # bytes that a Fetch gives at most
URLS = ("url", "URL", "image_url", "image", "src", "img_url")
SCHEMES = ("http://", "https://")
NOT_FETCHED = (
    "This corpus is a list of addresses, without images. Download them with img2dataset, then "
    "register its output. Or set CONNOTE_FETCH_CORPORA=1, and the workers download them."
)
NO_URL = "The line has no address that starts with http:// or https://."
TOO_LONG = "The line has more than {n:,} bytes. It was left out."
LINES = "lines/2"  # change it when a line gets another number
BOM = b"\xef\xbb\xbf"
NOT_UTF8 = "The line is not UTF-8. Save the file as UTF-8."


@dataclass
class UrlTable:
    folder: Path
    part: Slice
    fetch: Fetch | None = None

    def pairs(self) -> Iterator[CorpusPair | Refused]:
        """See ShardReader. The key is the line's number from 0, the place its address."""
        columns = self.columns()
        yield from once_each(row for line, raw in self._lines(self.part) for row in self._pair(line, raw, columns))

    def count(self) -> int:
        """How many lines it has, without the header. Raises SourceUnreadable where a column is missing."""
        self.columns()
        return sum(1 for _ in self._lines(Slice(self.part.file)))

    def read(self, place: str) -> bytes:
        """Fetches the address. Raises MemberRefused where that fails or is not allowed."""
        if not place.startswith(SCHEMES):
            raise MemberRefused("no_place", NO_PLACE.format(place=place[:100], file=self.part.file))
        if self.fetch is None:
            raise MemberRefused("not_fetched", NOT_FETCHED)
        return self.fetch(place)

    def state(self) -> str:
        """How lines are numbered; what lies behind the addresses nobody can know."""
        return LINES

    def columns(self) -> tuple[int, int]:
        """Which column holds the address and which the caption. Raises SourceUnreadable naming those there are."""
        fields = self._first_fields()
        urls = [place for place, field in enumerate(fields) if field.startswith(SCHEMES)]
        if not urls:
            return self._by_name(fields)
        if len(fields) < 2:
            raise no_column(self.part.file, "captions", CAPTIONS, ["url"])
        return urls[0], next(place for place in range(len(fields)) if place != urls[0])

    def _by_name(self, header: list[str]) -> tuple[int, int]:
        names = [name.strip() for name in header]
        url = next((name for name in URLS if name in names), None)
        caption = next((name for name in CAPTIONS if name in names), None)
        if url is None:
            raise no_column(self.part.file, "addresses", URLS, names)
        if caption is None:
            raise no_column(self.part.file, "captions", CAPTIONS, names)
        return names.index(url), names.index(caption)

    def _first_fields(self) -> list[str]:
        with shard_path(self.folder, self.part.file).open("rb") as file:
            first = file.readline(Limits().max_line_bytes)
        return _text(first).split("\t") if first.strip() else []

    def _lines(self, part: Slice) -> Iterator[tuple[int, bytes]]:
        """The lines of `part`, numbered from 0 on, without the header and without empty lines.

        Whoever reads a slice to its end notes where the next one begins: slices taken in order are one reading of the
        file, and not each a reading from its start.
        """
        path = shard_path(self.folder, self.part.file)
        state = path.stat()
        starts = _known_starts(path, state.st_size, state.st_mtime_ns)
        number = max((row for row in list(starts) if row <= part.first), default=0)  # other threads add to it
        end = None if part.n is None else part.first + part.n
        with path.open("rb") as file:
            file.seek(starts[number] if number else self._first_byte(file))
            while number != end and (raw := file.readline(Limits().max_line_bytes)):
                _rest_of(file, raw)
                if raw.strip():
                    number += 1
                    if number == end:
                        starts[number] = file.tell()
                    if number > part.first:
                        yield number - 1, raw

    def _first_byte(self, file: BinaryIO) -> int:
        """Where the first line begins, behind a byte order mark and a header."""
        if file.read(len(BOM)) != BOM:
            file.seek(0)
        if not any(field.startswith(SCHEMES) for field in self._first_fields()):
            _rest_of(file, file.readline(Limits().max_line_bytes))
        return file.tell()

    def _pair(self, number: int, raw: bytes, columns: tuple[int, int]) -> Iterator[CorpusPair | Refused]:
        key, line = f"{number:09d}", number + 1
        if _is_cut(raw):
            yield Refused(line, key, "line_too_long", TOO_LONG.format(n=Limits().max_line_bytes))
            return
        try:
            fields = raw.decode("utf-8").rstrip("\r\n").split("\t")
        except UnicodeDecodeError:
            yield Refused(line, key, "not_utf8", NOT_UTF8)
            return
        url, caption = (fields[place].strip() if place < len(fields) else "" for place in columns)
        if not url.startswith(SCHEMES):
            yield Refused(line, key, "no_url", NO_URL)
            return
        yield from judged(line, key, [caption], url, lambda: self.read(url), url)


@lru_cache(maxsize=64)
def _known_starts(path: Path, n_bytes: int, changed_ns: int) -> dict[int, int]:
    """{row: the byte it begins at}, filled in by those who read there; another state of the file has its own."""
    return {}


def _is_cut(raw: bytes) -> bool:
    """Whether `readline` gave a part of a line, or the last one of a file, as long as the limit."""
    return len(raw) >= Limits().max_line_bytes and not raw.endswith(b"\n")


def _rest_of(file: BinaryIO, raw: bytes) -> None:
    """Go on to the next line, without keeping what is left of this one."""
    while _is_cut(raw):
        raw = file.readline(Limits().max_line_bytes)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8-sig", "replace").rstrip("\r\n")
