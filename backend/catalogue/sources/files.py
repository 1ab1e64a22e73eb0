"""Bare pictures in a folder or an archive: their paths are their ids, and the run's default licence is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.catalogue.sources.columns import KEY_TOO_LONG, MAX_KEY, reader
from backend.catalogue.sources.container import NESTED, NOT_NEEDED, Container, Member
from backend.catalogue.sources.names import is_archive, is_beside, printable
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused


@dataclass(frozen=True)
class Files:
    container: Container
    layout: str = "files"

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.problems
        for member in self.container.members():
            yield self._row(member)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """Bare pictures say nothing."""
        return iter(())

    def _row(self, member: Member) -> ImageRow | Refused:
        name = printable(member.name)
        if is_archive(member.name):
            return Refused(member.line, name, "nested_archive", NESTED)
        if is_beside(member.name):
            return Refused(member.line, name, "not_needed", NOT_NEEDED, is_ignored=True)
        if len(member.name) > MAX_KEY:
            return Refused(member.line, name, "key_too_long", KEY_TOO_LONG, {"most": MAX_KEY})
        return ImageRow(member.line, member.name, member.name, reader(self.container.read, member.name))
