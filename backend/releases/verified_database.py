"""Checks of the database against the files of a release: its row, its entries, and what these are filtered by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby, zip_longest
from operator import attrgetter
from pathlib import Path

from backend.releases.bundle import IMAGES
from backend.releases.entries import derive_captions
from backend.releases.models import Release, ReleaseCaption
from backend.releases.verified_rows import Fault, read_lines

BATCH = 200
COUNTED = ("images", "captions", "judgments")
FILTERED_BY = ("position", "key", "split", "source", "difficulty", "agreement")
Values = tuple[object, ...]


def check_release(release: Release, folder: Path) -> Iterator[Fault]:
    """The manifest and the counts in the database are those of manifest.json."""
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for name in sorted(told.keys() | release.manifest.keys()):
        if told.get(name) != release.manifest.get(name):
            yield Fault("manifest.json", name, "It is not the same as in the database.")
    for name in COUNTED:
        n = getattr(release, f"n_{name}")
        if told["counts"][name] != n:
            yield Fault("manifest.json", f"counts.{name}", f"The database says {n:,}.")


def check_entries(release: Release, folder: Path) -> Iterator[Fault]:
    """The entries in the database are the lines of images.jsonl."""
    bodies = release.entries.order_by("position").values_list("body", flat=True).iterator(chunk_size=BATCH)
    for number, (body, line) in enumerate(zip_longest(bodies, read_lines(folder / IMAGES)), start=1):
        if body != line:
            yield Fault(IMAGES, f"line {number}", "The line is not the entry in the database.")


def check_filters(release: Release, folder: Path) -> Iterator[Fault]:
    """What the entries are filtered by follows from them. Lenses too, where the release has judgments.parquet."""
    judgments = folder / "judgments.parquet"
    names = (*FILTERED_BY, "lenses") if judgments.exists() else FILTERED_BY
    stored = ReleaseCaption.objects.filter(release=release).order_by("position", "key").values_list(*names)
    entries = release.entries.order_by("position").iterator(chunk_size=BATCH)
    derived = _in_order(derive_captions(entries=entries, judgments=judgments), names)
    for row, made in zip_longest(stored.iterator(chunk_size=BATCH), derived):
        if row != made:
            position, key = (made or row)[:2]
            yield Fault(IMAGES, f"line {position}, caption {key}", "The filters of the database have other values.")
            if row is None or made is None or row[:2] != made[:2]:
                return


def _in_order(captions: Iterator[ReleaseCaption], names: tuple[str, ...]) -> Iterator[Values]:
    """The values of each caption, by position and key."""
    for _, of_image in groupby(captions, key=attrgetter("position")):
        for caption in sorted(of_image, key=attrgetter("key")):
            yield tuple(getattr(caption, name) for name in names)
