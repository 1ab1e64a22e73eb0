"""A release as the data of a benchmark, out of the database."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.files.storage import default_storage
from django.db import DatabaseError

from backend.catalogue.storage import is_local
from backend.methods.benchmarks.data import BenchmarkData, DataError, StoredPicture
from backend.methods.benchmarks.formats import gather_release
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks import TASKS
from backend.releases import selectors
from backend.releases.models import Release

LINES = 200  # of images.jsonl that the database sends at once
AT_ONCE = 1000  # images that are looked up
NEGATIVES = "negatives.jsonl"
NO_RELEASE = "There is no release {name}. Write its ID, or PROJECT:VERSION, for example skies:1.0.0."
GONE = (
    "The release {name} has {n} images whose files are gone, perhaps because they were withdrawn. Make a new release, "
    "or import a result."
)
NO_DATABASE = "The database does not answer. Give the folder or the zip of the release."


def data_of(release: Release, *, split: str = "") -> BenchmarkData:
    """Images and captions of a release, as its folder has them. Raises DataError where it has no caption."""
    name = f"{release.project.slug} {release.label}"
    bodies = selectors.list_entries(release=release).values_list("body", flat=True).iterator(chunk_size=LINES)
    return gather_release(name, bodies, _negatives(release), split)


def _negatives(release: Release) -> Iterator[Mapping[str, Any]]:
    file = release.files.filter(name=NEGATIVES).first()
    if file is None:
        return
    with default_storage.open(file.stored_as) as stored:
        for line in io.TextIOWrapper(stored, encoding="utf-8", newline="\n"):
            if line.strip():
                yield json.loads(line)


def has_rejected(release: Release) -> bool:
    """Whether a caption that people rejected is in the release: the task auprc needs one."""
    return bool(release.files.filter(name=NEGATIVES, n_bytes__gt=0).exists())


def with_pictures(data: BenchmarkData, release: Release) -> BenchmarkData:
    """The data with the files of its images, or with their bytes in the store. Raises DataError where some are gone."""
    gone = set(selectors.list_withdrawals(project=release.project).values_list("digest", flat=True))
    pictures: dict[str, Path | StoredPicture] = {}
    for start in range(0, len(data.images), AT_ONCE):
        digests = data.images[start : start + AT_ONCE]
        found = selectors.get_images_by_digest(project_id=release.project_id, digests=digests)
        pictures |= {
            digest: _picture(digest, image.original, data.name) for digest, image in found.items() if digest not in gone
        }
    if n_missing := sum(image not in pictures for image in data.images):
        raise DataError(GONE.format(name=data.name, n=n_missing))
    return replace(data, pictures=pictures)


def _picture(digest: str, stored_as: str, name: str) -> Path | StoredPicture:
    if is_local():
        return Path(default_storage.path(stored_as))

    def read() -> bytes:
        try:
            with default_storage.open(stored_as) as file:
                content: bytes = file.read()
        except FileNotFoundError as error:
            raise DataError(GONE.format(name=name, n=1)) from error
        return content

    return StoredPicture(digest, read)


def is_of(release: Release, body: Mapping[str, Any]) -> bool:
    """Whether a result is of this release: of its data, of one of its splits, or of its first images."""
    told, n = body["settings"], body["data"]["images"]
    try:
        settings = Settings(
            seed=int(told.get("seed", 0)), split=str(told.get("split", "")), rule=told.get("rule", Settings.rule)
        )
        used = TASKS[body["task"]].prepare(data_of(release, split=settings.split).limited(max(n, 1)), settings)
    except (DataError, KeyError, TypeError, ValueError):
        return False
    return bool(used.digest == body["data"]["digest"])


def read_release(name: str, *, split: str = "", pictures: bool) -> BenchmarkData:
    """The data of a release by its ID or PROJECT:VERSION, for a command. Raises DataError, also without a database."""
    try:
        release = find_release(name)
        data = data_of(release, split=split)
        return with_pictures(data, release) if pictures else data
    except DatabaseError as error:
        raise DataError(NO_DATABASE) from error


def find_release(name: str) -> Release:
    """A release by its ID, or by PROJECT:VERSION. Raises DataError."""
    slug, sign, version = name.partition(":")
    found = selectors.find_release(slug=slug, version=version) if sign and version else None
    if found is None:
        try:
            found = Release.objects.filter(pk=UUID(name)).first()
        except ValueError:
            found = None
    if found is None:
        raise DataError(NO_RELEASE.format(name=name))
    return found
