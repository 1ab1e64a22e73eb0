"""Samples of a project's images: kept as a run laid them out, looked at, put in force and lifted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from backend.catalogue.models import Image, Layout, Sample, SamplePoint
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.runs.models import Run

BATCH = 1000
DIGITS = 4  # of coordinates as they are sent: a layout spans some 40 units, a screen some 4,000 pixels


class Place(NamedTuple):
    """One image by its digest: where it lies, as how-manieth it was picked (from 1; None: left), and how far off.

    `distance` is that to the nearest earlier pick when it was picked, None for the first pick; of an image that was
    left, to its nearest pick.
    """

    digest: str
    x: float
    y: float
    position: int | None
    distance: float | None


@dataclass(frozen=True)
class Facts:
    """What a sample says of itself beside its points; the fields are those of Sample."""

    k: int
    n_left_out: int
    is_everything: bool
    is_short: bool
    cover_radius: float
    layout: Layout
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    model: str
    model_digest: str


@dataclass(frozen=True)
class Points:
    """Every point of a sample in columns, by image id; a `position` is None where the image was left."""

    images: list[int]
    x: list[float]
    y: list[float]
    positions: list[int | None]


@transaction.atomic
def keep_sample(*, run: Run, facts: Facts, places: Iterable[Place]) -> Sample:
    """Keep what a run of `sample` made, one Sample a run.

    `places` come by digest, so that equal samples have equal digests.

    An image that went meanwhile is left out of the points, not of the digest.
    """
    laid = list(places)
    Sample.objects.filter(run=run).delete()
    sample = Sample.objects.create(
        project=run.project,
        run=run,
        n_images=len(laid),
        n_picked=sum(place.position is not None for place in laid),
        digest=_digest_of(laid),
        **vars(facts),
    )
    for start in range(0, len(laid), BATCH):
        SamplePoint.objects.bulk_create(_points_of(sample, laid[start : start + BATCH]))
    return sample


def _digest_of(places: Iterable[Place]) -> str:
    digest = hashlib.sha256()
    for place in places:
        digest.update(f"{place.digest} {place.x!r} {place.y!r} {place.position} {place.distance!r}\n".encode())
    return digest.hexdigest()


def _points_of(sample: Sample, places: list[Place]) -> Iterator[SamplePoint]:
    own = Image.objects.filter(project=sample.project_id, digest__in=[place.digest for place in places])
    id_of = dict(own.values_list("digest", "pk"))
    for place in places:
        if place.digest in id_of:
            facts = place._asdict()
            yield SamplePoint(sample=sample, image_id=id_of[facts.pop("digest")], **facts)


@transaction.atomic
def put_in_force(*, sample: Sample) -> Sample:
    """Let later stages take the picked images only; the sample that was in force before is lifted.

    Images that are in HITs stay there. Putting the same sample in force again changes nothing.
    """
    Project.objects.select_for_update(no_key=True).get(pk=sample.project_id)
    sample.refresh_from_db()
    if sample.in_force_since is None:
        Sample.objects.filter(project=sample.project_id).update(in_force_since=None)
        sample.in_force_since = timezone.now()
        sample.save(update_fields=["in_force_since"])
    return sample


def lift(*, sample: Sample) -> Sample:
    """Let later stages take all images again. Lifting one that is not in force changes nothing."""
    sample.in_force_since = None
    sample.save(update_fields=["in_force_since"])
    return sample


def list_samples(*, project: Project) -> QuerySet[Sample]:
    """The samples of the project, newest first."""
    return Sample.objects.filter(project=project).select_related("project", "run")


def get_sample(*, user: User, sample_id: int, may_change: bool = False) -> Sample:
    """A sample, for reviewers of its project; with `may_change` for curators alone.

    Raises NotFound outside their projects, NotAllowed inside.
    """
    sample = Sample.objects.select_related("project", "run").filter(pk=sample_id).first()
    if sample is None:
        raise NotFound()
    check_standing(user=user, project_id=sample.project_id, may_change=may_change)
    return sample


def read_points(*, sample: Sample) -> Points:
    """All points of a sample in one query, coordinates with four digits."""
    rows = SamplePoint.objects.filter(sample=sample).order_by("image").values_list("image", "x", "y", "position")
    images, xs, ys, positions = ([list(column) for column in zip(*rows, strict=True)]) or ([], [], [], [])
    return Points(images, [round(x, DIGITS) for x in xs], [round(y, DIGITS) for y in ys], positions)


def list_picks(*, sample: Sample) -> QuerySet[SamplePoint]:
    """The picked images in the order they were picked."""
    picked = SamplePoint.objects.filter(sample=sample, position__isnull=False)
    return picked.select_related("image").order_by("position")
