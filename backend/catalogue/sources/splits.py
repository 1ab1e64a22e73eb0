"""Several tables of one dataset: one for each of its splits, as captions_train2017.json and captions_val2017.json, or
one of its images and one of its captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.catalogue.sources.beside import PicturesBeside
from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.columns import caption_rows, file_of
from backend.catalogue.sources.container import Container, faults_of, left_over
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused, refused_in, told_of_file
from backend.catalogue.sources.table import Table


@dataclass(frozen=True)
class Splits:
    container: Container
    parts: tuple[Coco | Table, ...]

    @property
    def layout(self) -> str:
        return self.parts[0].layout

    def images(self) -> Iterator[ImageRow | Refused]:
        used = {part.name for part in self.parts}
        yield from self.container.problems
        for part in self.parts:
            yield from (told_of_file(row, part.name) for row in part.image_rows(used))
        yield from left_over(self.container, used)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        yield from faults_of(self.container)
        for part in self.parts:
            yield from (told_of_file(row, part.name) for row in part.caption_rows())


@dataclass(frozen=True)
class Described:
    """A table with the ids and files of images, and a table with captions by these ids."""

    container: Container
    pictures: Table
    words: Table
    layout: str = "table"

    def images(self) -> Iterator[ImageRow | Refused]:
        used = {self.pictures.name, self.words.name}
        yield from self.container.problems
        for row in self.pictures.image_rows(used):
            yield told_of_file(row, self.pictures.name)
        yield from left_over(self.container, used)

    def captions(self) -> Iterator[CaptionRow | Refused]:
        yield from faults_of(self.container)
        files, beside = self._files(), PicturesBeside(self.container, self.pictures.name)
        for record in self.words.records():
            if isinstance(record, Refused):
                yield refused_in(self.words.name, record)
                continue
            file = files.get(self.words.naming.id_of(record[1]), "")
            for row in caption_rows(*record, self.words.naming, beside.named(file)):
                yield told_of_file(row, self.words.name)

    def _files(self) -> dict[str, str]:
        """The files of the images by their ids, about 150 bytes an image."""
        records = (record[1] for record in self.pictures.records() if not isinstance(record, Refused))
        return {self.pictures.naming.id_of(record): file_of(record) for record in records}
