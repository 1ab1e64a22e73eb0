"""Reads over what retrieval found: pools, suspects, and the picture a candidate was lent by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import floor
from typing import Any
from uuid import UUID

from django.db.models import Count, Prefetch, QuerySet

from backend.candidates.models import Candidate, Neighbour, Pool, Suspect, SuspectDecision, Suspicion
from backend.candidates.retrieval import MOST_REF, SOURCE, at_least
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.people.models import User
from backend.projects.models import Project
from backend.projects.selectors import check_standing
from backend.runs.models import Run

AT_ONCE = 2000
SUSPECT_COLUMNS = (
    "image",
    "corpus",
    "shard",
    "picture",
    "bits",
    "cosine",
    "rules",
    "decision",
    "decided_by",
    "decided_at",
)
NO_POOL = "This image has no retrieved captions yet. Run Retrieve."
NO_NEIGHBOUR = "This caption is not from a corpus, or the corpus is not registered any more."


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


def list_suspects(*, project: Project, decision: str = "", min_cosine: float | None = None) -> QuerySet[Suspect]:
    """Pictures that may be an image itself, oldest first, of one decision where one is named.

    `min_cosine` leaves out those that look less alike. What the hash alone suspects has no cosine, and stays.
    """
    suspects = described(Suspect.objects.filter(image__project=project)).order_by("id")
    if min_cosine is not None:
        suspects = suspects.filter(at_least(min_cosine))
    return suspects.filter(decision=decision) if decision else suspects


def described(suspects: QuerySet[Suspect]) -> QuerySet[Suspect]:
    """With all that SuspectOut shows: both pictures, and who decided."""
    decisions = SuspectDecision.objects.select_related("decided_by").order_by("id")
    return suspects.select_related("image", "neighbour__corpus").prefetch_related(Prefetch("decisions", decisions))


def word_on(suspect: Suspect) -> SuspectDecision | None:
    """The newest word of a person on a `described` suspect; None where there is none, or it was taken back."""
    decisions = suspect.decisions.all()  # prefetched, oldest first
    return decisions[len(decisions) - 1] if decisions and suspect.decision != Suspicion.OPEN else None


def count_suspects(*, project: Project) -> dict[str, int]:
    """How many suspects there are of each decision, one query."""
    rows = Suspect.objects.filter(image__project=project).order_by().values_list("decision")
    counted = dict(rows.annotate(n=Count("id")))
    return {decision.value: counted.get(decision.value, 0) for decision in Suspicion}


def count_open_by_cosine(*, project: Project) -> list[dict[str, Any]]:
    """How many open suspects have which cosine, in thousandths and ascending; last those that only the hash found."""
    open_ = Suspect.objects.filter(image__project=project, decision=Suspicion.OPEN).order_by()
    counted = Counter[int | None]()
    for cosine, n in open_.values_list("cosine").annotate(n=Count("id")):
        counted[None if cosine is None else floor(round(cosine * 1000, 6))] += n
    known = sorted(step for step in counted if step is not None)
    return [{"cosine": step / 1000, "n": counted[step]} for step in known] + (
        [{"cosine": None, "n": counted[None]}] if counted[None] else []
    )


def iter_suspect_rows(suspects: QuerySet[Suspect]) -> Iterator[dict[str, Any]]:
    """What a table of suspects has of each; a few thousand at a time, however many there are."""
    for suspect in suspects.iterator(chunk_size=AT_ONCE):
        newest = word_on(suspect)
        yield {
            "image": suspect.image.key,
            "corpus": suspect.neighbour.corpus.name,
            "shard": suspect.neighbour.shard,
            "picture": suspect.neighbour.key,
            "bits": suspect.bits,
            "cosine": suspect.cosine,
            "rules": " ".join(suspect.rules),
            "decision": suspect.decision,
            "decided_by": newest.decided_by.shown_name if newest else "",
            "decided_at": newest.created_at.isoformat() if newest else "",
        }


def get_suspect(*, user: User, suspect_id: int) -> Suspect:
    """A suspect, for reviewers of its project. Raises NotFound outside their projects, NotAllowed inside."""
    suspect = described(Suspect.objects.filter(pk=suspect_id)).first()
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
