"""The map of a project's images and captions: kept, found, and coloured by what the database says now.

The places are one block of bytes (methods/map_points.py). A project of 25,000 images and 125,000 captions is read in
three queries; every column is in the order of the points.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from django.db import transaction
from django.utils import timezone

from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.common.labels import Label
from backend.curation.models import CaptionMap, DifficultyCategory, SelectionItem, SelectionStatus
from backend.methods.map_points import MapPoints, Plane, check_of, pack, unpack
from backend.projects.models import Project
from backend.runs.models import Run

UNDEFINED = -1
DECIMALS = 4  # of entropies as they are sent
DIFFICULTIES = tuple(DifficultyCategory.values)
HARDNESS = {category: place for place, category in enumerate(("unrated", "easy", "medium", "hard"))}
LABELS = (*Label.values, "tied")
CHOSEN = ("chosen", "not_chosen")


@dataclass(frozen=True)
class MapFacts:
    """What a map says of itself beside its points; the fields are those of CaptionMap."""

    n_left_out: int
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    image_model: str
    text_model: str


@dataclass
class MapColumn:
    """One value for each point: a code into `values`, -1 where it is undefined; or a number, None where undefined."""

    name: str
    values: list[str] | None = None
    codes: list[int] | None = None
    numbers: list[float | None] | None = None


@dataclass
class MapColumns:
    """What is known of each point. A point whose image or caption is gone has an empty name and no values.

    `images` of captions are places among the images of the map, -1 where the image has none.
    """

    keys: list[str]
    image_columns: list[MapColumn]
    texts: list[str]
    images: list[int]
    caption_columns: list[MapColumn]
    n_images_missing: int
    n_captions_missing: int
    n_captions_changed: int


class _Caption(NamedTuple):
    """One row of the query over captions."""

    pk: int
    image_id: int
    text: str
    source: str
    label: str | None
    entropy: float | None
    n_good: int | None
    n_bad: int | None
    n_unsure: int | None


CAPTION_FIELDS = (
    "pk", "image_id", "text", "source", "consensus__label", "consensus__entropy",
    "consensus__n_good", "consensus__n_bad", "consensus__n_unsure",
)  # fmt: skip


@transaction.atomic
def record_map(*, run: Run, facts: MapFacts, points: MapPoints) -> CaptionMap:
    """Keep what a run laid out, in place of the project's map before it."""
    packed = pack(points)
    kept, _ = CaptionMap.objects.update_or_create(
        project=run.project,
        defaults={
            "run": run,
            "n_images": len(points.images),
            "n_captions": len(points.captions),
            "digest": hashlib.sha256(packed).hexdigest(),
            "points": packed,
            "made_at": timezone.now(),
            **vars(facts),
        },
    )
    return kept


def find_map(*, project: Project) -> CaptionMap | None:
    """The project's map without its points; None before it was made."""
    return CaptionMap.objects.filter(project=project).select_related("run").defer("points").first()


def find_map_run(*, project: Project) -> Run | None:
    """The newest run of the stage, whatever came of it."""
    return Run.objects.filter(project=project, stage="map_captions").order_by("-created_at", "-id").first()


def get_map(*, project: Project) -> CaptionMap:
    """The project's map. Raises NotFound before it was made."""
    found = CaptionMap.objects.filter(project=project).first()
    if found is None:
        raise NotFound()
    return found


def list_map_captions(*, project: Project) -> list[tuple[int, int, str]]:
    """(id, image, text) of every caption that a map shows, by id."""
    kept = Candidate.objects.filter(project=project, status=CandidateStatus.KEPT).order_by("pk")
    return list(kept.values_list("pk", "image_id", "text"))


def list_map_images(*, project: Project, image_ids: Sequence[int]) -> list[Image]:
    """These images of the project, for their thumbnails; images of others are left out."""
    return list(Image.objects.filter(project=project, pk__in=image_ids).order_by("pk"))


def read_columns(*, caption_map: CaptionMap) -> MapColumns:
    """What the database says now of every point of the map. Three queries."""
    points = unpack(bytes(caption_map.points))
    project = caption_map.project
    chosen = dict(
        SelectionItem.objects.filter(selection__image__project=project)
        .order_by()
        .values_list("candidate_id", "difficulty__category")
    )
    images = _Images(points.images)
    images.read(project)
    captions = _Captions(points.captions, points.checks, images, chosen)
    captions.read(project)
    return MapColumns(
        keys=images.keys,
        image_columns=images.columns(),
        texts=captions.texts,
        images=captions.images,
        caption_columns=captions.columns(),
        n_images_missing=images.n_missing,
        n_captions_missing=captions.n_missing,
        n_captions_changed=captions.n_changed,
    )


def _places_of(plane: Plane) -> dict[int, int]:
    return {pk: place for place, pk in enumerate(plane.ids.tolist())}


@dataclass
class _Codes:
    """A column of categories that is filled place by place; `values` grow where they are not fixed."""

    name: str
    n: int
    values: list[str] = field(default_factory=list)
    codes: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.codes = [UNDEFINED] * self.n
        self.code_of = {value: code for code, value in enumerate(self.values)}

    def put(self, place: int, value: str) -> None:
        code = self.code_of.get(value)
        if code is None:
            code = self.code_of[value] = len(self.values)
            self.values.append(value)
        self.codes[place] = code

    def column(self) -> MapColumn:
        return MapColumn(self.name, values=self.values, codes=self.codes)


class _Images:
    """The columns of the images, in the order of their plane."""

    def __init__(self, plane: Plane) -> None:
        n = len(plane)
        self.place_of = _places_of(plane)
        self.keys = [""] * n
        self.status = _Codes("status", n, list(SelectionStatus.values))
        self.difficulty = _Codes("difficulty", n, list(DIFFICULTIES))
        self.licence = _Codes("licence", n)
        self.sites = [""] * n
        self.entropy_sum, self.n_entropies = [0.0] * n, [0] * n
        self.n_captions = [0] * n
        self.n_good: list[float | None] = [None] * n
        self.n_missing = 0

    def read(self, project: Project) -> None:
        rows = Image.objects.filter(project=project).order_by()
        told = rows.values_list("pk", "key", "licence", "source_url", "selection__status")
        for pk, key, licence, source_url, status in told:
            place = self.place_of.get(pk)
            if place is None:
                self.n_missing += 1
                continue
            self.keys[place] = key
            self.licence.put(place, licence)
            self.sites[place] = _site_of(source_url)
            if status:
                self.status.put(place, status)

    def add_caption(self, place: int, entropy: float | None, label: str | None) -> None:
        """Count a caption of the image towards its figures. `label` is None before a consensus on it."""
        self.n_captions[place] += 1
        if label is not None:
            self.n_good[place] = (self.n_good[place] or 0) + (label == Label.GOOD)
        if entropy is not None:
            self.entropy_sum[place] += entropy
            self.n_entropies[place] += 1

    def add_difficulty(self, place: int, category: str) -> None:
        """An image is as hard as the hardest of its chosen captions."""
        now = self.difficulty.codes[place]
        if now == UNDEFINED or HARDNESS[category] > HARDNESS[DIFFICULTIES[now]]:
            self.difficulty.put(place, category)

    def columns(self) -> list[MapColumn]:
        means = [
            round(total / n, DECIMALS) if n else None
            for total, n in zip(self.entropy_sum, self.n_entropies, strict=True)
        ]
        is_there = [bool(key) for key in self.keys]
        counts: list[float | None] = [n if there else None for n, there in zip(self.n_captions, is_there, strict=True)]
        return [
            self.difficulty.column(),
            MapColumn("entropy", numbers=means),
            self.status.column(),
            self.licence.column(),
            self._source(),
            MapColumn("captions", numbers=counts),
            MapColumn("good", numbers=self.n_good),
        ]

    def _source(self) -> MapColumn:
        """The site that each image comes from, those of the most images first."""
        known = Counter(site for site in self.sites if site)
        source = _Codes("source", len(self.sites), [site for site, _ in known.most_common()])
        for place, site in enumerate(self.sites):
            if site:
                source.put(place, site)
        return source.column()


def _site_of(address: str) -> str:
    """`https://www.example.org/a.jpg` -> `example.org`; empty where there is no address."""
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:  # an address that is none
        return ""


class _Captions:
    """The columns of the captions, in the order of their plane."""

    def __init__(
        self, plane: Plane, checks: np.ndarray[Any, Any], images: _Images, chosen: Mapping[int, str | None]
    ) -> None:
        n = len(plane)
        self.place_of, self.checks = _places_of(plane), checks.tolist()
        self.of_images, self.chosen = images, chosen
        self.texts, self.images = [""] * n, [UNDEFINED] * n
        self.difficulty = _Codes("difficulty", n, list(DIFFICULTIES))
        self.label = _Codes("label", n, list(LABELS))
        self.selection = _Codes("selection", n, list(CHOSEN))
        self.source = _Codes("source", n)
        self.votes: list[float | None] = [None] * n
        self.entropy: list[float | None] = [None] * n
        self.n_missing = self.n_changed = 0

    def read(self, project: Project) -> None:
        rows = Candidate.objects.filter(project=project, status=CandidateStatus.KEPT).order_by()
        for row in map(_Caption._make, rows.values_list(*CAPTION_FIELDS)):
            place = self.place_of.get(row.pk)
            if place is None:
                self.n_missing += 1
            else:
                self._take(place, row)

    def _take(self, place: int, row: _Caption) -> None:
        self.texts[place] = row.text
        self.n_changed += check_of(row.text) != self.checks[place]
        self.source.put(place, row.source)
        self.votes[place] = (row.n_good or 0) + (row.n_bad or 0) + (row.n_unsure or 0)
        if row.label is not None:
            self.label.put(place, row.label or "tied")
        if row.entropy is not None:
            self.entropy[place] = round(row.entropy, DECIMALS)
        is_chosen = row.pk in self.chosen
        category = self.chosen[row.pk] if is_chosen else None
        self.selection.put(place, CHOSEN[0] if is_chosen else CHOSEN[1])
        if category:
            self.difficulty.put(place, category)
        image = self.of_images.place_of.get(row.image_id, UNDEFINED)
        self.images[place] = image
        if image != UNDEFINED:
            self.of_images.add_caption(image, row.entropy, row.label)
            if category:
                self.of_images.add_difficulty(image, category)

    def columns(self) -> list[MapColumn]:
        return [
            self.difficulty.column(),
            self.label.column(),
            self.source.column(),
            MapColumn("votes", numbers=self.votes),
            MapColumn("entropy", numbers=self.entropy),
            self.selection.column(),
        ]
