"""Several tables of one dataset, one for each of its splits: captions_train2017.json and captions_val2017.json."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from backend.catalogue.sources.coco import Coco
from backend.catalogue.sources.container import Container, faults_of, left_over
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused, told_of_file
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
