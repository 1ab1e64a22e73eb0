"""Bare pictures in a folder or an archive: their paths are their ids, and the run's default licence is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.catalogue.sources.columns import MAX_KEY, reader
from backend.catalogue.sources.container import Container, Member
from backend.catalogue.sources.names import is_archive, is_beside, printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused
from backend.catalogue.sources.webdataset import NESTED


@dataclass(frozen=True)
class Files:
    container: Container
    layout: str = "files"

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.problems
        for member in self.container.members():
            if not is_beside(member.name):
                yield self._row(member)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """Bare pictures say nothing."""
        return iter(())

    def _row(self, member: Member) -> ImageRow | Refused:
        if is_archive(member.name):
            return Refused(member.line, printable(member.name), "nested_archive", NESTED)
        if len(member.name) > MAX_KEY:
            message = f"The path has more than {MAX_KEY} characters. Shorten it."
            return Refused(member.line, printable(member.name), "key_too_long", message)
        return ImageRow(member.line, member.name, member.name, reader(self.container.read, member.name))
