"""Reads over what Select chose: counts, the images, the plane of one image, and the pins and bans of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Avg, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce

from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.curation.models import CaptionChoice, ChoiceKind, Selection, SelectionItem, SelectionStatus
from backend.curation.selectors import standing_choices
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus

# Along which keys the images are listed; the last is unique. What was not measured comes last.
ORDERS = {
    "image": ("image_id", "id"),
    "stability": ("sort_stability", "id"),
    "similarity": ("-sort_similarity", "id"),
    "n_good": ("n_good", "id"),
}


def newest_choices(*, project: Project) -> QuerySet[CaptionChoice]:
    """The newest word of a person on each caption: a pin, a ban, or that either was taken back."""
    later = CaptionChoice.objects.filter(candidate=OuterRef("candidate"), pk__gt=OuterRef("pk"))
    return CaptionChoice.objects.filter(~Exists(later), candidate__project=project)


def waiting_choices(*, project: Project) -> QuerySet[CaptionChoice]:
    """Pins and bans that came, changed or went after the image was selected: the next Select reads them."""
    return newest_choices(project=project).filter(
        candidate__image__selection__run__started_at__lt=F("created_at")
    )  # fmt: skip


def get_selection_summary(*, project: Project) -> dict[str, Any]:
    """Counts over the images of the project, and the last run of Select. Five queries."""
    rows = Selection.objects.filter(image__project=project).order_by()
    short = Q(status=SelectionStatus.SHORT_POOL)
    counts = rows.aggregate(
        n_selected=Count("pk", filter=~short),
        n_short=Count("pk", filter=short),
        n_missing=Coalesce(Sum(F("n_wanted") - F("n_good"), filter=short), 0),
        n_with_negative=Count("negative", filter=~short),
        mean_stability=Avg("stability", filter=~short),
    )
    kinds = dict(newest_choices(project=project).order_by().values_list("kind").annotate(n=Count("pk")))
    waiting = waiting_choices(project=project).order_by().values("candidate__image").distinct().count()
    return {
        "n_images": Image.objects.filter(project=project).count(),
        **counts,
        "n_pinned": kinds.get(ChoiceKind.PIN, 0),
        "n_banned": kinds.get(ChoiceKind.BAN, 0),
        "n_waiting": waiting,
        "run": Run.objects.filter(project=project, stage="select", status=RunStatus.SUCCEEDED)
        .order_by("-finished_at")
        .first(),
    }


def list_selections(*, project: Project, status: str = "", order: str = "image") -> QuerySet[Selection]:
    """The images that Select looked at, with their captions, along the keys of ORDERS."""
    choices = CaptionChoice.objects.select_related("made_by").order_by("id")
    items = SelectionItem.objects.select_related("candidate").order_by("position")
    items = items.prefetch_related(Prefetch("candidate__choices", queryset=choices))
    rows = Selection.objects.filter(image__project=project).select_related("image").defer("places")
    rows = rows.annotate(
        sort_stability=Coalesce("stability", Value(2.0)), sort_similarity=Coalesce("mean_similarity", Value(-2.0))
    )
    if status:
        rows = rows.filter(status=status)
    return rows.prefetch_related(Prefetch("items", queryset=items)).order_by(*ORDERS[order])


def get_caption_space(*, image: Image) -> dict[str, Any]:
    """Where the good captions of an image lie on its plane, as Select left them; no points before it ran, and none
    where the pool was short. Pins and bans are those of now."""
    selection = Selection.objects.filter(image=image).first()
    if selection is None:
        return {"status": None, "variant": None, "method": "", "points": []}
    texts = dict(Candidate.objects.filter(pk__in=[place[0] for place in selection.places]).values_list("pk", "text"))
    chosen = set(selection.items.values_list("candidate", flat=True))
    choices = standing_choices(images=[image.pk])
    points = [
        {
            "candidate": pk,
            "text": texts[pk],
            "x": x,
            "y": y,
            "cluster": cluster,
            "is_chosen": pk in chosen,
            "is_pinned": pk in choices and choices[pk].kind == ChoiceKind.PIN,
            "is_banned": pk in choices and choices[pk].kind == ChoiceKind.BAN,
            "is_truncated": is_cut,
        }
        for pk, x, y, cluster, is_cut in selection.places
        if pk in texts
    ]
    return {"status": selection.status, "variant": selection.variant, "method": selection.method, "points": points}


def get_candidate(*, project: Project, candidate_id: int) -> Candidate:
    """A caption of the project. Raises NotFound."""
    found = Candidate.objects.filter(project=project, pk=candidate_id).select_related("image").first()
    if found is None:
        raise NotFound()
    return found


def list_choices(*, candidate: Candidate) -> Sequence[CaptionChoice]:
    """Every pin and ban of a caption, and each time that one was taken back, newest first."""
    return list(candidate.choices.select_related("made_by").order_by("-id"))
