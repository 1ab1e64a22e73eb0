"""What one person judged, newest first, beside what the others said: the head annotator reads it and writes remarks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from backend.annotation.models import DONE, Judgment, Label
from backend.annotation.selectors import counted_judgments, current_judgments
from backend.common.counting import count_of
from backend.projects.models import Project
from backend.review.models import Remark


@dataclass(frozen=True)
class JudgedRow:
    """A judgment with the votes of the others by label, the newest remark's id, and whether it is a hidden control."""

    judgment: Judgment
    others: dict[str, int]
    remark_id: int | None
    is_control: bool


def list_judged(
    *, project: Project, annotator: int, label: str = "", is_disagreeing: bool = False, is_commented: bool = False
) -> QuerySet[Judgment]:
    """What `annotator` says today of every pair they submitted, newest first, with `others_good`, `others_bad` and
    `others_unsure`. `is_disagreeing`: only where more of the others said one other label than said theirs."""
    found = current_judgments(project=project).filter(annotator=annotator, assignment__status__in=DONE)
    found = found.filter(label=label) if label else found
    found = found.exclude(comment="") if is_commented else found
    found = found.annotate(**{f"others_{each}": _votes(project, each) for each in Label.values})
    found = found.filter(_outvoted()) if is_disagreeing else found
    shown = found.select_related("annotator", "candidate__image", "assignment__hit__image", "assignment__hit__query")
    return shown.order_by("-id")


def describe_judged(judgments: Sequence[Judgment]) -> list[JudgedRow]:
    """Rows of `list_judged` with what else the list shows, in one statement."""
    assignments = {judgment.assignment_id for judgment in judgments}
    written = Remark.objects.filter(judgment__assignment__in=assignments).order_by("id")
    remarks = {(pk, at): one for pk, at, one in written.values_list("judgment__assignment", "judgment__position", "pk")}
    return [
        JudgedRow(
            judgment=each,
            others={label: getattr(each, f"others_{label}") for label in Label.values},
            remark_id=remarks.get((each.assignment_id, each.position)),
            is_control=each.control_id is not None,
        )
        for each in judgments
    ]


def _votes(project: Project, label: str) -> Coalesce:
    of_pair = counted_judgments(project=project).filter(candidate=OuterRef("candidate"), label=label)
    return count_of(of_pair.exclude(annotator=OuterRef("annotator")), "candidate")


def _outvoted() -> Q:
    """More others agree on one other label than on the person's own."""
    outvoted = Q(pk__in=[])
    for own in Label.values:
        for other in set(Label.values) - {own}:
            outvoted |= Q(label=own, **cast(Any, {f"others_{other}__gt": F(f"others_{own}")}))
    return outvoted
