"""What an archive may cost before anything of it is believed: its headers, its directory, its unpacked bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import struct
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from backend.catalogue.sources.rows import MB, Limits, SourceUnreadable

COMPRESSORS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
MOST_HEADERS = 256 * 1024  # bytes of one member's headers: long names and extended headers are read whole
KEPT_FREE = 512 * MB  # of the disk, for the database and everybody else
LOOKED_FOR = 64 * MB  # bytes unpacked between two looks at the disk
UNKNOWN = 0xFFFFFFFF
END = struct.Struct("<4s4H2LH")
END_64_PLACE, END_64 = struct.Struct("<4sLQL"), struct.Struct("<4sQ2H2L4Q")
NO_SPACE = "The archive needs more space than the server has. Free disk space, or import a folder."
TOO_LARGE = "The unpacked archive has more than {n} bytes. Split it."
TOO_MANY_NAMES = "The list of files in the archive has more than {n} bytes. Split the archive."


class LongHeader(Exception):
    """A member of a tar has headers that nobody writes."""


class HeaderFile(io.FileIO):
    """A tar as tarfile reads it: headers alone, and no more of them for one member than MOST_HEADERS.

    tarfile reads a long name into memory whole, whatever length its header claims. Raises LongHeader.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, closefd=False)
        self._left = MOST_HEADERS

    def next_member(self) -> None:
        """The headers of another member begin."""
        self._left = MOST_HEADERS

    def read(self, size: int | None = -1, /) -> bytes:
        asked = MOST_HEADERS + 1 if size is None or size < 0 else size
        self._left -= asked
        if self._left < 0:
            raise LongHeader
        return super().read(asked) or b""


def opener_of(start: bytes) -> Callable[[Path], IO[bytes]] | None:
    """What unpacks the file that begins so; None for a plain one, such as a tar whose first file is BZ1.jpg."""
    return None if start[257:262] == b"ustar" else COMPRESSORS.get(start[:2])


def is_tar(path: Path) -> bool:
    """Whether the file is a tar, packed or not: by the checksum of its first header alone."""
    try:
        with path.open("rb") as file:
            opener = opener_of(file.read(262))
        with opener(path) if opener else path.open("rb") as file:
            tarfile.TarInfo.frombuf(file.read(tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (OSError, EOFError, tarfile.TarError, zlib.error, lzma.LZMAError):
        return False
    return True


class Inflated:
    """Bytes that come out of a packed archive, counted. Raises SourceUnreadable where they are too many."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self.n_bytes = self._looked_at = 0
        self._check_disk()

    def add(self, n: int) -> None:
        """`n` more bytes were written."""
        self.n_bytes += n
        if self.n_bytes > self._limits.max_inflated_bytes and not self._limits.only_looks:
            raise SourceUnreadable(TOO_LARGE, code="inflated_too_large", params={"n": self._limits.max_inflated_bytes})
        if self.n_bytes - self._looked_at >= LOOKED_FOR:
            self._looked_at = self.n_bytes
            self._check_disk()

    def _check_disk(self) -> None:
        if shutil.disk_usage(self._folder).free < KEPT_FREE:
            raise SourceUnreadable(NO_SPACE, code="no_space_to_inflate")


def check_directory(path: Path, limits: Limits) -> None:
    """zipfile reads a zip's list of files whole. Raises SourceUnreadable where it is too large."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 65536 - END.size - END_64_PLACE.size - END_64.size))
        tail = file.read()
        at = tail.rfind(b"PK\5\6")
        if at < 0 or at + END.size > len(tail):
            return  # zipfile will say that it is none
        n_bytes = END.unpack_from(tail, at)[5]
        if tail.startswith(b"PK\6\7", at - END_64_PLACE.size):
            n_bytes = max(n_bytes if n_bytes < UNKNOWN else 0, _of_64_bits(tail, at - END_64_PLACE.size))
    if n_bytes > limits.max_directory_bytes:
        raise SourceUnreadable(TOO_MANY_NAMES, code="directory_too_large", params={"n": limits.max_directory_bytes})


def _of_64_bits(tail: bytes, at: int) -> int:
    """The size of a directory in the record before the one at `at`, where zipfile looks for it."""
    at -= END_64.size
    found: int = END_64.unpack_from(tail, at)[8] if at >= 0 and tail.startswith(b"PK\6\6", at) else UNKNOWN
    return found
