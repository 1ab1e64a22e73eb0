"""Bare pictures in a folder or an archive: their paths are their ids, and the run's default licence is theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from backend.catalogue.sources.columns import MAX_KEY, reader
from backend.catalogue.sources.container import Container, Member, faults_of, key_too_long, nested, not_needed
from backend.catalogue.sources.names import SPREADSHEETS, is_archive, is_beside, printable
from backend.catalogue.sources.records import refused_of
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused
from backend.methods.image_names import ENDINGS
from backend.methods.tables import Fault

NO_CAPTIONS = "Connote found no captions of images in this file."
IN_XML = "Connote does not read captions from XML. Export them as COCO, Datumaro, CSV or JSON."


@dataclass(frozen=True)
class Files:
    container: Container
    layout: str = "files"

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.problems
        for member in self.container.members():
            yield self._row(member)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """Bare pictures say nothing. A file beside them that may hold captions is named."""
        yield from faults_of(self.container)
        for member in self.container.members():
            if is_archive(member.name):
                yield nested(member.line, member.name)
            elif member.name.lower().endswith(SPREADSHEETS):
                yield refused_of(Fault(member.line, member.name, "old_spreadsheet"))
            elif member.name.lower().endswith(".xml"):
                yield Refused(member.line, printable(member.name), "captions_in_xml", IN_XML)
            elif PurePosixPath(member.name).suffix.lower() not in ENDINGS:
                yield Refused(member.line, printable(member.name), "no_captions_here", NO_CAPTIONS, is_ignored=True)

    def _row(self, member: Member) -> ImageRow | Refused:
        if is_archive(member.name):
            return nested(member.line, member.name)
        if member.name.lower().endswith(SPREADSHEETS):
            return refused_of(Fault(member.line, member.name, "old_spreadsheet"))
        if is_beside(member.name):
            return not_needed(member.line, member.name)
        if len(member.name) > MAX_KEY:
            return key_too_long(member.line, member.name, MAX_KEY)
        return ImageRow(member.line, member.name, member.name, reader(self.container.read, member.name))
