"""What one JSON object is: COCO, or a table. `methods.tables` knows the shapes of tables.

{"images": [...], "annotations": [...]}                      COCO
{"images": [{"filename": ..., "sentences": [...]}]}          Karpathy's splits
{"data": [{"image_id": ..., "caption_str": ...}]}            rows, as in TextCaps
{"image_urls": [...], "captions": [...]}                     columns, as in SBU
{"1.jpg": ["A dog.", "A brown dog."]}                        captions by image
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import PurePosixPath

from backend.catalogue.sources.columns import CAPTIONS
from backend.catalogue.sources.container import Container
from backend.catalogue.sources.names import printable
from backend.catalogue.sources.records import LEFT_UNREAD, Record, refused_of
from backend.catalogue.sources.rows import Refused, SourceUnreadable
from backend.methods.image_names import ENDINGS
from backend.methods.tables import BY_NAME, Fault, Outline, numbered, read_values, single_of

Records = Callable[[], Iterator[Record | Refused]]
UNKNOWN = (
    "Connote does not know what this JSON object is. It has: {names}. Use COCO, or a list of objects with a file and "
    "a caption."
)


def is_coco(found: Outline) -> bool:
    """Whether it has images whose captions stand elsewhere. Long annotations before them put them out of sight."""
    images = found.lists.get(("images",))
    if images is not None:
        return not _has_captions(images)
    return not found.is_whole and ("annotations",) in found.lists


def check_known(found: Outline, shape: str) -> None:
    """Raises SourceUnreadable where the members of an object are neither columns nor images."""
    is_known = any(map(_may_be_image, found.members)) and (
        any(begins[:1] != "{" for begins in found.members.values()) or any(map(_has_captions, found.entries.values()))
    )
    if shape == BY_NAME and not is_known:
        names = printable(", ".join([*found.members][:10]) or "nothing", 200)
        raise SourceUnreadable(UNKNOWN, code="unknown_json", params={"names": names})


def _has_captions(names: set[str]) -> bool:
    return bool(numbered(tuple(names), CAPTIONS))


def _may_be_image(name: str) -> bool:
    return any(letter.isdecimal() for letter in name) or PurePosixPath(name).suffix.lower() in ENDINGS


def column_records(container: Container, name: str, columns: tuple[str, ...]) -> Iterator[Record | Refused]:
    """The rows of lists that lie side by side. Each list is read for itself, so that none is held."""
    with ExitStack() as opened:
        files = [opened.enter_context(container.open(name)) for _ in columns]
        lists = [read_values(file, name, column) for file, column in zip(files, columns, strict=True)]
        for n, cells in enumerate(zip_longest(*lists), start=1):
            faults = [cell for cell in cells if isinstance(cell, Fault)]
            if any(fault.code in LEFT_UNREAD for fault in faults):
                yield refused_of(faults[0])
                return
            values = (cell[1] if isinstance(cell, tuple) else None for cell in cells)
            yield refused_of(faults[0]) if faults else (n, dict(zip(map(single_of, columns), values, strict=True)))
