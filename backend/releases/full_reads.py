"""Reads every caption of a project with every judgment of it, in a few queries and with flat memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from backend.annotation.models import AnnotatorState, AnnotatorStatus, AssignmentStatus, Judgment
from backend.annotation.selectors import unnamed_voters
from backend.candidates.models import Candidate
from backend.catalogue.models import Image
from backend.curation.models import SelectionItem
from backend.methods.exports.choices import Choices
from backend.methods.exports.full_tables import Said
from backend.methods.exports.splits import draw_splits
from backend.projects.models import Project
from backend.releases.full_tables import FullCaption, Standing

ROWS = 2000  # that the database sends at once
FACTS = (
    "key", "text", "raw_text", "source", "source_ref", "page_url", "rank", "similarity", "status", "drop_rule",
    "drop_detail",
)  # fmt: skip
CONSENSUS = ("label", "n_good", "n_bad", "n_unsure", "category", "entropy")
OF_JUDGMENT = (
    "candidate_id", "pk", "annotator_id", "label", "lens", "is_generic", "edits", "comment", "ms", "position",
    "assignment__options", "assignment__submitted_at", "assignment__status",
)  # fmt: skip
IN_ORDER = ("image__digest", "key")  # both hexadecimal: every collation sorts them alike


def draw_project_splits(*, project: Project, digests: Sequence[str], choices: Choices) -> dict[str, str]:
    """The split of each of these images by its digest; near-duplicates together."""
    known = dict(Image.objects.filter(project=project).order_by().values_list("digest", "perceptual_hash"))
    return draw_splits(digests, [known[digest] for digest in digests], choices.shares, seed=choices.seed)


def iterate_captions(*, project: Project, splits: Mapping[str, str]) -> Iterator[FullCaption]:
    """Every caption that is not a test question, by image and key. `splits` are those of the released images."""
    judgments = _judgments(project)
    waiting = next(judgments, None)
    for row in list_caption_values(project=project).iterator(chunk_size=ROWS):
        said: tuple[Said, ...] = ()
        if waiting is not None and waiting[0] == row["pk"]:
            said, waiting = waiting[1], next(judgments, None)
        yield FullCaption(caption_row(row, splits), said, row["consensus__counted_until"])


def list_caption_values(*, project: Project) -> QuerySet[Candidate, dict[str, Any]]:
    """What `caption_row` takes, of every caption that is not a test question, by image and key."""
    chosen = SelectionItem.objects.filter(candidate=OuterRef("pk")).values("position")[:1]
    consensus = [f"consensus__{name}" for name in (*CONSENSUS, "counted_until", "method", "verdict_id")]
    rows = Candidate.objects.filter(project=project, control=None).order_by(*IN_ORDER)
    with_place: QuerySet[Candidate, dict[str, Any]] = rows.annotate(chosen_at=Subquery(chosen)).values(
        "pk", "image__digest", "chosen_at", *FACTS, *consensus
    )
    return with_place


def caption_row(row: Mapping[str, Any], splits: Mapping[str, str]) -> dict[str, Any]:
    """A row of candidates.parquet. `splits` are those of the released images."""
    has_consensus = row["consensus__method"] is not None
    decided_by = "verdict" if row["consensus__verdict_id"] else row["consensus__method"]
    empty_as_null = {name: row[name] if row[name] != "" else None for name in FACTS}
    return {
        **empty_as_null,
        "image": row["image__digest"],
        "split": splits.get(row["image__digest"]),
        **{name: row[f"consensus__{name}"] if row[f"consensus__{name}"] != "" else None for name in CONSENSUS},
        "decided_by": decided_by if has_consensus else None,
        "position": row["chosen_at"],
    }


def _judgments(project: Project) -> Iterator[tuple[int, tuple[Said, ...]]]:
    """(candidate id, its judgments), in the order of the candidates; answers to test questions are left out."""
    unnamed = set(unnamed_voters(project=project))
    excluded = set(
        AnnotatorState.objects.filter(project=project, state=AnnotatorStatus.EXCLUDED).values_list("user_id", flat=True)
    )
    rows = (
        Judgment.objects.filter(candidate__project=project, candidate__control=None, control=None)
        .order_by("candidate__image__digest", "candidate__key", "pk")
        .values_list(*OF_JUDGMENT)
        .iterator(chunk_size=ROWS)
    )
    for candidate, of_candidate in groupby(rows, key=lambda row: row[0]):
        yield candidate, tuple(_said(row, unnamed, excluded) for row in of_candidate)


def _said(row: tuple[Any, ...], unnamed: set[int], excluded: set[int]) -> Said:
    _, pk, annotator, label, lens, is_generic, edits, comment, ms, position, options, submitted_at, status = row
    return Said(
        who="" if annotator in unnamed else str(annotator),
        number=pk, label=label, lens=lens, is_generic=is_generic, edits=edits, comment=comment, ms=ms,
        position=position, options=options,
        submitted_at=round(submitted_at.timestamp() * 1000) if submitted_at else None,
        is_late=status != AssignmentStatus.SUBMITTED, is_excluded=annotator in excluded,
    )  # fmt: skip


def read_standings(*, project: Project) -> dict[str, Standing]:
    """What is known of each annotator with a name, by the same token as in their judgments."""
    states = AnnotatorState.objects.filter(project=project, is_unnamed=False).order_by("user_id")
    return {
        str(state.user_id): Standing(
            state.state == AnnotatorStatus.EXCLUDED, state.n_graded - state.n_failed, state.n_graded
        )
        for state in states
    }
