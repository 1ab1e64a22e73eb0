"""A folder, or something that can be walked and read like one."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from backend.catalogue.sources.names import is_hidden, printable, safe_name
from backend.catalogue.sources.rows import Limits, MemberRefused, Refused

MISSING = "The source has no file {name!r}. Fix the path, or add the file."
LINK = "Connote does not follow a link to a folder. Put the folder itself here."
BAD_NAME = "The name of the file is not UTF-8. Rename it."
TOO_LARGE = "{name!r} has {n:,} bytes. At most {limit:,} are allowed. Make it smaller."


@dataclass(frozen=True)
class Member:
    """A file of a container; `line` counts its members from 1."""

    line: int
    name: str
    n_bytes: int


class Container(Protocol):
    """Named files. Names are safe relative paths; a member that is not fit to be read is a problem instead."""

    limits: Limits

    def members(self) -> Iterator[Member]: ...

    @property
    def problems(self) -> list[Refused]: ...

    def has(self, name: str) -> bool: ...

    def read(self, name: str) -> bytes: ...

    def open(self, name: str) -> BinaryIO: ...


class Folder:
    """A folder on disk. Links inside it are followed only to places inside it."""

    def __init__(self, root: Path, limits: Limits) -> None:
        self.root, self.limits = root.resolve(), limits

    def members(self) -> Iterator[Member]:
        """Every regular file, in the order of names."""
        line = 0
        for folder, subfolders, files in os.walk(self.root):
            subfolders.sort()
            for file in sorted(files):
                name = (Path(folder) / file).relative_to(self.root).as_posix()
                if not is_hidden(name) and _is_utf8(name):
                    line += 1
                    yield Member(line, name, 0)

    @cached_property
    def problems(self) -> list[Refused]:
        """Files whose names no database can hold, and links to folders, which are not followed."""
        found = []
        for folder, subfolders, files in os.walk(self.root):
            subfolders.sort()
            odd = (name for name in sorted(files) if not _is_utf8(name))
            found += [Refused(None, printable(name), "bad_name", BAD_NAME) for name in odd]
            links = (name for name in subfolders if (Path(folder) / name).is_symlink())
            found += [Refused(None, printable(name), "link", LINK) for name in links]
        return found

    def has(self, name: str) -> bool:
        try:
            return bool(self.path_of(name))
        except MemberRefused as refused:
            if refused.code == "missing_file":
                return False
            raise

    def read(self, name: str) -> bytes:
        path = self.path_of(name)
        with path.open("rb") as file:
            data = file.read(self.limits.max_member_bytes + 1)
        if len(data) > self.limits.max_member_bytes:
            raise too_large(name, path.stat().st_size, self.limits)
        return data

    def open(self, name: str) -> BinaryIO:
        return self.path_of(name).open("rb")

    def path_of(self, name: str) -> Path:
        """The file itself. Raises MemberRefused where it is none, or lies elsewhere."""
        path = self.root / safe_name(name)
        try:
            real = path.resolve(strict=True)
            is_file = stat.S_ISREG(real.stat().st_mode)
        except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
            raise missing(name) from error
        if not real.is_relative_to(self.root):
            raise MemberRefused("climbs_out", f"{name!r} is a link to a place outside the folder. Put the file here.")
        if not is_file:
            raise MemberRefused("not_a_file", f"{name!r} is not a normal file. Put a file there.")
        return real


def _is_utf8(name: str) -> bool:
    return max(name, default="") < "\udc80" or not any("\udc80" <= letter <= "\udcff" for letter in name)


def missing(name: str) -> MemberRefused:
    return MemberRefused("missing_file", MISSING.format(name=printable(name)))


def too_large(name: str, n_bytes: int, limits: Limits) -> MemberRefused:
    return MemberRefused("too_large", TOO_LARGE.format(name=name, n=n_bytes, limit=limits.max_member_bytes))


class Finder:
    """Finds the file a row means: by its path beside the table, else by its name or its stem, wherever it lies."""

    def __init__(self, container: Container, base: str) -> None:
        self.container, self.base = container, PurePosixPath(base)

    def find(self, name: str) -> str:
        """The container's name for `name`. Raises MemberRefused where there is none, or where it leads out."""
        plain = safe_name(name)
        for candidate in dict.fromkeys((str(self.base / plain), plain)):
            if self.container.has(candidate):
                return candidate
        wanted = PurePosixPath(plain)
        found = self._by_name.get(wanted.name) or self._by_stem.get(wanted.name)
        if not found or not self.container.has(found):
            raise missing(name)
        return found

    @cached_property
    def _by_name(self) -> dict[str, str]:
        """Where each file name occurs; empty text for one that occurs twice, which nobody can mean."""
        found: dict[str, str] = {}
        for member in self.container.members():
            name = PurePosixPath(member.name).name
            found[name] = "" if name in found else member.name
        return found

    @cached_property
    def _by_stem(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, member in self._by_name.items():
            stem = PurePosixPath(name).stem
            found[stem] = "" if stem in found else member
        return found
