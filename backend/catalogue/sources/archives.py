"""Tar and zip files as containers. Headers are read once; nothing is ever unpacked to disk by the names they hold."""

from __future__ import annotations

import io
import lzma
import os
import tarfile
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from backend.catalogue.sources.archive_guards import (
    HeaderFile,
    Inflated,
    LongHeader,
    check_directory,
    is_tar,
    opener_of,
)
from backend.catalogue.sources.container import Member, duplicate, hidden, missing, too_large
from backend.catalogue.sources.names import is_archive, is_hidden, is_table, printable, safe_name
from backend.catalogue.sources.rows import MB, Limits, MemberRefused, Refused, SourceUnreadable
from backend.common.disks import disk_error
from backend.methods.said import Value

SMALL_ENOUGH = 64 * MB  # below this no ratio makes a bomb
BLOCK = MB
ENCRYPTED = 0x1
IS_UTF8 = 0x800
TRUNCATED = "The archive is not complete ({where}). Connote kept the rows before that. Copy the archive again."
BOMB = "The unpacked archive is more than {ratio} times as large, so it was not unpacked. Pack only images."
TOO_MUCH = "The unpacked archive has more than {n} bytes. Split it."
LINK = "Connote does not follow links in an archive. Add the file itself."
DEVICE = "Connote reads only normal files, not devices or pipes. Remove this entry."
TOO_MANY = "The archive has more than {n} files. Connote kept the rows before that. Split it."
ENCRYPTED_FILE = "This file is encrypted. Pack it without a password."
OTHER_KIND = "Connote does not open .rar and .7z archives. Pack the files as a zip."
NO_TAR = "Connote cannot read the file as a tar archive ({error}). Copy it again."
NO_ZIP = "Connote cannot read the file as a zip archive ({error}). Copy it again."
SHARED_BYTES = "Files in this archive share bytes, as in a zip bomb. Make the archive again."
LONG_HEADER = "A header in the archive is too long. Connote kept the rows before that. Make the archive again."
DAMAGED = "The archive is damaged here: {error}. Make it again."
UNZIPPABLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError)


class _Archive:
    """What tar and zip share: an index of fit members, and the problems with the others."""

    def __init__(self, limits: Limits, name: str) -> None:
        self.limits, self.name = limits, name
        self.problems: list[Refused] = []
        self._index: dict[str, tuple[int, int]] = {}  # name -> (where, bytes)
        self._total = 0

    def members(self) -> Iterator[Member]:
        for line, (name, (_, n_bytes)) in enumerate(self._index.items(), start=1):
            yield Member(line, name, n_bytes)

    def has(self, name: str) -> bool:
        return name in self._index

    def _refuse(self, line: int | None, name: str, code: str, template: str, **params: Value) -> None:
        self.problems.append(Refused(line, printable(name), code, template, params))

    def _add(self, line: int, name: str, where: int, n_bytes: int) -> None:
        """Index one regular file, or note why not."""
        try:
            plain = safe_name(name)
        except MemberRefused as refused:
            return self.problems.append(refused.at(line, printable(name)))
        if is_hidden(plain):
            return self.problems.append(hidden(line, name))
        if plain in self._index:
            return self.problems.append(duplicate(line, name))
        self._total += n_bytes
        if self._total > self.limits.max_total_bytes:
            return self._refuse(line, name, "archive_too_large", TOO_MUCH, n=self.limits.max_total_bytes)
        self._index[plain] = (where, n_bytes)
        return None

    def locate(self, name: str) -> tuple[int, int]:
        """Where a member's content begins (a tar's byte, a zip's place) and its bytes. Raises MemberRefused."""
        if name not in self._index:
            raise missing(name)
        where, n_bytes = self._index[name]
        if n_bytes > self.limits.max_member_bytes:
            raise too_large(name, n_bytes, self.limits)
        return where, n_bytes


class Tar(_Archive):
    """A tar file, plain or compressed; a compressed one is inflated into an unnamed temporary file first."""

    def __init__(self, path: Path, limits: Limits) -> None:
        super().__init__(limits, path.name)
        self._file = os.open(path, os.O_RDONLY)
        weakref.finalize(self, os.close, self._file)
        if (opener := opener_of(os.pread(self._file, 262, 0))) is not None:
            self._file = self._inflate(path, opener)
        self._n_bytes = os.fstat(self._file).st_size
        self._read_headers()

    def read(self, name: str) -> bytes:
        where, n_bytes = self.locate(name)
        return os.pread(self._file, n_bytes, where)

    def open(self, name: str) -> BinaryIO:
        where, n_bytes = self._index[name] if name in self._index else self.locate(name)
        return cast(BinaryIO, io.BufferedReader(_Slice(self._file, where, n_bytes, self)))

    def _inflate(self, path: Path, opener: object) -> int:
        """A descriptor of the inflated bytes, as many as came out before an end or a limit."""
        limit = max(SMALL_ENOUGH, path.stat().st_size * self.limits.max_ratio)
        out, name = tempfile.mkstemp(prefix="connote-tar-")
        weakref.finalize(self, os.close, out)
        Path(name).unlink()
        inflated = Inflated(Path(tempfile.gettempdir()), self.limits)
        try:
            with opener(path) as packed:  # type: ignore[operator]
                while block := packed.read1(BLOCK):  # read() would lose what came before an early end
                    inflated.add(os.write(out, block))
                    if self.limits.only_looks and inflated.n_bytes >= self.limits.max_inflated_bytes:
                        break
                    if inflated.n_bytes > limit:
                        raise SourceUnreadable(BOMB, code="bomb", params={"ratio": self.limits.max_ratio})
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            if disk_error(error):
                raise
            self._refuse_rest(0, str(error))
        os.lseek(out, 0, os.SEEK_SET)
        return out

    def _read_headers(self) -> None:
        line = 0
        try:
            with HeaderFile(self._file) as raw, tarfile.open(fileobj=raw, mode="r:") as tar:
                for member in tar:
                    line += 1
                    if line > self.limits.max_members:
                        return self._refuse(line, "", "too_many_members", TOO_MANY, n=self.limits.max_members)
                    self._take(line, member)
                    tar.members.clear()  # type: ignore[attr-defined]  # it would keep every header ever read
                    tar.pax_headers.clear()  # type: ignore[attr-defined]  # those that hold for all members pile up
                    raw.next_member()
                self._check_end(line + 1, tar.offset)
        except LongHeader:
            self._refuse(line + 1, "", "long_header", LONG_HEADER)
        except (tarfile.TarError, OSError, EOFError, ValueError, zlib.error) as error:
            if line == 0:
                raise SourceUnreadable(NO_TAR, code="no_tar", params={"error": str(error)}) from error
            self._refuse_rest(line + 1, str(error))
        return None

    def _take(self, line: int, member: tarfile.TarInfo) -> None:
        if member.isdir():
            return None
        if member.issym() or member.islnk():
            return self._refuse(line, member.name, "link", LINK)
        if not member.isreg() or member.issparse():
            return self._refuse(line, member.name, "device", DEVICE)
        if member.offset_data + member.size > self._n_bytes:
            return self._refuse_rest(line, f"in {printable(member.name)}")
        return self._add(line, member.name, member.offset_data, member.size)

    def _check_end(self, line: int, offset: int) -> None:
        """A whole tar ends with empty blocks; one that stops between two members was cut off."""
        last_block = os.pread(self._file, 512, max(0, self._n_bytes - 512))
        if offset >= self._n_bytes and last_block.strip(b"\0"):
            self._refuse_rest(line, "it has no end mark")

    def _refuse_rest(self, line: int, where: str) -> None:
        """Say once that the archive was cut off."""
        if not any(problem.code == "truncated_archive" for problem in self.problems):
            self._refuse(line or None, self.name, "truncated_archive", TRUNCATED, where=where)


class _Slice(io.RawIOBase):
    """A window on a descriptor, readable by several at once since it keeps its own place."""

    def __init__(self, file: int, start: int, n_bytes: int, owner: object) -> None:
        self._file, self._at, self._end, self._owner = file, start, start + n_bytes, owner

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = os.pread(self._file, min(len(buffer), self._end - self._at), self._at)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


class Zip(_Archive):
    def __init__(self, path: Path, limits: Limits) -> None:
        super().__init__(limits, path.name)
        check_directory(path, limits)
        try:
            self._zip = zipfile.ZipFile(path)
        except (*UNZIPPABLE, ValueError) as error:
            raise SourceUnreadable(NO_ZIP, code="no_zip", params={"error": str(error)}) from error
        self._infos = self._zip.infolist()
        if sum(info.compress_size for info in self._infos) > path.stat().st_size:
            raise SourceUnreadable(SHARED_BYTES, code="zip_bomb")
        for place, info in enumerate(self._infos):
            if place >= self.limits.max_members:
                self._refuse(place + 1, "", "too_many_members", TOO_MANY, n=self.limits.max_members)
                break
            self._take(place, info)

    def _take(self, place: int, info: zipfile.ZipInfo) -> None:
        name, kind = _name_of(info), (info.external_attr >> 28) & 0xF
        if info.is_dir():
            return None
        if kind not in (0, 0o10):
            if kind == 0o12:
                return self._refuse(place + 1, name, "link", LINK)
            return self._refuse(place + 1, name, "device", DEVICE)
        if info.flag_bits & ENCRYPTED:
            return self._refuse(place + 1, name, "encrypted", ENCRYPTED_FILE)
        if info.file_size > max(SMALL_ENOUGH, info.compress_size * self.limits.max_ratio):
            return self._refuse(place + 1, name, "bomb", BOMB, ratio=self.limits.max_ratio)
        return self._add(place + 1, name, place, info.file_size)

    def read(self, name: str) -> bytes:
        place, n_bytes = self.locate(name)
        try:
            with self._zip.open(self._infos[place]) as member:
                data = member.read(n_bytes + 1)
        except UNZIPPABLE as error:
            raise MemberRefused("damaged", DAMAGED, {"error": str(error)}) from error
        if len(data) != n_bytes:
            raise MemberRefused("damaged", DAMAGED, {"error": "the length of the file differs from its header"})
        return data

    def open(self, name: str) -> BinaryIO:
        place, _ = self._index[name] if name in self._index else self.locate(name)
        return cast(BinaryIO, self._zip.open(self._infos[place]))


def _name_of(info: zipfile.ZipInfo) -> str:
    """The member's name. Archives of macOS write UTF-8 without a word of it."""
    if info.flag_bits & IS_UTF8 or info.filename.isascii():
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _begins_as_zip(path: Path) -> bool:
    """Whether the file is a zip whose end is missing: the end has the list of its files."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\x03\x04"


def is_packed(path: Path) -> bool:
    """Whether the file is an archive, by its name or its content."""
    return is_archive(path.name) or (not is_table(path.name) and (zipfile.is_zipfile(path) or is_tar(path)))


def open_archive(path: Path, limits: Limits) -> Tar | Zip:
    """The archive at `path`. Raises SourceUnreadable where it is none that Connote reads."""
    if zipfile.is_zipfile(path) or _begins_as_zip(path):
        return Zip(path, limits)
    if path.name.lower().endswith((".rar", ".7z")):
        raise SourceUnreadable(OTHER_KIND, code="archive_kind")
    return Tar(path, limits)
