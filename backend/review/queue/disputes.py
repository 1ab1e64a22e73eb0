"""Pairs on which annotators, the consensus and head annotators differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from backend.projects.models import Project
from backend.review.models import PairTally, ReviewCase
from backend.review.queue.registered import consensus_rows

Kind = Literal["tie", "verdict_against_majority", "consensus_against_verdict", "low_agreement"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Order = Literal["entropy", "votes", "newest"]
KEYSETS: dict[Order, tuple[str, ...]] = {
    "entropy": ("-entropy", "candidate_id"),
    "votes": ("-n_votes", "candidate_id"),
    "newest": ("-changed_at", "candidate_id"),
}
COLUMNS = ("candidate", "key", "image", "text", "kinds", "good", "bad", "unsure", "entropy", "consensus", "verdict")
CHUNK = 2000


@dataclass(frozen=True)
class Dispute:
    """A pair in dispute, with its votes as the queue last saw them, and its case in the queue if it has one."""

    tally: PairTally
    kinds: list[Kind]
    consensus: str | None
    case_id: int | None


def list_disputes(*, project: Project, kind: str = "", order: Order = "entropy") -> QuerySet[PairTally]:
    """Pairs in dispute of one kind or of all. First come those with the most divided votes, with the most votes, or
    with the newest vote or verdict."""
    rows = _with_consensus(PairTally.objects.filter(project=project))
    rows = rows.annotate(n_votes=F("n_good") + F("n_bad") + F("n_unsure"))
    conditions = {
        "tie": Q(is_tie=True),
        "low_agreement": Q(is_low=True),
        "verdict_against_majority": Q(is_against=True),
        "consensus_against_verdict": ~Q(verdict="") & ~Q(consensus="") & ~Q(consensus=F("verdict")),
    }
    if kind:
        wanted = conditions[kind]
    else:
        wanted = Q(pk__in=[])
        for condition in conditions.values():
            wanted |= condition
    return rows.filter(wanted).select_related("candidate__image", "candidate__query").order_by(*KEYSETS[order])


def describe_disputes(rows: Sequence[PairTally]) -> list[Dispute]:
    """The rest of the columns, in one statement."""
    cases = ReviewCase.objects.filter(candidate__in=[row.pk for row in rows], is_second_look=False)
    case_of = dict(cases.values_list("candidate", "pk"))
    return [Dispute(row, kinds_of(row), row.consensus or None, case_of.get(row.pk)) for row in rows]  # type: ignore[attr-defined]  # annotated


def kinds_of(row: PairTally) -> list[Kind]:
    """In which ways the pair is in dispute; of rows of `list_disputes`."""
    consensus = row.consensus  # type: ignore[attr-defined]  # annotated
    is_so: dict[Kind, bool] = {
        "tie": row.is_tie,
        "verdict_against_majority": row.is_against,
        "consensus_against_verdict": bool(row.verdict and consensus and consensus != row.verdict),
        "low_agreement": row.is_low,
    }
    return [kind for kind in KINDS if is_so[kind]]


def count_disputes(*, project: Project) -> int:
    return list_disputes(project=project).count()


def dispute_lines(*, project: Project, kind: str = "", order: Order = "entropy") -> Iterator[dict[str, object]]:
    """All of them as lines of a CSV."""
    for row in list_disputes(project=project, kind=kind, order=order).iterator(chunk_size=CHUNK):
        pair = row.candidate
        yield {
            "candidate": pair.pk, "key": pair.key, "image": pair.image.key, "text": pair.text,
            "kinds": " ".join(kinds_of(row)), "good": row.n_good, "bad": row.n_bad, "unsure": row.n_unsure,
            "entropy": round(row.entropy, 6), "consensus": row.consensus, "verdict": row.verdict,  # type: ignore[attr-defined]  # annotated
        }  # fmt: skip


def _with_consensus(rows: QuerySet[PairTally]) -> QuerySet[PairTally]:
    known = consensus_rows()
    if known is None:
        return rows.annotate(consensus=Value(""))
    label = known.filter(candidate=OuterRef("candidate")).values("label")[:1]
    return rows.annotate(consensus=Coalesce(Subquery(label), Value("")))
