"""Datasets as a report reads them: images by key, their captions, and where each picture is.

The images of a dataset are in the order of their keys. Where there are more than a report asks for, the seed draws
them: two datasets of the same images give the same draw, so that they are compared image by image.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import numpy as np
from django.core.files.storage import default_storage

from backend.catalogue.image_index import ImageIndex
from backend.catalogue.models import Image
from backend.catalogue.selectors import upload_folder
from backend.catalogue.sources import CaptionRow, ImageRow, MemberRefused, open_source
from backend.catalogue.sources.names import printable
from backend.common.errors import Conflict, NotFound
from backend.curation.models import SelectionStatus
from backend.curation.selectors import list_chosen_captions, list_image_digests
from backend.methods.image_names import Meant, NameIndex
from backend.people.models import User
from backend.projects.models import Project
from backend.releases.models import Release
from backend.releases.selectors import get_images_by_digest, get_release, list_entries
from backend.reports.dataset_names import RELEASE, SELECTION, UPLOAD, read_name

AT_ONCE = 500
NO_CAPTIONS = "{name} has no captions. Choose another dataset."
LONGEST = 10_000  # characters of a caption; no encoder reads so many


@dataclass(frozen=True)
class Entry:
    """One image with its captions. `read` gives its picture; it raises MemberRefused or OSError. None without one."""

    key: str
    texts: tuple[str, ...]
    read: Callable[[], bytes] | None = None


@dataclass(frozen=True)
class Dataset:
    """What is compared. `name` says it in a report; it has no path. `n_images` counts those before the draw."""

    kind: str
    name: str
    entries: tuple[Entry, ...]
    n_images: int
    n_refused: int = 0  # rows of a file that could not be read

    @property
    def digest(self) -> str:
        """SHA-256 of the keys and captions that are measured."""
        found = hashlib.sha256()
        for entry in self.entries:
            for text in (entry.key, *entry.texts, ""):
                found.update(text.encode("utf-8", "replace") + b"\0")
        return found.hexdigest()


@dataclass(frozen=True)
class Sought:
    """How datasets are read: at most `n` images of each, drawn by the seed; layout and columns are those of files."""

    n: int
    seed: int
    layout: str = "auto"
    columns: tuple[str, ...] = ()


def open_dataset(name: str, *, project: Project, user: User | None, sought: Sought) -> Dataset:
    """The dataset called `name` (dataset_names.py). Nobody as the user is the server itself, which may read all.

    Raises InvalidInput for another name, SourceUnreadable for a file that cannot be read, NotFound for a release that
    the user may not read, and Conflict where there is no caption.
    """
    kind, place = read_name(name)
    if kind == SELECTION:
        found = _selection(project, sought)
    elif kind == RELEASE:
        found = _release(UUID(place), user, sought)
    else:
        path = upload_folder(place) if kind == UPLOAD else Path(place)
        found = _file(kind, path, project, sought)
    if not found.entries:
        raise Conflict(NO_CAPTIONS, code="dataset_is_empty", params={"name": found.name})
    return found


def _drawn(keys: Iterable[str], sought: Sought) -> list[str]:
    """At most `n` of the keys, in their order."""
    every = sorted(keys)
    if len(every) <= sought.n:
        return every
    dice = np.random.default_rng(sought.seed)
    return [every[at] for at in sorted(dice.choice(len(every), sought.n, replace=False).tolist())]


def _selection(project: Project, sought: Sought) -> Dataset:
    every = list_image_digests(project=project, status=SelectionStatus.SELECTED)
    drawn = _drawn(every, sought)
    entries = (
        Entry(one.digest, one.texts, _Stored(one.original).read)
        for start in range(0, len(drawn), AT_ONCE)
        for one in list_chosen_captions(project=project, digests=drawn[start : start + AT_ONCE])
    )
    return Dataset(SELECTION, project.slug, tuple(entries), len(every))


def _release(release_id: UUID, user: User | None, sought: Sought) -> Dataset:
    release = get_release(user=user, release_id=release_id) if user else Release.objects.filter(pk=release_id).first()
    if release is None:
        raise NotFound()
    every = list(list_entries(release=release).values_list("digest", flat=True))
    drawn = _drawn(every, sought)
    entries = (
        entry
        for start in range(0, len(drawn), AT_ONCE)
        for entry in _entries_of(release, drawn[start : start + AT_ONCE])
    )
    return Dataset(RELEASE, f"{release.project.slug} v{release.version}", tuple(entries), len(every))


def _entries_of(release: Release, digests: list[str]) -> Iterator[Entry]:
    pictures = get_images_by_digest(project_id=release.project_id, digests=digests)
    bodies = dict(release.entries.filter(digest__in=digests).values_list("digest", "body"))
    for digest in digests:
        picture: Image | None = pictures.get(digest)
        texts = tuple(caption["text"] for caption in bodies[digest]["captions"])
        yield Entry(digest, texts, _Stored(picture.original).read if picture else None)


@dataclass(frozen=True)
class _Stored:
    """The original of a project's image, by its storage name."""

    original: str

    def read(self) -> bytes:
        with default_storage.open(self.original) as file:
            data: bytes = file.read()
            return data


def _file(kind: str, path: Path, project: Project, sought: Sought) -> Dataset:
    """Captions by image. A picture is the one of the file; else the project's image of that name."""
    source = open_source(path, sought.layout, columns=sought.columns)
    rows: dict[str, ImageRow] = {}  # a table of captions may name each image several times
    for image in source.images():
        if isinstance(image, ImageRow):
            rows.setdefault(image.key, image)
    pictures = _Pictures(list(rows.values()), project)
    texts: dict[str, list[str]] = {}
    n_refused = 0
    for row in source.captions():
        if not isinstance(row, CaptionRow):
            n_refused += not row.is_ignored
        elif row.text.strip():
            texts.setdefault(pictures.key_of(row), []).append(printable(" ".join(row.text.split()), LONGEST))
    drawn = _drawn(texts, sought)
    entries = tuple(Entry(key, tuple(texts[key]), pictures.reader_of(key)) for key in drawn)
    return Dataset(kind, printable(path.name, 100), entries, len(texts), n_refused)


@dataclass
class _Pictures:
    """The images of a file, by all their names. Where the file has none, the images of the project."""

    rows: list[ImageRow]
    project: Project
    readers: dict[str, Callable[[], bytes]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        others = ((name, row) for row in self.rows for name in row.names)
        self._own: NameIndex[ImageRow] = NameIndex(((row.key, row) for row in self.rows), others)
        self._of_project = None if self.rows else ImageIndex(self.project.pk)

    def key_of(self, row: CaptionRow) -> str:
        """What the image of this caption is called in the dataset; its picture is noted where there is one."""
        for names in ([row.image_key, *row.names], [row.weak_key]):
            asked = [name for name in names if name]
            found = self._own.find_one(asked) if asked and self.rows else None
            if isinstance(found, Meant):
                key = printable(found.target.key)
                self.readers.setdefault(key, found.target.read)
                return key
            if asked and self._of_project and (digest := self._stored(self._of_project, asked)):
                return digest
        return printable(row.image_key)

    def _stored(self, images: ImageIndex, names: list[str]) -> str:
        """The digest of the project's image of these names; empty where it has none."""
        try:
            known = images.find(names)
        except MemberRefused:
            return ""
        if known.digest not in self.readers:
            original = Image.objects.values_list("original", flat=True).get(pk=known.pk)
            self.readers[known.digest] = _Stored(original).read
        return known.digest

    def reader_of(self, key: str) -> Callable[[], bytes] | None:
        return self.readers.get(key)
