"""Cutting kept pairs into HITs, a batch of images or queries at a time. Repeating a batch adds nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from backend.annotation.holding import hold_project
from backend.annotation.models import Hit, HitItem, Slot
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image, Query
from backend.catalogue.selectors import target_images
from backend.methods.assignment import cut_pool
from backend.projects.models import Project
from backend.runs.models import Run

Side = Literal["image", "query"]  # what a HIT holds still


@dataclass(frozen=True)
class Built:
    """What one batch came to: pairs that had no HIT yet, and the HITs they are in now."""

    n_pairs: int
    n_hits: int


@dataclass(frozen=True)
class Subject:
    """An image or a query by its id, and by a name that is the same in every database."""

    id: int
    name: str


def images_to_judge(*, project: Project) -> QuerySet[Image]:
    """The images that HITs are built for, by digest: those later stages work on, and those that are in HITs already.

    A sample that is put in force in the middle takes no image out of the annotators' hands.
    """
    targets = target_images(project=project).order_by()
    in_hits = Exists(Hit.objects.filter(image=OuterRef("pk")))
    return Image.objects.filter(Q(pk__in=targets) | Q(in_hits), project=project).order_by("digest")


def queries_to_judge(*, project: Project) -> QuerySet[Query]:
    """The queries that HITs are built for, in the order they came: texts are sorted otherwise by each database."""
    return Query.objects.filter(project=project).order_by("id")


def build_hits(*, project: Project, run: Run, images: Sequence[Image]) -> Built:
    """Put the images' kept captions that are in no HIT yet into new HITs, each with the project's number of places.

    Parts go on after those an image already has; hits come in the order of `images`, so that equal pools make equal
    HITs on every database. Raises IntegrityError when another run put a caption into a HIT meanwhile.
    """
    return _build(project, run, "image", [Subject(image.pk, image.digest) for image in images])


def build_query_hits(*, project: Project, run: Run, queries: Sequence[Query]) -> Built:
    """The same for queries: each of their HITs shows some images of one query."""
    return _build(project, run, "query", [Subject(query.pk, query.text) for query in queries])


@transaction.atomic
def _build(project: Project, run: Run, side: Side, subjects: Sequence[Subject]) -> Built:
    # Cleaning holds the same lock, and so does whoever makes a control: no caption is dropped or hidden between being
    # read here and standing in a HIT.
    # And none gets places by an overlap that was changed meanwhile.
    project = hold_project(project)
    pools, taken = _pools(side, subjects), _parts_taken(side, subjects)
    hits: list[Hit] = []
    items: list[HitItem] = []
    for subject in subjects:
        pool = pools[subject.id]
        parts = cut_pool(sorted(pool), k=project.captions_per_hit, seed=run.seed, subject=subject.name)
        for part, keys in enumerate(parts, start=taken.get(subject.id, 0)):
            hits.append(Hit(project=project, part=part, run=run, **{f"{side}_id": subject.id}))
            items += [HitItem(hit=hits[-1], candidate_id=pool[key], position=n) for n, key in enumerate(keys, 1)]
    _write(project, run, hits, items)
    return Built(n_pairs=len(items), n_hits=len(hits))


def _pools(side: Side, subjects: Sequence[Subject]) -> dict[int, dict[str, int]]:
    """`{subject id: {pair key: candidate id}}` of what waits for a HIT. Hidden controls wait for none."""
    waiting = Candidate.objects.filter(status=CandidateStatus.KEPT, hit_item=None, control=None)
    waiting = waiting.filter(query=None) if side == "image" else waiting
    pools: dict[int, dict[str, int]] = defaultdict(dict)
    rows = waiting.filter(**{f"{side}__in": [subject.id for subject in subjects]})
    for subject_id, key, candidate_id in rows.values_list(side, "key", "pk"):
        pools[subject_id][key] = candidate_id
    return pools


def _parts_taken(side: Side, subjects: Sequence[Subject]) -> dict[int, int]:
    """`{subject id: the first part number that is free}`."""
    hits = Hit.objects.filter(**{f"{side}__in": [subject.id for subject in subjects]}).order_by()
    return {subject_id: part + 1 for subject_id, part in hits.values_list(side).annotate(last=Max("part"))}


def _write(project: Project, run: Run, hits: list[Hit], items: list[HitItem]) -> None:
    Hit.objects.bulk_create(hits, batch_size=1000)
    HitItem.objects.bulk_create(items, batch_size=1000)
    places = range(1, project.overlap + 1)
    priority = run.parameters.get("priority", 0)
    slots = [Slot(project=project, hit=hit, number=n, priority=priority) for hit in hits for n in places]
    Slot.objects.bulk_create(slots, batch_size=1000)
