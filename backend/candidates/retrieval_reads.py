"""Reads over what retrieval found: pools, suspects, and the picture a candidate was lent by."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from backend.candidates.models import Candidate, Neighbour, Pool, Suspect
from backend.candidates.retrieval import MOST_REF, SOURCE
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.runs.models import Run

NO_POOL = "Nothing was retrieved for this image yet: run Retrieve."
NO_NEIGHBOUR = "This caption was not lent by a picture of a corpus, or the corpus is no longer registered."


def list_pools(*, project: Project, run_id: UUID | None = None) -> QuerySet[Pool]:
    """The pools that a run found, by default the newest run that found any. Raises NotFound for others' runs."""
    pools = Pool.objects.filter(image__project=project).select_related("image").order_by("id")
    if run_id is None:
        newest = Run.objects.filter(project=project, pools__isnull=False).order_by("-created_at", "-id").first()
        return pools.filter(run=newest) if newest else pools.none()
    if not Run.objects.filter(project=project, pk=run_id).exists():
        raise NotFound()
    return pools.filter(run=run_id)


def get_pool(*, project: Project, image_id: int) -> Pool:
    """What the newest run found for an image. Raises NotFound outside the project, and where none did."""
    if not Image.objects.filter(project=project, pk=image_id).exists():
        raise NotFound()
    pools = Pool.objects.filter(image=image_id).select_related("image")
    found = pools.order_by("-run__created_at", "-run").first()
    if found is None:
        raise NotFound(NO_POOL, code="no_pool")
    return found


def list_suspects(*, project: Project, decision: str = "") -> QuerySet[Suspect]:
    """Pictures that may be an image itself, oldest first, of one decision where one is named."""
    suspects = Suspect.objects.filter(image__project=project).select_related("image", "neighbour__corpus")
    return (suspects.filter(decision=decision) if decision else suspects).order_by("id")


def get_suspect(*, user: User, suspect_id: int) -> Suspect:
    """A suspect, for reviewers of its project. Raises NotFound outside their projects, NotAllowed inside."""
    suspects = Suspect.objects.select_related("image", "neighbour__corpus")
    suspect = suspects.filter(pk=suspect_id).first()
    if suspect is None:
        raise NotFound()
    check_standing(user=user, project_id=suspect.image.project_id)
    return suspect


def get_lender(*, project: Project, candidate_id: int) -> Neighbour:
    """The corpus picture that lent a candidate. Raises NotFound outside the project, and where there is none."""
    candidate = Candidate.objects.filter(project=project, pk=candidate_id).first()
    if candidate is None:
        raise NotFound()
    found = _named(project, candidate.source_ref) if candidate.source == SOURCE else []
    if len(found) != 1:
        raise NotFound(NO_NEIGHBOUR, code="no_neighbour")
    return found[0]


def _named(project: Project, ref: str) -> list[Neighbour]:
    """What a reference may mean: nothing, a picture, or two where it was cut before they differ."""
    corpus, _, rest = ref.partition(":")
    shard, _, key = rest.partition(":")
    if not key or not (shard.isascii() and shard.isdecimal()):
        return []
    by_key = {"key__startswith": key} if len(ref) == MOST_REF else {"key": key}
    own = Neighbour.objects.filter(corpus__project=project, corpus__name=corpus, shard=int(shard))
    return list(own.filter(**by_key).select_related("corpus")[:2])
