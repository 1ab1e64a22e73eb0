"""Layout `coco`: COCO captions JSON with `images`, `annotations` and `licenses`; pictures lie beside it or in a folder.

The file is read as a stream, so that one of any size needs little memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import PurePosixPath

from backend.catalogue.sources.containers import OUTSIDE, Container, is_outside
from backend.catalogue.sources.files import has_picture_name
from backend.catalogue.sources.metadata import Fields, stream_items, text_of
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused
from backend.catalogue.sources.table import image_row


class Coco:
    """One COCO captions file in a container."""

    layout = "coco"

    def __init__(self, container: Container, metadata: str) -> None:
        self.container, self.metadata = container, metadata

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.refused
        licences = self._licences()
        for row in self._items("images.item"):
            yield row if isinstance(row, Refused) else self._image(*row, licences)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        for row in self._items("annotations.item"):
            yield row if isinstance(row, Refused) else self._caption(*row)

    def _items(self, prefix: str) -> Iterator[tuple[int, Fields] | Refused]:
        with self.container.open(self.metadata) as file:
            yield from stream_items(file, prefix)

    def _licences(self) -> dict[str, str]:
        """The address, or else the name, of each licence by its number."""
        rows = [row for row in self._items("licenses.item") if not isinstance(row, Refused)]
        return {str(fields.get("id")): str(fields.get("url") or fields.get("name") or "") for _, fields in rows}

    def _image(self, number: int, fields: Fields, licences: dict[str, str]) -> ImageRow | Refused:
        file, key = text_of(fields, "file"), text_of(fields, "key")
        if is_outside(file):
            return Refused(number, file[:300], "outside", OUTSIDE)
        name = self._place.get(PurePosixPath(file).name, file)
        licence = licences.get(str(fields.get("license")), "")
        return image_row(number, key, name, partial(self.container.read, name), {**fields, "license": licence})

    def _caption(self, number: int, fields: Fields) -> CaptionRow | Refused:
        key, text = str(fields.get("image_id", "")), fields.get("caption")
        if not key or not isinstance(text, str):
            return Refused(number, key[:300], "malformed", "An annotation needs image_id and caption.")
        return CaptionRow(number, key, text, text_of(fields, "caption_key"))

    @cached_property
    def _place(self) -> dict[str, str]:
        """Where each picture lies: COCO gives bare file names of pictures that often stand in a folder (val2017)."""
        return {PurePosixPath(name).name: name for name in self.container.names() if has_picture_name(name)}
