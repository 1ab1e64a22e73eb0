"""Layout `files`: pictures and nothing else; each is called by its path."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath

from backend.catalogue.sources.containers import Container
from backend.catalogue.sources.rows import CaptionRow, ImageRow, Refused

# Only for choosing which files to look at: what a picture is, its content decides.
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".tif", ".tiff", ".bmp", ".avif", ".heic", ".jp2", ".svg")


def has_picture_name(name: str) -> bool:
    """Whether the file's name ends like a picture's."""
    return name.lower().endswith(ENDINGS)


class Files:
    """Every file of a container that is named like a picture."""

    layout = "files"

    def __init__(self, container: Container) -> None:
        self.container = container

    def images(self) -> Iterator[ImageRow | Refused]:
        yield from self.container.refused
        for number, name in enumerate(self.container.names(), start=1):
            if has_picture_name(name):
                key = PurePosixPath(name).with_suffix("").as_posix()
                yield ImageRow(number, key, name, partial(self.container.read, name))

    def captions(self) -> Iterator[CaptionRow | Refused]:
        yield Refused(None, "", "no_caption", "There are only pictures here: captions need a metadata file.")
