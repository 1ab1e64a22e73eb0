"""What a source gives: rows of images, rows of captions, and the rows it cannot give, each with its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from backend.common.errors import InvalidInput

MB = 1024 * 1024


class SourceUnreadable(InvalidInput):
    """This source cannot be read."""

    code = "source_unreadable"


class MemberRefused(Exception):
    """One file of a container cannot be had: `code` for programs, `message` for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


@dataclass(frozen=True)
class Limits:
    """How much of a source is believed. Bytes, except for the counts and the ratio of unpacked to packed bytes."""

    max_members: int = 2_000_000
    max_member_bytes: int = 200 * MB
    max_total_bytes: int = 2_000_000 * MB
    max_ratio: int = 200
    max_inflated_bytes: int = 64 * 1024 * MB
    max_directory_bytes: int = 256 * MB
    max_line_bytes: int = 4 * MB
    only_looks: bool = False  # the first part of a packed archive is enough


@dataclass(frozen=True)
class Refused:
    """A row or member that was not taken: `line` is its line, element or member number in the source."""

    line: int | None
    name: str
    code: str
    message: str


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


@dataclass(frozen=True)
class CaptionRow:
    """One caption. `ref` is its own id in the source; the rest is None or empty where the source does not say.

    `page_url` is the page that it was found on, `site_name` is the name that the page gives to its site.
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
