"""Layout `table`: one metadata file, a row for each picture. `imagefolder` is a table in every folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.containers import OUTSIDE, Container, is_outside
from backend.catalogue.sources.files import has_picture_name
from backend.catalogue.sources.metadata import Fields, field_of, read_rows, text_of
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused


class Table:
    """Rows of `metadata` files in a container; file names are relative to the metadata file's own folder."""

    layout = "table"

    def __init__(self, container: Container, metadata: list[str]) -> None:
        self.container, self.metadata = container, metadata

    def images(self) -> Iterator[ImageRow | Refused]:
        """One row per picture, in the files' order."""
        yield from self.container.refused
        for name, line, fields in self._rows():
            yield self._image(name, line, fields) if line else fields

    def captions(self) -> Iterator[CaptionRow | Refused]:
        """One row per caption; a row may hold one caption, a list of texts, or a list of {text, caption_id}."""
        for _, line, fields in self._rows():
            if line:
                yield from captions_of(line, fields)
            else:
                yield fields

    def _rows(self) -> Iterator[tuple[str, int, Any]]:
        """(metadata file, line, fields); line 0 carries a Refused instead of fields."""
        for name in self.metadata:
            with self.container.open(name) as file:
                for row in read_rows(file, name):
                    yield (name, 0, row) if isinstance(row, Refused) else (name, *row)

    def _image(self, metadata: str, line: int, fields: Fields) -> ImageRow | Refused:
        file = text_of(fields, "file") or self._file_by_id.get(text_of(fields, "key"), "")
        if not file:
            return Refused(
                line, text_of(fields, "key")[:300], "missing", "The row names no file, and none bears its id."
            )
        if is_outside(file):
            return Refused(line, file[:300], "outside", OUTSIDE)
        name = (PurePosixPath(metadata).parent / file).as_posix()
        return image_row(line, key_of(fields, file), name, partial(self.container.read, name), fields)

    @cached_property
    def _file_by_id(self) -> dict[str, str]:
        """Pictures by their name without its ending, for tables that only give ids. Asked for only when needed."""
        pictures = (name for name in self.container.names() if has_picture_name(name))
        return {PurePosixPath(name).stem: name for name in pictures}


def key_of(fields: Fields, file: str) -> str:
    """The picture's id; where the row gives none, its path without the ending."""
    return text_of(fields, "key") or PurePosixPath(file).with_suffix("").as_posix()


def image_row(line: int | None, key: str, name: str, read: Any, fields: Fields) -> ImageRow:
    """The row with whatever the metadata says about licence and maker."""
    return ImageRow(
        line=line,
        key=key,
        name=name,
        read=read,
        licence=text_of(fields, "licence"),
        author=text_of(fields, "author"),
        title=text_of(fields, "title"),
        source_url=text_of(fields, "source_url"),
        attribution=text_of(fields, "attribution"),
    )


def captions_of(line: int, fields: Fields) -> Iterator[CaptionRow | Refused]:
    """The captions of one metadata row."""
    key = key_of(fields, text_of(fields, "file")) if text_of(fields, "file") or text_of(fields, "key") else ""
    found = field_of(fields, "captions")
    if not key:
        yield Refused(line, "", "missing", "The row names no image: it needs an id or a file name.")
    elif found is None:
        yield Refused(
            line, key[:300], "no_caption", "The row holds no caption: it needs a column caption, captions or text."
        )
    else:
        for entry in found if isinstance(found, list) else [found]:
            yield _caption(line, key, entry)


def _caption(line: int, key: str, entry: Any) -> CaptionRow | Refused:
    if isinstance(entry, str):
        return CaptionRow(line, key, entry)
    text = field_of(entry, "captions") if isinstance(entry, dict) else None
    if isinstance(text, str):
        return CaptionRow(line, key, text, text_of(entry, "caption_key"))
    return Refused(line, key[:300], "malformed", "A caption must be text, or an object with a text.")
