"""A folder with archives in it as one container: what they hold lies beside the other files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import PurePosixPath
from typing import BinaryIO

from backend.catalogue.sources.archives import Tar, Zip, open_archive
from backend.catalogue.sources.container import Folder, Member, duplicate, missing
from backend.catalogue.sources.names import is_archive, printable
from backend.catalogue.sources.rows import MemberRefused, Refused, SourceUnreadable, refused_in

Place = tuple[Tar | Zip, str]  # an archive and a name in it


class Joined:
    """The files of a folder and the members of its archives, which are opened when the first of them is asked for.

    The members of `photos.zip` are called `photos/...`, also where the archive itself has no folder of that name.
    """

    def __init__(self, folder: Folder, archives: tuple[str, ...]) -> None:
        self.folder, self.limits, self._archives = folder, folder.limits, archives

    def members(self) -> Iterator[Member]:
        """The files of the folder, then those of the archives. `line` counts over all of them."""
        line = 0
        for member in self.folder.members():
            if member.name not in self._opened:
                line += 1
                yield replace(member, line=line)
        for name, (archive, inner) in self._places.items():
            line += 1
            yield Member(line, name, archive.locate(inner)[1] if archive.has(inner) else 0)

    @property
    def problems(self) -> list[Refused]:
        """Those of the folder and of each archive, and archives that cannot be read."""
        found = list(self.folder.problems)
        for name, archive in self._opened.items():
            if isinstance(archive, SourceUnreadable):
                found.append(Refused(None, printable(name), archive.error_code, archive.message, archive.params))
            else:
                found += [refused_in(name, each) for each in archive.problems]
        if self._places:
            found += [duplicate(None, name) for name in self._twice]
        return found

    def has(self, name: str) -> bool:
        return self.folder.has(name) or name in self._places

    def read(self, name: str) -> bytes:
        if self.folder.has(name):
            return self.folder.read(name)
        archive, inner = self._place_of(name)
        return archive.read(inner)

    def open(self, name: str) -> BinaryIO:
        if self.folder.has(name):
            return self.folder.open(name)
        archive, inner = self._place_of(name)
        return archive.open(inner)

    def _place_of(self, name: str) -> Place:
        if name not in self._places:
            raise missing(name)
        return self._places[name]

    @cached_property
    def _opened(self) -> dict[str, Tar | Zip | SourceUnreadable]:
        opened: dict[str, Tar | Zip | SourceUnreadable] = {}
        for name in self._archives:
            try:
                opened[name] = open_archive(self.folder.path_of(name), self.limits)
            except SourceUnreadable as error:
                opened[name] = error
            except (OSError, MemberRefused):
                continue  # the report lists it as a file that is not opened
        return opened

    @cached_property
    def _places(self) -> dict[str, Place]:
        found: dict[str, Place] = {}
        self._twice: list[str] = []
        for name, archive in self._opened.items():
            if not isinstance(archive, SourceUnreadable):
                for member in archive.members():
                    if (mounted := _mounted(name, member.name)) in found:
                        self._twice.append(f"{name}: {member.name}")
                    else:
                        found[mounted] = (archive, member.name)
        return found


def _mounted(archive: str, member: str) -> str:
    """The name of a member beside the other files."""
    path = PurePosixPath(archive)
    stem = path.name.split(".", 1)[0]
    is_named = PurePosixPath(member).parts[0] == stem
    return str(path.parent / member if is_named else path.parent / stem / member)


def archives_in(folder: Folder, *, below: bool) -> tuple[str, ...]:
    """The archives of the folder, with `below` also those of its folders."""
    return (
        tuple(filter(is_archive, (member.name for member in folder.members()))) if below else folder.archives_beside()
    )


def opened(folder: Folder, *, below: bool = True) -> Folder | Joined:
    """The folder together with its archives, if it has any."""
    archives = archives_in(folder, below=below)
    return Joined(folder, archives) if archives else folder


class Rest:
    """Some files of a folder, for example those that lie beside its archives."""

    def __init__(self, folder: Folder, names: tuple[str, ...]) -> None:
        self.folder, self.limits, self._names = folder, folder.limits, frozenset(names)

    def members(self) -> Iterator[Member]:
        kept = (member for member in self.folder.members() if member.name in self._names)
        return (replace(member, line=line) for line, member in enumerate(kept, start=1))

    @property
    def problems(self) -> list[Refused]:
        return self.folder.problems

    def has(self, name: str) -> bool:
        return name in self._names and self.folder.has(name)

    def read(self, name: str) -> bytes:
        return self.folder.read(name)

    def open(self, name: str) -> BinaryIO:
        return self.folder.open(name)
