"""How an annotator's answers changed after feedback of one kind.

The first feedback of a kind to a person is the cut: their `n` answers before it and their `n` answers after it are
compared with the verdicts of the head annotators. Where fewer than LEAST answers of either side have one, both sides
are compared with the majority of the other annotators instead, and the figure says so.

First answers only: one that was corrected because of the feedback tells nothing about later work. The answers that the
feedback is about stay in, for without them what came before would look better than it was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from backend.agreement.hooks import read_verdicts
from backend.annotation.models import DONE, Judgment
from backend.annotation.selectors import counted_judgments
from backend.feedback.models import FeedbackTemplate, Remark
from backend.feedback.selectors import NOT_WITHDRAWN
from backend.methods.quality import Difference, Share, difference_of_shares, share_of
from backend.people.models import User
from backend.projects.models import Project

LEAST = 10
KIND = Coalesce("template", 0)  # feedback without a template is a kind, too


class ComparedWith(StrEnum):
    VERDICTS = "verdicts"
    MAJORITY = "majority"


@dataclass(frozen=True)
class Effect:
    """Of one person and kind; `difference` is None where either side has nothing to compare."""

    annotator: User
    template: FeedbackTemplate | None
    n_remarks: int
    first_at: datetime
    last_at: datetime
    compared_with: ComparedWith
    before: Share | None
    after: Share | None
    difference: Difference | None


Row = tuple[int, str]  # candidate, label
Windows = tuple[list[Row], list[Row]]  # before the cut, after it


def list_firsts(*, project: Project, annotator: int | None = None) -> QuerySet[Remark]:
    """The first remark of each kind to each person, newest first: one effect each."""
    written = Remark.objects.filter(NOT_WITHDRAWN).annotate(kind=KIND)
    earlier = written.filter(
        project=OuterRef("project"), annotator=OuterRef("annotator"), kind=OuterRef("kind"), pk__lt=OuterRef("pk")
    )
    firsts = written.filter(~Exists(earlier), project=project)
    firsts = firsts if annotator is None else firsts.filter(annotator=annotator)
    return firsts.select_related("annotator", "template").order_by("-id")


def describe_effects(*, project: Project, firsts: Sequence[Remark], n: int) -> list[Effect]:
    """The effects of a page of `list_firsts`: two statements for each, and five for all."""
    windows = [
        (_window(project, first, n, is_after=False), _window(project, first, n, is_after=True)) for first in firsts
    ]
    pairs = {candidate for sides in windows for side in sides for candidate, _ in side}
    verdicts = read_verdicts(pairs)
    votes = _votes(project, pairs)
    totals = _totals(project, firsts)
    return [
        _effect(first, sides, verdicts, votes, totals[first.annotator_id, first.template_id])
        for first, sides in zip(firsts, windows, strict=True)
    ]


def _window(project: Project, first: Remark, n: int, *, is_after: bool) -> list[Row]:
    """The person's `n` answers next to the cut, on one side of it: along the index `assignment_done`."""
    side = "assignment__submitted_at__gt" if is_after else "assignment__submitted_at__lte"
    near = ("assignment__submitted_at", "position") if is_after else ("-assignment__submitted_at", "-position")
    rows = Judgment.objects.filter(
        assignment__annotator=first.annotator_id,
        assignment__project=project,
        assignment__status__in=DONE,
        supersedes=None,
        control=None,
        **{side: first.created_at},
    )
    return list(rows.order_by(*near).values_list("candidate", "label")[:n])


def _votes(project: Project, pairs: Iterable[int]) -> dict[int, dict[int, str]]:
    """Who says what of each pair, of the answers that count: {candidate: {annotator: label}}."""
    votes: dict[int, dict[int, str]] = defaultdict(dict)
    counted = counted_judgments(project=project).filter(candidate__in=list(pairs)).order_by()
    for candidate, annotator, label in counted.values_list("candidate", "annotator", "label"):
        votes[candidate][annotator] = label
    return votes


def _totals(project: Project, firsts: Sequence[Remark]) -> dict[tuple[int, int | None], tuple[int, datetime]]:
    """How many remarks of each kind each person got, and when the last."""
    written = Remark.objects.filter(
        NOT_WITHDRAWN, project=project, annotator__in={each.annotator_id for each in firsts}
    )
    rows = written.order_by().values_list("annotator", "template").annotate(n=Count("pk"), last=Max("created_at"))
    return {(annotator, template): (n, last) for annotator, template, n, last in rows}


def _effect(
    first: Remark,
    sides: Windows,
    verdicts: Mapping[int, str],
    votes: Mapping[int, Mapping[int, str]],
    total: tuple[int, datetime],
) -> Effect:
    tallies = [_tally(side, verdicts) for side in sides]
    compared_with = ComparedWith.VERDICTS
    if min(n for _, n in tallies) < LEAST:
        compared_with = ComparedWith.MAJORITY
        others = {pair: _majority(votes.get(pair, {}), first.annotator_id) for side in sides for pair, _ in side}
        tallies = [_tally(side, others) for side in sides]
    before, after = tallies
    return Effect(
        annotator=first.annotator,
        template=first.template,
        n_remarks=total[0],
        first_at=first.created_at,
        last_at=total[1],
        compared_with=compared_with,
        before=share_of(*before),
        after=share_of(*after),
        difference=difference_of_shares(before, after) if before[1] and after[1] else None,
    )


def _tally(rows: Iterable[Row], reference: Mapping[int, str]) -> tuple[int, int]:
    """How many answers are the label that the pair should have, and of how many that label is known."""
    compared = [(label, known) for pair, label in rows if (known := reference.get(pair))]
    return sum(label == known for label, known in compared), len(compared)


def _majority(votes: Mapping[int, str], but: int) -> str:
    """What more of the others say than say anything else; empty where there is none."""
    ranked = Counter(label for annotator, label in votes.items() if annotator != but).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return ""
    return ranked[0][0]
