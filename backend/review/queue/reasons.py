"""Reasons come and go, and cases open and close with them.

Whoever changes reasons locks the cases in the order of their ids, in one statement of a transaction, so that two never
wait for each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from backend.methods.review_order import WEIGHTS, priority_of
from backend.projects.models import Project
from backend.review.models import RESOLVED, ReasonCode, ReviewCase, ReviewReason
from backend.review.queue import gate

Place = tuple[int | None, UUID | None, bool]
"""A pair's id or an assignment's, and whether it is a second look: what one case is about."""
BATCH = 1000


@dataclass(frozen=True)
class Found:
    """A reason that a rule found. `annotator` is whose work or words it is about."""

    code: ReasonCode
    pair: int | None = None
    page: UUID | None = None
    source: str = ""
    annotator: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    withheld_from: int | None = None  # of a second look

    @property
    def place(self) -> Place:
        return self.pair, self.page, self.code == ReasonCode.SECOND_LOOK


@transaction.atomic
def apply_reasons(
    *,
    project: Project,
    found: Iterable[Found] = (),
    gone: Collection[int] = (),
    entropies: Mapping[int, float] | None = None,
    touched: Collection[int] = (),
) -> None:
    """Add the reasons that are new, close those in `gone` (ids), and bring their cases up to date.

    A case opens with a new reason, however often it was closed, and closes as resolved with its last one. `entropies`
    are those of pairs by id. The priority of `touched` cases is worked out again too.
    """
    by_place: dict[Place, list[Found]] = defaultdict(list)
    for one in found:
        by_place[one.place].append(one)
    _make_cases(project, by_place)
    places = _about(by_place)
    ids = {*touched, *ReviewReason.objects.filter(pk__in=gone).values_list("case", flat=True)}
    cases = list(ReviewCase.objects.select_for_update().filter(places | Q(pk__in=ids), project=project).order_by("pk"))
    now = timezone.now()
    ReviewReason.objects.filter(pk__in=gone, closed_at=None).update(closed_at=now)
    case_of = {(case.candidate_id, case.assignment_id, case.is_second_look): case for case in cases}
    known = set(ReviewReason.objects.filter(case__in=cases).values_list("case", "code", "source"))
    added: list[ReviewReason] = []
    for place, those in by_place.items():
        case = case_of[place]
        for one in those:
            if (case.pk, one.code, one.source) in known:
                continue
            known.add((case.pk, one.code, one.source))
            case.withheld_from_id = one.withheld_from or case.withheld_from_id
            added.append(
                ReviewReason(
                    project=project,
                    case=case,
                    code=one.code,
                    source=one.source,
                    annotator_id=one.annotator,
                    params=dict(one.params),
                )
            )
    ReviewReason.objects.bulk_create(added, batch_size=BATCH)
    _update_cases(project, cases, {reason.case_id for reason in added}, entropies or {})


def _make_cases(project: Project, by_place: Mapping[Place, Sequence[Found]]) -> None:
    now = timezone.now()
    there = set(
        ReviewCase.objects.filter(_about(by_place), project=project).values_list(
            "candidate", "assignment", "is_second_look"
        )
    )
    made = [
        ReviewCase(
            project=project,
            candidate_id=pair,
            assignment_id=page,
            is_second_look=is_second,
            opened_at=now,
            annotator_id=those[0].annotator if page else None,
        )
        for (pair, page, is_second), those in by_place.items()
        if (pair, page, is_second) not in there
    ]
    ReviewCase.objects.bulk_create(made, batch_size=BATCH, ignore_conflicts=True)


def _about(places: Iterable[Place]) -> Q:
    asked = list(places)
    pairs = [pair for pair, _, is_second in asked if pair and not is_second]
    looked = [pair for pair, _, is_second in asked if pair and is_second]
    pages = [page for _, page, _ in asked if page]
    about = Q(candidate__in=pairs, is_second_look=False) | Q(candidate__in=looked, is_second_look=True)
    return about | Q(assignment__in=pages)


def _update_cases(
    project: Project, cases: Sequence[ReviewCase], reopened: Collection[int], entropies: Mapping[int, float]
) -> None:
    now = timezone.now()
    waiting = set(gate.at_gate(project=project).values_list("user", flat=True))
    codes: dict[int, list[str]] = defaultdict(list)
    for case_id, code in ReviewReason.objects.filter(case__in=cases, closed_at=None).values_list("case", "code"):
        codes[case_id].append(code)
    for case in cases:
        case.entropy = entropies.get(case.candidate_id or 0, case.entropy)
        if case.pk in reopened and case.closed_at is not None:
            case.closed_at, case.closed_by, case.outcome, case.opened_at = None, None, "", now
        is_at_gate = case.annotator_id in waiting
        if codes[case.pk]:
            case.priority = priority_of(codes[case.pk], entropy=case.entropy, is_at_gate=is_at_gate)
        elif case.closed_at is None:
            case.closed_at, case.outcome = now, RESOLVED
            case.leased_by, case.leased_until = None, None
    fields = (
        "withheld_from",
        "entropy",
        "closed_at",
        "closed_by",
        "outcome",
        "opened_at",
        "priority",
        "leased_by",
        "leased_until",
    )
    ReviewCase.objects.bulk_update(cases, fields, batch_size=BATCH)


def misplaced(*, project: Project) -> set[int]:
    """Open cases whose priority does not say whether their annotator waits at the gate."""
    waiting = gate.at_gate(project=project).values("user")
    first = Exists(ReviewReason.objects.filter(case=OuterRef("pk"), code=ReasonCode.FIRST_WORK, closed_at=None))
    cases = ReviewCase.objects.filter(first, project=project, closed_at=None, annotator__isnull=False).order_by()
    least, most = WEIGHTS["gate"], WEIGHTS["gate"] + 9
    low = cases.filter(annotator__in=waiting, priority__lt=least)
    high = cases.filter(priority__range=(least, most)).exclude(annotator__in=waiting)
    return {*low.values_list("pk", flat=True), *high.values_list("pk", flat=True)}
