"""The bytes of a table: unpacked, and with what they begin known before they are read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from backend.methods.tables.faults import TableFault
from backend.methods.tables.rows import TableLimits

HEAD = 65536
BLOCK = 8192  # bytes that are lost at most before a place that is damaged
SMALL_ENOUGH = 64 * 1024 * 1024  # below this no ratio makes a bomb
UNREADABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError)
PACKED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file), b"BZh": bz2.BZ2File, b"\xfd7zXZ\0": lzma.LZMAFile,
}  # fmt: skip


class Bytes:
    """A file that is read forward once, with its `head` known. Raises TableFault where nothing can be read."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._read1: Callable[[int], bytes] = getattr(file, "read1", file.read)
        self.head = self._filled()
        self._ahead = self.head

    def _filled(self) -> bytes:
        parts, n = list[bytes](), 0
        try:
            while n < HEAD and (part := self._read1(HEAD - n)):
                parts.append(part)
                n += len(part)
        except UNREADABLE:
            if not parts:
                raise TableFault("file_damaged") from None
        return b"".join(parts)

    def read(self) -> bytes:
        """The next bytes, none at the end. Raises one of UNREADABLE, or TableFault."""
        if self._ahead:
            ahead, self._ahead = self._ahead, b""
            return ahead
        return self._read1(BLOCK)

    def whole(self) -> BinaryIO:
        """The file from its start, with any place in reach: itself, or a copy in a temporary file."""
        if _has_places(self._file):
            self._file.seek(0)
            return self._file
        copy = tempfile.TemporaryFile(prefix="connote-table-")  # noqa: SIM115  # it lives as long as its reader
        while part := self.read():
            copy.write(part)
        copy.seek(0)
        return cast(BinaryIO, copy)


def _has_places(file: BinaryIO) -> bool:
    """Whether the file lies in memory or on disk by itself; in an archive every step back is a new start."""
    if isinstance(file, io.BytesIO):
        return True
    if isinstance(file, zipfile.ZipExtFile):
        return False
    try:
        file.fileno()
    except (OSError, AttributeError):
        return False
    return file.seekable()


class _Rest(io.RawIOBase):
    """A file whose head was read already. Closing it closes `file`, where it is given."""

    def __init__(self, source: Bytes, file: BinaryIO | None = None) -> None:
        self._source, self._ahead, self._file = source, b"", file
        self.n_read = 0

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._ahead:
            self._ahead = self._source.read()
        part = self._ahead[: len(buffer)]
        self._ahead = self._ahead[len(part) :]
        buffer[: len(part)] = part
        self.n_read += len(part)
        return len(part)


class _Unpacked:
    """What a packed file holds, up to a limit that grows with what was read of it."""

    def __init__(self, packed: Any, rest: _Rest, ratio: int) -> None:
        self._packed, self._rest, self._ratio, self._n = packed, rest, ratio, 0

    def read1(self, n: int = HEAD) -> bytes:
        data: bytes = self._packed.read1(n)  # read() would lose what comes before an early end
        self._n += len(data)
        if self._n > max(SMALL_ENOUGH, self._rest.n_read * self._ratio):
            raise TableFault("unpacks_too_large", ratio=self._ratio)
        return data

    read = read1


def open_bytes(file: BinaryIO, limits: TableLimits) -> Bytes:
    """The bytes of a file, unpacked where they are packed. Raises TableFault."""
    source = Bytes(file)
    opener = next((opener for mark, opener in PACKED.items() if source.head.startswith(mark)), None)
    if opener is None:
        return source
    rest = _Rest(source)
    packed = opener(io.BufferedReader(rest, HEAD))
    return Bytes(cast(BinaryIO, _Unpacked(packed, rest, limits.max_ratio)))


def unpacked(file: BinaryIO, limits: TableLimits) -> BinaryIO:
    """The file, or what it holds where it is packed, to be read forward once. Closing it closes the file. Raises
    TableFault."""
    return io.BufferedReader(_Rest(open_bytes(file, limits), file), HEAD)
