"""The picture beside a caption, where the source has it. Its bytes say which image is meant, and its name only helps:
two downloads can use the name 000000007 for two pictures."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from backend.catalogue.sources.columns import KEY, Naming, Record, file_of, first_of, packed_of, reader
from backend.catalogue.sources.container import Container, Finder
from backend.catalogue.sources.names import is_archive, is_beside
from backend.catalogue.sources.rows import Picture


class PicturesBeside:
    """Finds the pictures of a table's rows as the import of images finds them."""

    def __init__(self, container: Container, table: str) -> None:
        self._container = container
        self._finder = Finder(container, str(PurePosixPath(table).parent), table=table)
        self._asked: tuple[str, Picture | None] = ("", None)
        self._has_pictures: bool | None = None

    def of(self, record: Record, naming: Naming) -> Picture | None:
        """The picture of the row; None where the source does not have it."""
        packed: list[dict[str, Any]] = packed_of(record)
        if packed:
            data: bytes = packed[0]["bytes"]
            return Picture("", lambda: data)
        if file := file_of(record):
            return self.named(file)
        picture = self.named(naming.id_of(record) or first_of(record, KEY[-1:]))
        return picture and picture._replace(is_by_id=True)

    def named(self, name: str) -> Picture | None:
        """The picture of this name. Rows of one image often follow each other: the last answer is kept."""
        if not name or not self._may_have(name):
            return None
        if self._asked[0] != name:
            self._asked = (name, self._find(name))
        return self._asked[1]

    def _find(self, name: str) -> Picture | None:
        found = self._finder.find_if_there(name)
        return None if found is None or is_beside(found) else Picture(found, reader(self._container.read, found))

    def _may_have(self, name: str) -> bool:
        """Whether the source has any picture. Where the first name is a path, no folder is listed for that."""
        if self._has_pictures is None:
            members = self._container.members()
            self._has_pictures = self._finder.has_path(name) or any(
                not is_beside(member.name) and not is_archive(member.name) for member in members
            )
        return self._has_pictures
