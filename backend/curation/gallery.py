"""The images of a project as the gallery shows them: filtered, sorted, searched, and marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from backend.annotation.models import Assignment, AssignmentStatus, Hit
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.catalogue.selectors import list_images
from backend.curation.models import Selection, SelectionItem, SelectionStatus
from backend.projects.models import Project
from backend.review.models import PairTally
from backend.review.queue.disputes import list_disputes

State = Literal["selected", "short_pool", "disputed", "unjudged", "in_no_task"]
STATES: tuple[State, ...] = get_args(State)
Sort = Literal["oldest", "newest", "name", "disputes"]
KEYSETS: dict[Sort, tuple[str, ...]] = {
    "oldest": ("id",),
    "newest": ("-id",),
    "name": ("key", "id"),
    "disputes": ("-n_disputed", "id"),
}


@dataclass(frozen=True)
class Marks:
    """What is known of one image: chosen captions, captions in dispute, submitted assignments, and its tasks."""

    image: int
    n_selected: int
    n_disputed: int
    n_assignments: int
    n_hits: int


def list_gallery(
    *,
    project: Project,
    q: str = "",
    state: State | None = None,
    sort: Sort = "oldest",
    images: Sequence[int] | None = None,
) -> QuerySet[Image]:
    """The images with these words in their key, title, author or a kept caption, and in this state; of `images` alone
    where these are named."""
    found = list_images(project=project)
    if images is not None:
        found = found.filter(pk__in=images)
    if sort == "disputes":
        mine = _disputes(project).filter(candidate__image=OuterRef("pk")).values("candidate__image")
        counted = mine.annotate(n=Count("pk")).values("n")
        found = found.annotate(n_disputed=Coalesce(Subquery(counted), 0))
    found = found.order_by(*KEYSETS[sort])
    if words := q.strip():
        captions = Candidate.objects.filter(image=OuterRef("pk"), status=CandidateStatus.KEPT, text__icontains=words)
        of_image = Q(key__icontains=words) | Q(title__icontains=words) | Q(author__icontains=words)
        found = found.filter(of_image | Exists(captions))
    return found.filter(_in_state(project, state)) if state else found


def _in_state(project: Project, state: State) -> Q:
    hits = Hit.objects.filter(image=OuterRef("pk"))
    done = Assignment.objects.filter(hit__image=OuterRef("pk"), status=AssignmentStatus.SUBMITTED)
    selections = Selection.objects.filter(image=OuterRef("pk"))
    if state == "selected":
        return Q(Exists(selections.filter(status=SelectionStatus.SELECTED)))
    if state == "short_pool":
        return Q(Exists(selections.filter(status=SelectionStatus.SHORT_POOL)))
    if state == "disputed":
        return Q(pk__in=_disputes(project).values("candidate__image"))
    if state == "unjudged":
        return Q(Exists(hits)) & ~Q(Exists(done))
    return ~Q(Exists(hits))


def _disputes(project: Project) -> QuerySet[PairTally]:
    return list_disputes(project=project).order_by()


def read_marks(*, project: Project, image_ids: Sequence[int]) -> list[Marks]:
    """The marks of these images of the project in the order asked for; images of others are left out. Five queries."""
    known = set(Image.objects.filter(project=project, pk__in=image_ids).values_list("pk", flat=True))
    chosen = SelectionItem.objects.filter(selection__image__in=known, selection__status=SelectionStatus.SELECTED)
    done = Assignment.objects.filter(hit__image__in=known, status=AssignmentStatus.SUBMITTED)
    disputed = _disputes(project).filter(candidate__image__in=known)
    counts = [
        _count(rows, field)
        for rows, field in (
            (chosen, "selection__image"),
            (disputed, "candidate__image"),
            (done, "hit__image"),
            (Hit.objects.filter(image__in=known, part__isnull=False, root=None), "image"),
        )
    ]
    return [Marks(pk, *(each.get(pk, 0) for each in counts)) for pk in image_ids if pk in known]


def _count(rows: QuerySet[Any], image: str) -> dict[int, int]:
    return dict(rows.order_by().annotate(of=F(image)).values_list("of").annotate(n=Count("pk")))
