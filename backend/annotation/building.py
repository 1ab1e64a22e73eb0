"""Cutting kept captions into HITs, a batch of images at a time. Repeating a batch adds nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from backend.annotation.models import Hit, HitItem, Slot
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.catalogue.selectors import target_images
from backend.methods.assignment import cut_pool
from backend.projects.models import Project
from backend.runs.models import Run


@dataclass(frozen=True)
class Built:
    """What one batch came to: captions that had no HIT yet, and the HITs they are in now."""

    n_captions: int
    n_hits: int


def images_to_judge(*, project: Project) -> QuerySet[Image]:
    """The images that HITs are built for, by digest: those later stages work on, and those that are in HITs already.

    A sample that is put in force in the middle takes no image out of the annotators' hands.
    """
    targets = target_images(project=project).order_by()
    in_hits = Exists(Hit.objects.filter(image=OuterRef("pk")))
    return Image.objects.filter(Q(pk__in=targets) | Q(in_hits), project=project).order_by("digest")


@transaction.atomic
def build_hits(*, project: Project, run: Run, images: Sequence[Image]) -> Built:
    """Put the images' kept captions that are in no HIT yet into new HITs, each with the project's number of places.

    Parts go on after those an image already has; hits come in the order of `images`, so that equal pools make equal
    HITs on every database. Raises IntegrityError when another run put a caption into a HIT meanwhile.
    """
    # Cleaning holds the same lock, so that no caption is dropped between being read here and standing in a HIT.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    pools = _pools(images)
    taken = _parts_taken(images)
    hits: list[Hit] = []
    items: list[HitItem] = []
    for image in images:
        parts = cut_pool(sorted(pools[image.pk]), k=project.captions_per_hit, seed=run.seed, image=image.digest)
        for part, keys in enumerate(parts, start=taken.get(image.pk, 0)):
            hits.append(Hit(project=project, image=image, part=part, run=run))
            items += [
                HitItem(hit=hits[-1], candidate_id=pools[image.pk][key], position=n) for n, key in enumerate(keys, 1)
            ]
    _write(project, hits, items)
    return Built(n_captions=len(items), n_hits=len(hits))


def _pools(images: Sequence[Image]) -> dict[int, dict[str, int]]:
    """`{image id: {caption key: candidate id}}` of what waits for a HIT."""
    waiting = Candidate.objects.filter(image__in=images, status=CandidateStatus.KEPT, hit_item=None)
    pools: dict[int, dict[str, int]] = defaultdict(dict)
    for image_id, key, candidate_id in waiting.values_list("image", "key", "pk"):
        pools[image_id][key] = candidate_id
    return pools


def _parts_taken(images: Sequence[Image]) -> dict[int, int]:
    """`{image id: the first part number that is free}`."""
    last = Hit.objects.filter(image__in=images).order_by().values_list("image").annotate(last=Max("part"))
    return {image_id: part + 1 for image_id, part in last}


def _write(project: Project, hits: list[Hit], items: list[HitItem]) -> None:
    Hit.objects.bulk_create(hits, batch_size=1000)
    HitItem.objects.bulk_create(items, batch_size=1000)
    slots = [Slot(project=project, hit=hit, number=n) for hit in hits for n in range(1, project.overlap + 1)]
    Slot.objects.bulk_create(slots, batch_size=1000)
