"""A folder, or something that can be walked and read like one."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Protocol

from backend.catalogue.sources.names import is_archive, is_beside, is_hidden, printable, safe_name
from backend.catalogue.sources.rows import Limits, MemberRefused, Refused
from backend.methods.image_names import Meant, NameIndex, Several, Unknown

MISSING = "The source has no file {name}. Correct the path, or add the file."
NEAR = "The source has no file {name}. Did you mean {near}?"
SEVERAL = "The source has several files with the name {name}: {names}. Write the path."
KEY_TOO_LONG = "The id of the image has more than {most} characters. Shorten it."
DUPLICATE = "The archive has this name twice. Connote kept the first file."
SPLIT = re.compile(r"(?<![A-Za-z])(train|val|valid|validation|dev|test)[0-9]*(?![A-Za-z])")
HIDDEN = "The file is hidden, so the import left it out."
NESTED = "Connote does not open this archive in the source. Unpack it, or import it alone."
NOT_NEEDED = "The import does not need this file."
IN_NO_ROW = "No row of the table names this image."
LINK = "Connote does not follow a link to a folder. Put the folder itself here."
BAD_NAME = "The file has a name that Connote cannot use. Use UTF-8 and at most 1,000 characters."
TOO_LARGE = "The file {name} has {n} bytes. At most {limit} are allowed. Make it smaller."
LEADS_OUT = "{name} is a link to a place outside the folder. Put the file here."
NO_FILE = "{name} is not a normal file. Put a file there."


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
        for _, names in self._walk():
            for name in names:
                if not is_hidden(name) and _is_utf8(name):
                    line += 1
                    yield Member(line, name, 0)

    def _walk(self) -> Iterator[tuple[list[str], list[str]]]:
        """The names of the folders and files in each folder, as paths. A folder can have a million of them."""
        for folder, subfolders, files in os.walk(self.root):
            subfolders.sort()
            place = Path(folder).relative_to(self.root).as_posix()
            before = "" if place == "." else f"{place}/"
            yield [before + name for name in subfolders], [before + name for name in sorted(files)]

    def archives_beside(self) -> tuple[str, ...]:
        """The archives in the folder itself, without a look at the other files and folders in it."""
        names = sorted(filter(is_archive, os.listdir(self.root)))  # noqa: PTH208  # a path for each file takes long
        fitting = (name for name in names if not is_hidden(name) and _is_utf8(name))
        return tuple(name for name in fitting if (self.root / name).is_file())

    @cached_property
    def problems(self) -> list[Refused]:
        """Files whose names no database can hold, hidden files, and links to folders, which are not followed."""
        found = []
        for folders, files in self._walk():
            found += [hidden(None, name) for name in files if is_hidden(name) and _is_utf8(name)]
            odd = (name for name in files if not _is_utf8(name))
            found += [Refused(None, printable(name), "file_name_unfit", BAD_NAME) for name in odd]
            links = (name for name in folders if (self.root / name).is_symlink())
            found += [Refused(None, printable(name), "link_to_folder", LINK) for name in links]
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
            raise MemberRefused("link_leads_out", LEADS_OUT, {"name": printable(name)})
        if not is_file:
            raise MemberRefused("not_normal_file", NO_FILE, {"name": printable(name)})
        return real


def _is_utf8(name: str) -> bool:
    return max(name, default="") < "\udc80" or not any("\udc80" <= letter <= "\udcff" for letter in name)


def hidden(line: int | None, name: str) -> Refused:
    """A file that a desktop left behind."""
    return Refused(line, printable(name), "hidden_file", HIDDEN, is_ignored=True)


def nested(line: int, name: str) -> Refused:
    """An archive in the source that is not opened."""
    return Refused(line, printable(name), "nested_archive", NESTED)


def not_needed(line: int, name: str) -> Refused:
    """A file that no import reads."""
    return Refused(line, printable(name), "not_needed", NOT_NEEDED, is_ignored=True)


def key_too_long(line: int, name: str, most: int) -> Refused:
    """A picture whose id or path the table of images cannot hold."""
    return Refused(line, printable(name), "key_too_long", KEY_TOO_LONG, {"most": most})


def duplicate(line: int | None, name: str) -> Refused:
    """The second file of a name in an archive."""
    return Refused(line, printable(name), "duplicate_name", DUPLICATE)


def faults_of(container: Container) -> Iterator[Refused]:
    """The problems that are faults; files that are merely not needed are left out."""
    return (problem for problem in container.problems if not problem.is_ignored)


def left_over(container: Container, used: set[str]) -> Iterator[Refused]:
    """The members that no row used: each is ignored with a reason, and a packed one in an archive refused."""
    for member in container.members():
        if member.name in used:
            continue
        if is_archive(member.name):
            yield nested(member.line, member.name)
        elif is_beside(member.name):
            yield not_needed(member.line, member.name)
        else:
            yield Refused(member.line, printable(member.name), "in_no_row", IN_NO_ROW, is_ignored=True)


def missing(name: str) -> MemberRefused:
    return MemberRefused("missing_file", MISSING, {"name": printable(name)})


def too_large(name: str, n_bytes: int, limits: Limits) -> MemberRefused:
    return MemberRefused(
        "member_too_large", TOO_LARGE, {"name": printable(name), "n": n_bytes, "limit": limits.max_member_bytes}
    )


class Finder:
    """Finds the file that a row means: by its path beside the table, else by the rules of methods/image_names.py.

    The files that were found are added to `used`. Where several can be meant, the one in the folder of the split is
    that the name of the `table` has, as val2017 in captions_val2017.json.
    """

    def __init__(self, container: Container, base: str, used: set[str] | None = None, table: str = "") -> None:
        self.container, self.base = container, PurePosixPath(base)
        split = SPLIT.search(PurePosixPath(table).stem)
        self._split = split[0] if split else ""
        self.used = set() if used is None else used

    def find(self, name: str) -> str:
        """The container's name for `name`. Raises MemberRefused where there is none or not only one, or a bad path."""
        found = self._find(name, lambda asked: self._names.find(asked))
        self.used.add(found)
        return found

    def find_if_there(self, name: str) -> str | None:
        """The container's name for `name`; None where it means no file, or not only one."""
        try:
            return self._find(name, lambda asked: self._names.fitting(asked))
        except MemberRefused:
            return None

    def has_path(self, name: str) -> bool:
        """Whether `name` is the path of a file, beside the table or from the root of the source."""
        try:
            return bool(self._as_written(safe_name(name)))
        except MemberRefused:
            return False

    def _find(self, name: str, ask: Callable[[str], Meant[str] | Several | Unknown]) -> str:
        unsafe = None
        try:
            if as_written := self._as_written(safe_name(name)):
                return as_written
        except MemberRefused as refused:
            if refused.code != "climbs_out":
                raise
            unsafe = refused  # a path of another machine: only its end can mean a file of this source
        found = ask(name)
        if isinstance(found, Several) and self._split:
            found = ask(f"{self._split}/{name}")
        if isinstance(found, Meant) and self.container.has(found.target):
            return found.target
        raise _not_found(name, found) or unsafe or missing(name)

    def _as_written(self, plain: str) -> str:
        """The file of exactly this path, beside the table or from the root of the source; empty where there is none."""
        places = dict.fromkeys((str(self.base / plain), plain))
        return next((place for place in places if self.container.has(place)), "")

    @cached_property
    def _names(self) -> NameIndex[str]:
        """All files that can be images. They are listed only when a row names none by its path."""
        names = (member.name for member in self.container.members())
        return NameIndex((name, name) for name in names if not is_beside(name) and not is_archive(name))


def _not_found(name: str, found: Meant[str] | Several | Unknown) -> MemberRefused | None:
    """Why a name means no file, where there is more to say than that."""
    if isinstance(found, Several):
        return MemberRefused("file_several", SEVERAL, {"name": printable(name), "names": ", ".join(found.names)})
    if isinstance(found, Unknown) and found.near:
        return MemberRefused("missing_file_near", NEAR, {"name": printable(name), "near": ", ".join(found.near)})
    return None
