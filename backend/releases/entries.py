"""The entries of a release: filtered by their captions, and shown with what they are filtered by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
from django.db.models import Q, QuerySet

from backend.common.errors import NotFound
from backend.releases import selectors
from backend.releases.entry_serializers import present_entries
from backend.releases.models import Release, ReleaseCaption, ReleaseEntry

BATCH, ROWS = 65536, 1000
OfImage = tuple[str, dict[str, frozenset[str]]]  # its digest, and the lenses by caption


class NoSuchImage(NotFound):
    """This release has no image with this digest."""

    code = "no_such_image_in_release"


@dataclass(frozen=True)
class EntryFilter:
    """What one caption of an image must be like. An empty filter takes every image."""

    difficulty: str = ""
    lens: str = ""
    source: str = ""
    split: str = ""
    min_agreement: float | None = None

    def condition(self) -> Q:
        """The filter on rows of ReleaseCaption; empty where nothing is asked."""
        asked = {name: getattr(self, name) for name in ("difficulty", "source", "split") if getattr(self, name)}
        condition = Q(**asked)
        if self.lens:
            condition &= Q(lenses__contains=f" {self.lens} ")
        if self.min_agreement is not None:
            condition &= Q(agreement__gte=self.min_agreement)
        return condition


EVERYTHING = EntryFilter()


def list_entries(*, release: Release, asked: EntryFilter) -> QuerySet[ReleaseEntry]:
    """The images of a release that have a caption like this, in the order of their digests."""
    entries = selectors.list_entries(release=release)
    condition = asked.condition()
    if not condition:
        return entries
    fitting = ReleaseCaption.objects.filter(condition, release=release)
    return entries.filter(position__in=fitting.order_by().values("position"))


def get_entry(*, release: Release, digest: str) -> ReleaseEntry:
    """One image of a release. Raises NoSuchImage."""
    found: ReleaseEntry | None = ReleaseEntry.objects.filter(release=release, digest=digest).first()
    if found is None:
        raise NoSuchImage()
    return found


def present_page(
    *, release: Release, entries: Sequence[ReleaseEntry], asked: EntryFilter = EVERYTHING
) -> list[dict[str, Any]]:
    """The values of ReleaseEntryOut for some entries of a release, in a few queries."""
    digests = [entry.digest for entry in entries]
    pictures = selectors.get_images_by_digest(project_id=release.project_id, digests=digests)
    withdrawn = selectors.get_withdrawals(project_id=release.project_id, digests=digests)
    rows = {(row.position, row.key): row for row in _rows_of(release, entries)}
    fitting = list_fitting(release=release, entries=entries, asked=asked)
    return present_entries(entries, pictures, rows, fitting, withdrawn)


def list_fitting(
    *, release: Release, entries: Sequence[ReleaseEntry], asked: EntryFilter
) -> set[tuple[int, str]] | None:
    """The captions of these entries that fit, by position and key; None for an empty filter."""
    condition = asked.condition()
    if not condition:
        return None
    return set(_rows_of(release, entries).filter(condition).values_list("position", "key"))


def _rows_of(release: Release, entries: Sequence[ReleaseEntry]) -> QuerySet[ReleaseCaption]:
    return ReleaseCaption.objects.filter(release=release, position__in=[entry.position for entry in entries])


def keep_captions(*, entries: Iterable[ReleaseEntry], judgments: Path) -> None:
    """Write what these entries, all of a release in their order, are filtered by."""
    rows = derive_captions(entries=entries, judgments=judgments)
    while batch := list(islice(rows, ROWS)):
        ReleaseCaption.objects.bulk_create(batch)


def derive_captions(*, entries: Iterable[ReleaseEntry], judgments: Path) -> Iterator[ReleaseCaption]:
    """What these entries are filtered by. Without the table of judgments no caption has a lens."""
    lenses = _read_lenses(judgments) if judgments.exists() else iter(())
    waiting = next(lenses, None)
    for entry in entries:
        while waiting is not None and waiting[0] < entry.digest:
            waiting = next(lenses, None)
        said = waiting[1] if waiting is not None and waiting[0] == entry.digest else {}
        for caption in entry.body["captions"]:
            yield describe_caption(entry, caption, said.get(caption["key"], frozenset()))


def describe_caption(entry: ReleaseEntry, caption: Mapping[str, Any], lenses: frozenset[str]) -> ReleaseCaption:
    """What a frozen caption of an entry is filtered by."""
    votes = caption["n_good"] + caption["n_bad"] + caption["n_unsure"]
    difficulty = caption.get("difficulty")
    return ReleaseCaption(
        release_id=entry.release_id,
        position=entry.position,
        key=caption["key"],
        split=entry.body.get("split", ""),
        source=caption["source"],
        difficulty=difficulty["category"] if difficulty else "not_asked",
        agreement=caption["n_good"] / votes if votes else None,
        lenses=f" {' '.join(sorted(lenses))} " if lenses else "",
    )


def _read_lenses(judgments: Path) -> Iterator[OfImage]:
    """The lenses of each image's captions in the answers that count, by image in the order of the digests."""
    with pq.ParquetFile(judgments) as table:
        for image, rows in groupby(_rows_with_lens(table), key=itemgetter(0)):
            of_image: dict[str, frozenset[str]] = {}
            for _, key, lens in rows:
                of_image[key] = of_image.get(key, frozenset()) | {lens}
            yield image, of_image


def _rows_with_lens(table: pq.ParquetFile) -> Iterator[tuple[str, str, str]]:
    for batch in table.iter_batches(BATCH, columns=["image", "caption", "lens", "is_counted"]):
        chosen = batch.filter(pc.and_(pc.is_valid(batch["lens"]), batch["is_counted"]))
        yield from zip(*(chosen[name].to_pylist() for name in ("image", "caption", "lens")), strict=True)
