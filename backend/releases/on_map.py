"""Which images and captions of a project are in its newest releases, by id: data sets of its map."""

from __future__ import annotations

from typing import Any

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.projects.models import Project
from backend.releases.models import Release, ReleaseCaption, ReleaseEntry

MOST_RELEASES = 5  # newest first; a map compares with the last few


def list_on_map(*, project: Project) -> list[dict[str, Any]]:
    """The newest releases, each with the ids of its images and captions that are still in the project."""
    releases = list(Release.objects.filter(project=project).order_by("-version")[:MOST_RELEASES])
    return [_members(project, release) for release in releases]


def _members(project: Project, release: Release) -> dict[str, Any]:
    digests = ReleaseEntry.objects.filter(release=release).order_by().values("digest")
    keys = ReleaseCaption.objects.filter(release=release).order_by().values("key")
    images = Image.objects.filter(project=project, digest__in=digests).order_by("pk")
    captions = Candidate.objects.filter(project=project, key__in=keys).order_by("pk")
    return {
        "label": release.label,
        "images": list(images.values_list("pk", flat=True)),
        "captions": list(captions.values_list("pk", flat=True)),
    }
