"""What every layout yields: a picture's row, a caption's row, or a row that was refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class UnreadableError(Exception):
    """Part of a source cannot be read: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        self.message = message
        super().__init__(message)


@dataclass(frozen=True)
class Refused:
    """A row that was not taken. `line` counts from one: a text's line, or an archive's or list's element."""

    line: int | None
    name: str
    code: str
    message: str


@dataclass(frozen=True)
class ImageRow:
    """A picture as its source describes it. `read` gets its bytes, and raises UnreadableError where it cannot."""

    line: int | None
    key: str
    name: str
    read: Callable[[], bytes]
    licence: str = ""
    author: str = ""
    title: str = ""
    source_url: str = ""
    attribution: str = ""


@dataclass(frozen=True)
class CaptionRow:
    """A text that may describe the image called `image_key`; `ref` is the caption's own id, where it has one."""

    line: int | None
    image_key: str
    text: str
    ref: str = ""


@dataclass(frozen=True)
class Limits:
    """How much of a source is believed. Beyond these it is taken for a bomb."""

    member_bytes: int = 256 * 2**20
    metadata_bytes: int = 8 * 2**30
    members: int = 5_000_000
    compression: int = 200


LIMITS = Limits()
SMALL_ENOUGH = 10 * 2**20  # below this a high compression ratio is only a plain picture
