"""Reads over candidates: one image's pool, counts for a page of images, counters for projects."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import MD5, Cast, Coalesce, NullIf

from backend.candidates.models import Candidate, CandidateStatus, Decision, SuggestedEdit
from backend.catalogue.models import Image
from backend.catalogue.selectors import all_targets, target_images
from backend.common.errors import NotFound
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus

KEPT = Q(status=CandidateStatus.KEPT)
# Hidden controls, whose rows the annotation room above holds, are in no pool, count or stage: they become no data.
ORDINARY = Q(control=None)
NEW = Q(status=CandidateStatus.NEW)
# Not read by Suggest edits, or with another text by now.
UNREAD = ~Q(suggested_digest=MD5("text"))


@dataclass(frozen=True)
class ImageCounts:
    """How many candidates an image has, and how many of them cleaning kept."""

    image: int
    n_candidates: int
    n_kept: int


# Sorts of a pool by keys none of which is null, the last unique: what has no similarity or rank comes last.
SORTS = {
    "oldest": ("id",),
    "newest": ("-id",),
    "source": ("source", "id"),
    "similarity": ("-sort_similarity", "id"),
    "rank": ("sort_rank", "id"),
    "generic": ("-sort_generic", "id"),
}
EXACTLY = {"status": "status", "source": "source", "rule": "drop_rule"}
LEAST_SIMILARITY = -2.0  # below every cosine
LEAST_SHARE = -1.0  # below every share of pictures
LAST_RANK = 2**31 - 1  # the largest that fits the column


def list_candidates(
    *,
    project: Project,
    image_id: int,
    flag: str = "",
    suggests: str = "",
    generic: str = "",
    text: str = "",
    **exactly: Any,
) -> QuerySet[Candidate]:
    """An image's pool, oldest first, as far as it fits what is asked; `text` is looked for in both texts.

    `suggests` is a kind of edit that is suggested for the caption, `generic` asks for what fits many other images;
    `exactly` are status, source and rule. What is empty asks nothing. Raises NotFound outside the project.
    """
    if not Image.objects.filter(project=project, pk=image_id).exists():
        raise NotFound()
    pool = described(Candidate.objects.filter(ORDINARY, project=project, image=image_id))
    pool = pool.filter(**{EXACTLY[name]: value for name, value in exactly.items() if value})
    pool = pool.filter(Q(raw_text__icontains=text) | Q(text__icontains=text)) if text else pool
    pool = suggested(pool, suggests) if suggests else pool
    pool = flagged_generic(pool) if generic else pool
    return flagged(pool, flag) if flag else pool


def kept_captions(*, project: Project) -> QuerySet[Candidate]:
    """The kept captions of the project's target images, in no order: what generic scores."""
    return shown_captions(project=project).filter(ORDINARY)


def shown_captions(*, project: Project) -> QuerySet[Candidate]:
    """Those and the hidden controls among them: a control without suggested edits could be told by it."""
    return Candidate.objects.filter(KEPT, query=None, image__in=target_images(project=project).order_by())


def suggested(candidates: QuerySet[Candidate], kind: str) -> QuerySet[Candidate]:
    """Those for which an edit of this kind is suggested."""
    return candidates.filter(Exists(standing_suggestions().filter(candidate=OuterRef("pk"), kind=kind)))


def standing_suggestions() -> QuerySet[SuggestedEdit]:
    """Suggested edits in the order of their places, but those of a text that is not its candidate's any more."""
    return SuggestedEdit.objects.filter(text_digest=MD5("candidate__text")).order_by("candidate_id", "position")


def suggestions_by_candidate(*, candidate_ids: Collection[int], image_id: int) -> dict[int, list[SuggestedEdit]]:
    """`{candidate: its suggestions in the order of their places}`; none at all where one of these, or of the other
    captions kept for the image, was not looked into as it stands: nobody may tell by it which of them came later, as
    hidden controls do."""
    looked_at = Candidate.objects.filter(Q(pk__in=candidate_ids) | Q(KEPT, image=image_id, query=None))
    if looked_at.filter(UNREAD).exists():
        return {}
    found: dict[int, list[SuggestedEdit]] = {}
    for one in standing_suggestions().filter(candidate__in=candidate_ids):
        found.setdefault(one.candidate_id, []).append(one)
    return found


def count_suggested(*, project: Project, image_id: int) -> dict[str, int]:
    """{kind of edit: captions of the image for which one is suggested}, one query."""
    pool = Candidate.objects.filter(ORDINARY, project=project, image=image_id)
    mine = standing_suggestions().filter(candidate__in=pool).order_by("kind")
    return dict(mine.values_list("kind").annotate(n=Count("candidate", distinct=True)))


def flagged_generic(candidates: QuerySet[Candidate]) -> QuerySet[Candidate]:
    """The kept ones that fit many other images, by a score of the text as it stands."""
    return candidates.filter(KEPT, generic__text_digest=MD5("text")).exclude(generic__reason="")


def count_generic(*, project: Project, image_id: int) -> int:
    """How many of an image's kept captions are flagged as generic, one query."""
    return flagged_generic(Candidate.objects.filter(ORDINARY, project=project, image=image_id)).count()


def flagged(candidates: QuerySet[Candidate], name: str) -> QuerySet[Candidate]:
    """The kept ones with this flag. SQLite cannot look into JSON for it, so its text is searched."""
    kept = candidates.filter(KEPT)
    return kept.annotate(flags_text=Cast("flags", TextField())).filter(flags_text__contains=f'"{name}"')


def described(candidates: QuerySet[Candidate]) -> QuerySet[Candidate]:
    """With all that CandidateOut shows: what each repeats, who decided, suggestions, G; and what SORTS sorts by."""
    repeated = Candidate.objects.filter(image=OuterRef("image"), key=OuterRef("drop_detail")).order_by()
    words = Coalesce(NullIf("text", Value("", TextField())), "raw_text")
    repeats_text = Subquery(repeated.annotate(words=words).values("words")[:1])
    shown = _sortable(candidates).annotate(repeats_id=Subquery(repeated.values("id")[:1]), repeats_text=repeats_text)
    return shown.select_related("generic").prefetch_related(
        Prefetch("decisions", Decision.objects.select_related("decided_by").order_by("id")),
        Prefetch("suggestions", standing_suggestions()),
    )


def _sortable(candidates: QuerySet[Candidate]) -> QuerySet[Candidate]:
    """With what SORTS sorts by; a score of another text is none."""
    score = Coalesce("generic__score", Value(LEAST_SHARE))
    return candidates.annotate(
        sort_similarity=Coalesce("similarity", Value(LEAST_SIMILARITY)),
        sort_rank=Coalesce("rank", Value(LAST_RANK)),
        sort_generic=Case(When(generic__text_digest=MD5("text"), then=score), default=Value(LEAST_SHARE)),
    )


def get_candidate(*, project: Project, candidate_id: int) -> Candidate:
    """One candidate of the project as CandidateOut shows it. Raises NotFound for ids that are not in it."""
    found = described(Candidate.objects.filter(project=project, pk=candidate_id)).first()
    if found is None:
        raise NotFound()
    return found


def count_by_image(*, project: Project, image_ids: Sequence[int]) -> list[ImageCounts]:
    """Counts for these images of the project in the order asked for, one query; images of others are left out."""
    images = Image.objects.filter(project=project, pk__in=image_ids)
    ordinary = Q(candidates__isnull=False, candidates__control=None)
    kept = ordinary & Q(candidates__status=CandidateStatus.KEPT)
    counted = images.annotate(n=Count("candidates", filter=ordinary), n_kept=Count("candidates", filter=kept))
    found = {row[0]: ImageCounts(*row) for row in counted.values_list("id", "n", "n_kept")}
    return [found[image_id] for image_id in image_ids if image_id in found]


def candidate_counters(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """{project id: {candidates, kept, new_candidates}} for every id asked for, one query."""
    rows = Candidate.objects.filter(ORDINARY, project__in=project_ids).order_by().values("project")
    counted = rows.annotate(n=Count("id"), n_kept=Count("id", filter=KEPT), n_new=Count("id", filter=NEW))
    counters = {project_id: {"candidates": 0, "kept": 0, "new_candidates": 0} for project_id in project_ids}
    for project_id, n, n_kept, n_new in counted.values_list("project", "n", "n_kept", "n_new"):
        counters[project_id] = {"candidates": n, "kept": n_kept, "new_candidates": n_new}
    return counters


def suggestion_counters(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """{project id: {without_suggestions}}: images of which annotators see no suggestion, because a caption that is kept
    for them was not read by Suggest edits; 0 where that never ran. Two queries."""
    done = Run.objects.filter(project__in=project_ids, stage="suggest_edits", status=RunStatus.SUCCEEDED).order_by()
    suggesting = set(done.values_list("project", flat=True))
    rows = Candidate.objects.filter(KEPT, UNREAD, query=None, image__in=all_targets(suggesting)).order_by()
    counted = rows.values_list("project").annotate(n=Count("image", distinct=True)) if suggesting else []
    return {each: {"without_suggestions": 0} for each in project_ids} | {
        project_id: {"without_suggestions": n} for project_id, n in counted
    }
