"""Where files lie: a folder, a zip, a tar. Names are relative, with slashes, and never lead outside."""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from backend.catalogue.sources.rows import LIMITS, SMALL_ENOUGH, Limits, Refused, UnreadableError

OUTSIDE = "This path leads out of the folder or archive it is in."


def is_outside(name: str) -> bool:
    """Whether a name climbs out, is absolute, or belongs to another kind of machine."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name.split("/")[0] or "\0" in name


class Container(Protocol):
    """Files by name. `refused` lists the members that are not even looked into."""

    refused: list[Refused]

    def names(self) -> list[str]:
        """The names of its files, in a settled order."""

    def read(self, name: str) -> bytes:
        """A file's bytes. Raises UnreadableError: missing, outside, too_large, bomb, damaged, encrypted."""

    def open(self, name: str) -> IO[bytes]:
        """A file as a stream, for metadata of any length. Raises UnreadableError."""


class Folder:
    """A folder on this machine. Links inside it are followed only as far as they stay inside."""

    def __init__(self, root: Path, limits: Limits = LIMITS) -> None:
        self.root, self.limits = root.resolve(), limits
        self.refused: list[Refused] = []

    def names(self) -> list[str]:
        files = (path for path in self.root.rglob("*") if path.is_file() and not _is_hidden(path, self.root))
        return sorted(path.relative_to(self.root).as_posix() for path in files)

    def _path(self, name: str) -> Path:
        path = (self.root / name).resolve() if "\0" not in name else self.root.parent
        if is_outside(name) or not path.is_relative_to(self.root):
            raise UnreadableError("outside", OUTSIDE)
        if not path.is_file():
            raise UnreadableError("missing", "There is no such file.")
        return path

    def read(self, name: str) -> bytes:
        path = self._path(name)
        if path.stat().st_size > self.limits.member_bytes:
            raise _too_large(self.limits.member_bytes)
        return path.read_bytes()

    def open(self, name: str) -> IO[bytes]:
        return self._path(name).open("rb")


class Zip:
    """A zip archive. Sizes are believed only as far as they are read."""

    def __init__(self, path: Path, limits: Limits = LIMITS) -> None:
        self.archive, self.limits = zipfile.ZipFile(path), limits
        self.refused: list[Refused] = []
        self.members = {
            info.filename: info for n, info in enumerate(self.archive.infolist(), 1) if self._takes(n, info)
        }

    def _takes(self, number: int, info: zipfile.ZipInfo) -> bool:
        if info.is_dir():
            return False
        if reason := self._why_not(number, info):
            self.refused.append(Refused(number, info.filename[:300], *reason))
        return not reason

    def _why_not(self, number: int, info: zipfile.ZipInfo) -> tuple[str, str] | None:
        if number > self.limits.members:
            return "bomb", f"The archive holds more than {self.limits.members:,} files."
        if is_outside(info.filename):
            return "outside", OUTSIDE
        if stat.S_ISLNK(info.external_attr >> 16):
            return "not_a_file", "This is a link, not a file."
        if info.flag_bits & 0x1:
            return "encrypted", "This file is encrypted. Make the archive without a password."
        if info.file_size > max(SMALL_ENOUGH, self.limits.compression * info.compress_size):
            return "bomb", f"It unpacks to more than {self.limits.compression} times its size."
        return None

    def names(self) -> list[str]:
        return sorted(name for name in self.members if not _is_hidden(Path(name), Path()))

    def read(self, name: str) -> bytes:
        with self.open(name) as file, _told_apart():
            data = file.read(self.limits.member_bytes + 1)
        if len(data) > self.limits.member_bytes:
            raise _too_large(self.limits.member_bytes)
        return data

    def open(self, name: str) -> IO[bytes]:
        if is_outside(name):
            raise UnreadableError("outside", OUTSIDE)
        if name not in self.members:
            raise UnreadableError("missing", "There is no such file in the archive.")
        with _told_apart():
            return self.archive.open(self.members[name])


class Tar:
    """A plain tar read by name. A compressed one is only read from front to back, as a WebDataset."""

    def __init__(self, path: Path, limits: Limits = LIMITS) -> None:
        self.archive, self.limits = tarfile.open(path, "r:"), limits  # noqa: SIM115  (open as long as the source is)
        self.refused: list[Refused] = []
        self.members = {member.name: member for member in self._members()}

    def _members(self) -> Iterator[tarfile.TarInfo]:
        for number, member in enumerate(members_of(self.archive, self.refused), start=1):
            if reason := why_not_member(number, member, self.limits):
                self.refused.append(Refused(number, member.name[:300], *reason))
            elif member.isfile():
                yield member

    def names(self) -> list[str]:
        return sorted(name for name in self.members if not _is_hidden(Path(name), Path()))

    def read(self, name: str) -> bytes:
        with self.open(name) as file, _told_apart():
            return read_whole(file, self.members[name])

    def open(self, name: str) -> IO[bytes]:
        if is_outside(name):
            raise UnreadableError("outside", OUTSIDE)
        if name not in self.members:
            raise UnreadableError("missing", "There is no such file in the archive.")
        with _told_apart():
            file = self.archive.extractfile(self.members[name])
        if file is None:
            raise UnreadableError("not_a_file", "This is a link, not a file.")
        return file


def members_of(archive: tarfile.TarFile, refused: list[Refused]) -> Iterator[tarfile.TarInfo]:
    """The members of a tar, up to where it breaks off; the break is listed in `refused`."""
    number = 0
    try:
        for member in archive:
            number += 1
            yield member
    except (tarfile.TarError, EOFError, OSError, zipfile.BadZipFile) as error:
        message = (
            f"The archive breaks off after its member {number} ({type(error).__name__}); what came before is kept."
        )
        refused.append(Refused(number + 1, "", "truncated_archive", message))


def why_not_member(number: int, member: tarfile.TarInfo, limits: Limits) -> tuple[str, str] | None:
    """Why a tar's member is not looked into; None where it is a folder or a file that can be read."""
    if number > limits.members:
        return "bomb", f"The archive holds more than {limits.members:,} files."
    if is_outside(member.name):
        return "outside", OUTSIDE
    if not (member.isfile() or member.isdir()):
        return "not_a_file", "This is a link or a device, not a file."
    if member.size > limits.member_bytes:
        return "too_large", _too_large(limits.member_bytes).message
    return None


def read_whole(file: IO[bytes], member: tarfile.TarInfo) -> bytes:
    """The member's bytes. Raises UnreadableError where the archive ends before they do."""
    data = file.read()
    if len(data) != member.size:
        raise UnreadableError("truncated", "The archive ends in the middle of this file.")
    return data


@contextmanager
def _told_apart() -> Iterator[None]:
    """An archive's own errors, in words."""
    try:
        yield
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise UnreadableError("damaged", f"The archive is damaged here ({type(error).__name__}).") from error
    except RuntimeError as error:  # zipfile says so of a password
        raise UnreadableError("encrypted", "This file is encrypted. Make the archive without a password.") from error


def _too_large(limit: int) -> UnreadableError:
    return UnreadableError("too_large", f"The file is larger than {limit // 2**20:,} MB.")


def _is_hidden(path: Path, root: Path) -> bool:
    """Dot files, and what a Mac leaves in archives."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.relative_to(root).parts)
