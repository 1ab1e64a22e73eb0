"""The image-caption pairs that a model is calibrated on: out of a file, or the project's own good captions.

Both are streams that can be read again, for the next model or behind a place. The captions of a file lie in a database
on the disk while the images pass by, so that memory does not grow with them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files.storage import default_storage

from backend.catalogue.sources import CaptionRow, ImageRow, MemberRefused, Source, open_source
from backend.curation import calibrating
from backend.projects.models import Project
from workers.engines.pair_vectors import Pair, Unreadable

GONE = "The image is gone."
UNREADABLE = "The file cannot be read ({reason})."


@dataclass(frozen=True)
class Pairs:
    """`stream()` gives them from the first on, always in the same order; `n` is the most there can be."""

    stream: Callable[[], Iterator[Pair]]
    n: int
    words: str  # "pairs.csv": what they are called
    source: str
    digest: str
    most: int


@contextmanager
def file_pairs(path: Path, *, layout: str = "auto", columns: tuple[str, ...] = (), most: int = 0) -> Iterator[Pairs]:
    """One pair of each image of a file, with its first caption: two of one image would be false negatives of each
    other. Raises SourceUnreadable."""
    source = open_source(path, layout, columns=columns)
    digest = calibrating.digest_of_files(path)
    with TemporaryDirectory() as folder, _Captions(Path(folder) / "captions.sqlite") as captions:
        captions.add(row for row in source.captions() if isinstance(row, CaptionRow))
        n = min(captions.n, most) if most else captions.n
        yield Pairs(
            lambda: islice(_paired(source, captions), most or None), n, path.name, str(path.resolve()), digest, most
        )


def _paired(source: Source, captions: _Captions) -> Iterator[Pair]:
    captions.rewind()
    for row in source.images():
        if isinstance(row, ImageRow) and (text := captions.take(row.key)):
            yield Pair(row.key, text, partial(_of_file, row))


def _of_file(row: ImageRow) -> bytes:
    try:
        return row.read()
    except MemberRefused as refused:
        raise Unreadable(refused.message) from refused
    except OSError as error:
        raise Unreadable(UNREADABLE.format(reason=error.strerror or error)) from error


def own_pairs(project: Project, *, most: int = 0) -> Pairs:
    """One pair of each image of the project that has a good caption."""
    n = calibrating.count_own_pairs(project=project)
    digest = calibrating.digest_of_own_pairs(project=project, most=most)

    def stream() -> Iterator[Pair]:
        for pair in calibrating.own_pairs(project=project, most=most):
            yield Pair(pair.digest, pair.text, partial(_of_project, pair.original))

    return Pairs(stream, min(n, most) if most else n, f"the project {project.slug}", "", digest, most)


def _of_project(original: str) -> bytes:
    try:
        with default_storage.open(original) as file:
            data: bytes = file.read()
            return data
    except FileNotFoundError as error:
        raise Unreadable(GONE) from error


class _Captions:
    """The first caption of each image by its key. Each is taken once, until all are put back."""

    def __init__(self, path: Path) -> None:
        self._path, self._turn, self.n = path, 0, 0

    def __enter__(self) -> _Captions:
        self._base = sqlite3.connect(self._path)
        self._base.execute("PRAGMA journal_mode=OFF")
        self._base.execute("PRAGMA synchronous=OFF")
        self._base.execute("CREATE TABLE captions (key TEXT PRIMARY KEY, text TEXT, turn INTEGER) WITHOUT ROWID")
        return self

    def __exit__(self, *problem: object) -> None:
        self._base.close()

    def add(self, rows: Iterable[CaptionRow]) -> None:
        told = ((row.image_key, " ".join(row.text.split())) for row in rows if row.text.strip())
        self._base.executemany("INSERT OR IGNORE INTO captions VALUES (?, ?, 0)", told)
        self._base.commit()
        [self.n] = self._base.execute("SELECT count(*) FROM captions").fetchone()

    def rewind(self) -> None:
        """Put all back."""
        self._turn += 1

    def take(self, key: str) -> str | None:
        """The caption of an image; None where it has none, or gave it already."""
        update = "UPDATE captions SET turn = ?1 WHERE key = ?2 AND turn < ?1 RETURNING text"
        found = self._base.execute(update, (self._turn, key)).fetchall()
        return str(found[0][0]) if found else None
