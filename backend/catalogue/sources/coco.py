"""COCO captions: one JSON object with `licenses`, `images` and `annotations`, streamed a list at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.columns import as_text, first_of, image_row
from backend.catalogue.sources.container import Container, Finder
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import Record, read_json_array
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused


@dataclass(frozen=True)
class Coco:
    container: Container
    name: str
    layout: str = "coco"

    def images(self) -> Iterator[ImageRow | Refused]:
        finder = Finder(self.container, str(PurePosixPath(self.name).parent))
        licences = self._licences()
        yield from self.container.problems
        for record in self._array("images.item"):
            if isinstance(record, Refused):
                yield record
            else:
                yield image_row(record[0], _with_licence(record[1], licences), finder)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """`line` counts the annotations."""
        yield from self.container.problems
        for record in self._array("annotations.item"):
            yield record if isinstance(record, Refused) else _caption(*record)

    def records(self) -> Iterator[Record | Refused]:
        """The images as the file lists them."""
        yield from self._array("images.item")

    def _licences(self) -> dict[str, dict[str, Any]]:
        """The file's own list of licences by its ids, wherever in the file it stands."""
        records = self._array("licenses.item")
        return {as_text(record[1].get("id")): record[1] for record in records if not isinstance(record, Refused)}

    def _array(self, prefix: str) -> Iterator[Record | Refused]:
        with self.container.open(self.name) as file:
            yield from read_json_array(file, prefix)


def _with_licence(record: dict[str, Any], licences: dict[str, dict[str, Any]]) -> dict[str, Any]:
    named = licences.get(as_text(record.get("license")))
    if named is None:
        return record
    return record | {"license_url": as_text(named.get("url")), "license": as_text(named.get("name"))}


def _caption(line: int, record: dict[str, Any]) -> CaptionRow | Refused:
    key, text = first_of(record, ("image_id",)), record.get("caption")
    if not key:
        return Refused(line, "", "no_key", "The annotation has no image_id. Add one.")
    if not isinstance(text, str):
        return Refused(line, printable(key), "no_caption", "The annotation has no caption. Add one.")
    return CaptionRow(line, key, text, first_of(record, ("id", "caption_id")))
