"""Reads over consensus and selections. Votes are counted by the database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q, QuerySet, Sum

from backend.annotation.models import AnnotatorState, AssignmentStatus, HitItem
from backend.annotation.selectors import counted_judgments, last_settled_judgment, pairs_in_hits
from backend.candidates.models import Candidate, CandidateStatus
from backend.catalogue.models import Image
from backend.common.errors import NotFound
from backend.common.labels import Label
from backend.curation.models import (
    CaptionChoice,
    ChoiceKind,
    Consensus,
    Difficulty,
    ModelScore,
    Selection,
    SelectionItem,
    SelectionStatus,
)
from backend.methods.aggregation import READINGS, UnsureReading, category_under
from backend.methods.consensus import Votes
from backend.projects.models import Project
from backend.review.queue.registered import ModelVote
from backend.runs.models import Run, RunStatus

SHARD = 200


@dataclass(frozen=True)
class Pool:
    """The good captions of one image, in the order of their keys; `rejected` are the ids and keys of its bad ones."""

    image_id: int
    digest: str
    candidate_ids: tuple[int, ...]
    keys: tuple[str, ...]
    texts: tuple[str, ...]
    pinned: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()
    rejected: tuple[tuple[int, str], ...] = ()

    @property
    def n_eligible(self) -> int:
        """How many may be chosen."""
        return len(self.keys) - len(self.banned)


@dataclass(frozen=True)
class ChosenCaptions:
    """The captions chosen for one image, in their order; `original` is the storage name of its file."""

    digest: str
    original: str
    item_ids: tuple[int, ...]
    texts: tuple[str, ...]


def get_last_judgment_id(*, project: Project) -> int:
    """The newest judgment there is now, none of those before it under way. Judgments are appended, so that an id names
    a moment."""
    return last_settled_judgment(project=project)


def count_answers(*, project: Project) -> int:
    """The answers that people have ever given, with changed ones and those to test questions: a sum of counters."""
    return _count_answers([project.pk]).get(project.pk, 0)


def _count_answers(project_ids: Sequence[int]) -> dict[int, int]:
    states = AnnotatorState.objects.filter(project__in=project_ids).order_by().values_list("project")
    return dict(states.annotate(n=Sum(F("n_judgments") + F("n_revised"))))


def list_judged_pairs(*, project: Project, after: int, limit: int) -> list[int]:
    """Ids of the next pairs that lie in a HIT, in ascending order."""
    items = pairs_in_hits(project=project).filter(candidate_id__gt=after)
    return list(items.order_by("candidate_id").values_list("candidate_id", flat=True)[:limit])


def count_pairs_in_hits(*, project: Project) -> int:
    return pairs_in_hits(project=project).count()


def count_votes(*, project: Project, first: int, last: int, until: int) -> dict[int, Votes]:
    """Votes that count by candidate id, from `first` to `last`, both in, as they stood at judgment `until`."""
    counted = counted_judgments(project=project, until=until)
    counted = counted.filter(candidate_id__gte=first, candidate_id__lte=last)
    by_label = {label: Count("pk", filter=Q(label=label)) for label in Label.values}
    rows = counted.order_by().values_list("candidate_id").annotate(**by_label)
    return {candidate_id: Votes(good, bad, unsure) for candidate_id, good, bad, unsure in rows}


def count_places(*, project: Project, pairs: Sequence[int]) -> dict[int, int]:
    """How many votes each pair waits for: one by each slot of its HITs; but 1 where a head annotator decided on it, and
    once all slots of its HITs are submitted, as then nobody is asked about it any more.

    Where the overlap is fixed, no more than that, or than a head annotator asked for: a slot whose judgments do not
    count any more stays.
    """
    items = HitItem.objects.filter(hit__project=project, candidate__in=pairs, control=None).order_by()
    is_submitted = Q(hit__slots__assignment__status=AssignmentStatus.SUBMITTED)
    rows = items.values_list("candidate_id").annotate(
        n=Count("hit__slots"),
        n_submitted=Count("hit__slots", filter=is_submitted),
        n_decided=Count("pk", filter=Q(is_decided=True)),
        n_asked=Max("asked"),
    )
    is_fixed = project.confidence is None
    return {
        pair: 1 if decided or n == n_done else min(n, max(project.overlap, asked)) if is_fixed else n
        for pair, n, n_done, decided, asked in rows
    }


def count_categories(*, project: Project) -> dict[UnsureReading, Counter[str]]:
    """How many pairs are in which of ConQA's categories, under each reading of unsure; `no_votes` where it leaves none.
    One query."""
    rows = Consensus.objects.filter(candidate__project=project).order_by()
    counts: dict[UnsureReading, Counter[str]] = {reading: Counter() for reading in READINGS}
    for good, bad, unsure, n in rows.values_list("n_good", "n_bad", "n_unsure").annotate(n=Count("pk")):
        for reading in READINGS:
            counts[reading][category_under(Votes(good, bad, unsure), reading) or "no_votes"] += n
    return counts


def get_summary(*, project: Project) -> dict[str, Any]:
    """What the last consensus came to: pairs by label (`open` where there is none), by what decided, by category."""
    rows = Consensus.objects.filter(candidate__project=project).order_by()
    labels, deciders = Counter[str](), Counter[str]()
    grouped = rows.values_list("label", "method").annotate(n=Count("pk"), n_verdicts=Count("verdict"))
    for label, method, n, n_verdicts in grouped:
        labels[label or "open"] += n
        deciders.update({method: n - n_verdicts, "verdict": n_verdicts})
    categories = count_categories(project=project)
    return {
        "n_pairs": labels.total(),
        "labels": dict(labels),
        "decided_by": dict(+deciders),
        "readings": [{"reading": reading, "categories": dict(counts)} for reading, counts in categories.items()],
    }


def read_consensus_labels(candidates: Collection[int]) -> dict[int, str]:
    """The label of each of the pairs that the last consensus gave one. One statement."""
    rows = Consensus.objects.filter(candidate__in=candidates).exclude(label="").order_by()
    return dict(rows.values_list("candidate", "label"))


def list_image_digests(*, project: Project, status: str | None = None) -> list[str]:
    """Digests of the project's images in byte order, whatever the collation; of one selection status if given.

    Sorted here: a hundred thousand of them are eleven megabytes.
    """
    images = Image.objects.filter(project=project)
    if status is not None:
        images = images.filter(selection__status=status)
    return sorted(images.order_by().values_list("digest", flat=True))


def list_pools(*, project: Project, digests: Sequence[str]) -> list[Pool]:
    """The good captions of these images, one pool each, in the order of `digests`; three queries."""
    images = dict(Image.objects.filter(project=project, digest__in=digests).values_list("digest", "pk"))
    judged = Candidate.objects.filter(
        image_id__in=images.values(), status=CandidateStatus.KEPT, consensus__label__in=(Label.GOOD, Label.BAD)
    ).order_by()
    good: dict[int, list[tuple[str, int, str]]] = defaultdict(list)
    rejected: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for image_id, key, pk, text, label in judged.values_list("image_id", "key", "pk", "text", "consensus__label"):
        if label == Label.GOOD:
            good[image_id].append((key, pk, text))
        else:
            rejected[image_id].append((pk, key))
    choices = standing_choices(images=images.values())
    return [
        _pool(images[digest], digest, good[images[digest]], choices, rejected[images[digest]]) for digest in digests
    ]


def _pool(
    image_id: int,
    digest: str,
    rows: list[tuple[str, int, str]],
    choices: Mapping[int, CaptionChoice],
    rejected: list[tuple[int, str]],
) -> Pool:
    rows = sorted(rows)
    wanted = {key: choices[pk].kind for key, pk, _ in rows if pk in choices}
    return Pool(
        image_id,
        digest,
        tuple(row[1] for row in rows),
        tuple(row[0] for row in rows),
        tuple(row[2] for row in rows),
        frozenset(key for key, kind in wanted.items() if kind == ChoiceKind.PIN),
        frozenset(key for key, kind in wanted.items() if kind == ChoiceKind.BAN),
        tuple(rejected),
    )


def standing_choices(*, images: Collection[int]) -> dict[int, CaptionChoice]:
    """The pin or ban of each caption of these images that has one, by candidate id. One query."""
    later = CaptionChoice.objects.filter(candidate=OuterRef("candidate"), pk__gt=OuterRef("pk"))
    rows = CaptionChoice.objects.filter(~Exists(later), candidate__image__in=images).exclude(kind="")
    return {row.candidate_id: row for row in rows.select_related("made_by")}


def count_overpinned(*, project: Project, k: int) -> int:
    """Images with more than k pinned captions that are good. One query."""
    later = CaptionChoice.objects.filter(candidate=OuterRef("candidate"), pk__gt=OuterRef("pk"))
    pins = CaptionChoice.objects.filter(
        ~Exists(later), kind=ChoiceKind.PIN, candidate__project=project, candidate__status=CandidateStatus.KEPT,
        candidate__consensus__label=Label.GOOD,
    )  # fmt: skip
    rows = pins.order_by().values("candidate__image").annotate(n=Count("pk")).filter(n__gt=k)
    return rows.count()


def list_short_pools(*, project: Project) -> QuerySet[Selection]:
    """The images with too few good captions, as the last Select left them."""
    return Selection.objects.filter(image__project=project, status=SelectionStatus.SHORT_POOL)


def list_chosen_captions(*, project: Project, digests: Sequence[str]) -> list[ChosenCaptions]:
    """What was chosen for these images, in the order of `digests`, without those that have no choice. Two queries."""
    images = Image.objects.filter(project=project, digest__in=digests).order_by()
    originals = dict(images.values_list("digest", "original"))
    items = SelectionItem.objects.filter(selection__image__in=images).order_by("selection_id", "position")
    rows: dict[str, list[tuple[int, str]]] = {}
    for digest, pk, text in items.values_list("selection__image__digest", "pk", "candidate__text"):
        rows.setdefault(digest, []).append((pk, text))
    return [
        ChosenCaptions(
            digest, originals[digest], tuple(pk for pk, _ in rows[digest]), tuple(text for _, text in rows[digest])
        )
        for digest in digests
        if digest in rows
    ]


def get_image(*, project: Project, image_id: int) -> Image:
    """An image of the project. Raises NotFound."""
    found = Image.objects.filter(project=project, pk=image_id).first()
    if found is None:
        raise NotFound()
    return found


def get_selection(*, image: Image) -> Selection | None:
    """What was chosen for the image, its captions and their difficulty loaded; None before Select ran."""
    items = SelectionItem.objects.select_related("candidate", "difficulty").order_by("position")
    loaded = (Prefetch("items", queryset=items), Prefetch("items__difficulty__scores", queryset=panel_scores()))
    return Selection.objects.filter(image=image).defer("places").prefetch_related(*loaded).first()


def panel_scores() -> QuerySet[ModelScore]:
    """The votes that make categories, with their models, in the panel's order; not those of extra models."""
    return ModelScore.objects.filter(is_in_panel=True).select_related("rater").order_by("difficulty_id", "position")


def list_votes(*, image: Image) -> QuerySet[Consensus]:
    """The consensus on each pair of the image, oldest caption first."""
    rows = Consensus.objects.filter(candidate__image=image).select_related("candidate", "verdict")
    choices = Prefetch("candidate__choices", queryset=CaptionChoice.objects.select_related("made_by").order_by("id"))
    return rows.prefetch_related(choices).order_by("candidate_id")


def read_counters(project_ids: Sequence[int]) -> dict[int, dict[str, int]]:
    """`agreed_good`: pairs whose consensus is good. `selected`: images with their captions chosen. `rated`: chosen
    captions that every model of a panel has voted on. `new_answers`: answers that the last consensus has not seen.
    Five queries, none of the judgments."""
    names = ("agreed_good", "selected", "rated", "new_answers")
    counts = {project_id: dict.fromkeys(names, 0) for project_id in project_ids}
    good = Consensus.objects.filter(candidate__project__in=project_ids, label=Label.GOOD).order_by()
    chosen = Selection.objects.filter(image__project__in=project_ids, status=SelectionStatus.SELECTED).order_by()
    for project_id, n in good.values_list("candidate__project").annotate(n=Count("pk")):
        counts[project_id]["agreed_good"] = n
    for project_id, n in chosen.values_list("image__project").annotate(n=Count("pk")):
        counts[project_id]["selected"] = n
    rated = Difficulty.objects.filter(item__candidate__project__in=project_ids, n_votes__isnull=False).order_by()
    for project_id, n in rated.values_list("item__candidate__project").annotate(n=Count("pk")):
        counts[project_id]["rated"] = n
    for project_id, n in _count_new_answers(project_ids).items():
        counts[project_id]["new_answers"] = n
    return counts


def _count_new_answers(project_ids: Sequence[int]) -> dict[int, int]:
    """Of projects with a consensus. A run of an older version did not note what it saw, and nothing is said of it."""
    done = Run.objects.filter(project__in=project_ids, stage="consensus", status=RunStatus.SUCCEEDED)
    cursors = dict(done.order_by("created_at").values_list("project", "cursor"))
    now = _count_answers(list(cursors)) if cursors else {}
    return {pk: max(0, now.get(pk, 0) - cursor["answers"]) for pk, cursor in cursors.items() if "answers" in cursor}


def consensus_rows() -> QuerySet[Consensus]:
    """What the review queue compares decisions with."""
    return Consensus.objects.all()


def read_model_votes(pairs: Collection[int]) -> dict[int, list[ModelVote]]:
    """What the models of the difficulty panel say of those pairs that were chosen, in the panel's order."""
    scores = ModelScore.objects.filter(is_in_panel=True, difficulty__item__candidate__in=pairs)
    found: dict[int, list[ModelVote]] = {}
    told = ("difficulty__item__candidate", "rater__name", "vote", "score")
    for pair, model, vote, score in scores.order_by("difficulty", "position").values_list(*told):
        found.setdefault(pair, []).append(ModelVote(model, vote, score))
    return found
