"""All files of a release as one .zip, made while it is sent, from any byte on.

Nothing is compressed. So the place of each byte follows from the names and sizes alone, and what lies before a range is
not read. Only the list at the end needs the checksum of each file: each is computed once and then kept in the cache.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from zipfile import ZipInfo

from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase

from backend.releases.download import Content, read_stored, send_content
from backend.releases.models import Release, ReleaseFile

MOMENT = (1980, 1, 1, 0, 0, 0)  # of every file, so that the same release gives the same bytes
KEPT_SECONDS = 30 * 24 * 3600
UNIX, MODE, WITH_DESCRIPTOR = 3, 0o100644 << 16, 0x08
ZIP64, NOT_HERE = 45, 0xFFFFFFFF  # NOT_HERE: the number is in the 64-bit part
DESCRIPTOR = struct.Struct("<4sLQQ")  # signature, CRC-32, size in the archive, size
LISTED = struct.Struct("<4sBBHHHHHLLLHHHHHLL")
LISTED_64 = struct.Struct("<HHQQQ")  # kind, length; both sizes, offset of the file
END_64 = struct.Struct("<4sQBBHLLQQQQ")
LOCATOR = struct.Struct("<4sLQL")
END = struct.Struct("<4s4H2LH")


def name_archive(release: Release) -> str:
    """The name of the .zip, and of the folder in it."""
    return f"{release.project.slug}-{release.label}"


def send_archive(request: HttpRequest, release: Release) -> HttpResponseBase:
    """The .zip, or the range of it that is asked for. One piece of a file is in memory at a time."""
    name = name_archive(release)
    archive = Archive(name, release.files.order_by("name"))
    return send_content(request, Content(f"{name}.zip", archive.n_bytes, archive.tag, archive.read))


@dataclass(frozen=True)
class _Member:
    file: ReleaseFile
    name: bytes
    header: bytes

    @property
    def n_bytes(self) -> int:
        return len(self.header) + self.file.n_bytes + DESCRIPTOR.size


class Archive:
    """The layout of a .zip (APPNOTE.TXT 6.3.10) with 64-bit sizes and the checksum of each file behind it."""

    def __init__(self, folder: str, files: Iterable[ReleaseFile]) -> None:
        self._members = [_member(f"{folder}/{file.name}", file) for file in files]
        *self._offsets, self._list_at = accumulate((member.n_bytes for member in self._members), initial=0)
        n_listed = sum(LISTED.size + len(member.name) + LISTED_64.size for member in self._members)
        self.n_bytes = self._list_at + n_listed + END_64.size + LOCATOR.size + END.size
        told = "".join(f"{member.file.sha256} {member.name!r}\n" for member in self._members)
        self.tag = hashlib.sha256(told.encode()).hexdigest()
        self._checksums: dict[str, int] = {}

    def read(self, first: int, n_bytes: int) -> Iterator[bytes]:
        """`n_bytes` from byte `first` on."""
        for member, offset in zip(self._members, self._offsets, strict=True):
            start, stop = max(first - offset, 0), min(first + n_bytes - offset, member.n_bytes)
            if start < stop:
                yield from self._read_member(member, start, stop)
        if first + n_bytes > self._list_at:
            yield self._list()[max(first - self._list_at, 0) : first + n_bytes - self._list_at]

    def _read_member(self, member: _Member, start: int, stop: int) -> Iterator[bytes]:
        """Bytes of the header, the file and the checksum behind it."""
        file, n_header = member.file, len(member.header)
        yield member.header[start:stop]
        first, last = max(start - n_header, 0), min(stop - n_header, file.n_bytes)
        if (first, last) == (0, file.n_bytes):
            yield from self._read_whole(file)
        elif first < last:
            yield from read_stored(file.stored_as, first, last - first)
        behind = n_header + file.n_bytes
        if stop > behind:
            descriptor = DESCRIPTOR.pack(b"PK\7\10", self._checksum(file), file.n_bytes, file.n_bytes)
            yield descriptor[max(start - behind, 0) : stop - behind]

    def _read_whole(self, file: ReleaseFile) -> Iterator[bytes]:
        """The file; its checksum is known afterwards."""
        checksum = 0
        for chunk in read_stored(file.stored_as, 0, file.n_bytes):
            checksum = zlib.crc32(chunk, checksum)
            yield chunk
        self._checksums[file.sha256] = checksum
        cache.set(_place(file), checksum, KEPT_SECONDS)

    def _checksum(self, file: ReleaseFile) -> int:
        if file.sha256 not in self._checksums:
            known: int | None = cache.get(_place(file))
            if known is None:
                deque(self._read_whole(file), maxlen=0)
            else:
                self._checksums[file.sha256] = known
        return self._checksums[file.sha256]

    def _list(self) -> bytes:
        listed = b"".join(
            _listed(member, offset, self._checksum(member.file))
            for member, offset in zip(self._members, self._offsets, strict=True)
        )
        n, at = len(self._members), self._list_at
        end_64 = END_64.pack(b"PK\6\6", END_64.size - 12, ZIP64, UNIX, ZIP64, 0, 0, n, n, len(listed), at)
        locator = LOCATOR.pack(b"PK\6\7", 0, at + len(listed), 1)
        few = min(n, 0xFFFF)
        end = END.pack(b"PK\5\6", 0, 0, few, few, min(len(listed), NOT_HERE), min(at, NOT_HERE), 0)
        return listed + end_64 + locator + end


def _place(file: ReleaseFile) -> str:
    return f"release:crc32:{file.sha256}"


def _member(name: str, file: ReleaseFile) -> _Member:
    info = ZipInfo(name, MOMENT)
    info.flag_bits = WITH_DESCRIPTOR
    header = info.FileHeader(zip64=True)
    n_name = int.from_bytes(header[26:28], "little")
    return _Member(file, header[30 : 30 + n_name], header)


def _listed(member: _Member, offset: int, checksum: int) -> bytes:
    """A file in the list at the end of the archive."""
    flags, method, time, date = struct.unpack_from("<4H", member.header, 6)
    fields = LISTED.pack(
        b"PK\1\2", ZIP64, UNIX, ZIP64, flags, method, time, date, checksum, NOT_HERE, NOT_HERE, len(member.name),
        LISTED_64.size, 0, 0, 0, MODE, NOT_HERE,
    )  # fmt: skip
    return (
        fields + member.name + LISTED_64.pack(1, LISTED_64.size - 4, member.file.n_bytes, member.file.n_bytes, offset)
    )
