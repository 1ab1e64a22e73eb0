"""COCO captions: one JSON object with `licenses`, `images` and `annotations`, streamed a list at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.beside import PicturesBeside
from backend.catalogue.sources.columns import Naming, file_of, first_of, image_row
from backend.catalogue.sources.container import Container, Finder, faults_of, left_over
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import Record, read_json_array
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused
from backend.catalogue.sources.withdrawn import withdrawal_of
from backend.methods.tables import as_text

NO_IMAGE_ID = "The annotation has no image_id. Add one."
NO_CAPTION = "The annotation has no caption. Add one."


@dataclass(frozen=True)
class Coco:
    """See Table for `is_whole`."""

    container: Container
    name: str
    is_whole: bool = True
    layout: str = "coco"

    def images(self) -> Iterator[ImageRow | Refused]:
        used = {self.name}
        yield from self.container.problems if self.is_whole else ()
        yield from self.image_rows(used)
        if self.is_whole:
            yield from left_over(self.container, used)

    def image_rows(self, used: set[str]) -> Iterator[ImageRow | Refused]:
        """The images; the files that they name are added to `used`."""
        finder = Finder(self.container, str(PurePosixPath(self.name).parent), used, self.name)
        for record in self.records():
            yield record if isinstance(record, Refused) else image_row(*record, finder, Naming())

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """`line` counts the annotations."""
        if self.is_whole:
            yield from faults_of(self.container)
        yield from self.caption_rows()

    def caption_rows(self) -> Iterator[CaptionRow | Refused]:
        """The annotations, each with the file of its image: the project may know it by that alone."""
        files, beside = self._files(), PicturesBeside(self.container, self.name)
        for record in self._array("annotations"):
            row = record if isinstance(record, Refused) else _caption(*record, files)
            if isinstance(row, CaptionRow):
                row = replace(row, picture=beside.named(files.get(row.image_key) or row.image_key))
            yield row

    def records(self) -> Iterator[Record | Refused]:
        """The images as the file lists them, with their licences."""
        licences = self._licences()
        for record in self._array("images"):
            yield record if isinstance(record, Refused) else (record[0], _with_licence(record[1], licences))

    def _licences(self) -> dict[str, dict[str, Any]]:
        """The file's own list of licences by its ids, wherever in the file it stands."""
        records = self._array("licenses")
        return {as_text(record[1].get("id")): record[1] for record in records if not isinstance(record, Refused)}

    def _files(self) -> dict[str, str]:
        """The file names of the images by their ids, about 150 bytes an image."""
        records = (record[1] for record in self._array("images") if not isinstance(record, Refused))
        return {as_text(record.get("id")): file_of(record) for record in records}

    def _array(self, name: str) -> Iterator[Record | Refused]:
        with self.container.open(self.name) as file:
            yield from read_json_array(file, name)


def _with_licence(record: dict[str, Any], licences: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A number of the list becomes what the list says. A number of nothing names no licence."""
    value = as_text(record.get("license"))
    if (named := licences.get(value)) is not None:
        return record | {"license_url": as_text(named.get("url")), "license": as_text(named.get("name"))}
    return record | {"license": ""} if value.lstrip("-").isdecimal() else record


def _caption(line: int, record: dict[str, Any], files: dict[str, str]) -> CaptionRow | Refused:
    key, text = first_of(record, ("image_id",)), record.get("caption")
    if not key:
        return Refused(line, "", "no_image_id", NO_IMAGE_ID)
    if not isinstance(text, str):
        return Refused(line, printable(key), "annotation_without_caption", NO_CAPTION)
    if gone := withdrawal_of(line, key, record):
        return gone
    file = files.get(key, "")
    return CaptionRow(line, key, text, first_of(record, ("id", "caption_id")), names=(file,) if file else ())
