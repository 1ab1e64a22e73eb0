"""Reads over candidates: one image's pool, counts for a page of images, gauges for projects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.projects.models import Project

KEPT = Q(status=CandidateStatus.KEPT)
NEW = Q(status=CandidateStatus.NEW)


@dataclass(frozen=True)
class ImageCounts:
    """How many candidates an image has, and how many of them cleaning kept."""

    image: int
    n_candidates: int
    n_kept: int


def list_candidates(*, project: Project, image_id: int, status: str = "") -> QuerySet[Candidate]:
    """An image's pool, oldest first, of one status where one is named. Raises NotFound outside the project."""
    if not Image.objects.filter(project=project, pk=image_id).exists():
        raise NotFound()
    pool = Candidate.objects.filter(project=project, image=image_id)
    return pool.filter(status=status) if status else pool


def count_by_image(*, project: Project, image_ids: Sequence[int]) -> list[ImageCounts]:
    """Counts for these images of the project in the order asked for, one query; images of others are left out."""
    images = Image.objects.filter(project=project, pk__in=image_ids)
    counted = images.annotate(n=Count("candidates"), n_kept=Count("candidates", filter=Q(candidates__status="kept")))
    found = {row[0]: ImageCounts(*row) for row in counted.values_list("id", "n", "n_kept")}
    return [found[image_id] for image_id in image_ids if image_id in found]


def candidate_gauges(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """{project id: {candidates, kept, new_candidates}} for every id asked for, one query."""
    rows = Candidate.objects.filter(project__in=project_ids).order_by().values("project")
    counted = rows.annotate(n=Count("id"), n_kept=Count("id", filter=KEPT), n_new=Count("id", filter=NEW))
    gauges = {project_id: {"candidates": 0, "kept": 0, "new_candidates": 0} for project_id in project_ids}
    for project_id, n, n_kept, n_new in counted.values_list("project", "n", "n_kept", "n_new"):
        gauges[project_id] = {"candidates": n, "kept": n_kept, "new_candidates": n_new}
    return gauges
