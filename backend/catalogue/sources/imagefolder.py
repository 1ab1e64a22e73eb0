"""Layout `imagefolder`, as Hugging Face datasets has it: metadata.jsonl or metadata.csv in each folder of pictures."""

from __future__ import annotations

from pathlib import PurePosixPath

from backend.catalogue.sources.containers import Container
from backend.catalogue.sources.table import Table

METADATA = ("metadata.jsonl", "metadata.csv", "metadata.json")


def metadata_files(names: list[str]) -> list[str]:
    """The metadata files among `names`, one per folder or split."""
    return [name for name in names if PurePosixPath(name).name.lower() in METADATA]


class ImageFolder(Table):
    """A table in every folder that has one; an image without an id is called by its path."""

    layout = "imagefolder"

    def __init__(self, container: Container) -> None:
        super().__init__(container, metadata_files(container.names()))
