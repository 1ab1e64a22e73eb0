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
from django.db.models import Exists, OuterRef
from django.utils import timezone

from backend.methods.review_order import WEIGHTS, priority_of
from backend.projects.models import Project
from backend.review.models import RESOLVED, ReasonCode, ReviewCase, ReviewReason
from backend.review.queue import gate

Place = tuple[int | None, UUID | None, bool]
"""A pair's id or an assignment's, and whether it is a second look: what one case is about."""
BATCH = 1000
SHOWN_WORDS = 120  # characters of a comment or a reply
CHANGED = (
    "withheld_from_id", "entropy", "closed_at", "closed_by_id", "outcome", "opened_at", "priority", "leased_by_id",
    "leased_until",
)  # fmt: skip


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


@dataclass
class Changes:
    """Reasons that are new and that are gone (ids), and the entropies of pairs by id."""

    found: list[Found] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)
    entropies: dict[int, float] = field(default_factory=dict)


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
    by_place: dict[Place, dict[tuple[str, str], Found]] = defaultdict(dict)
    for one in found:
        by_place[one.place].setdefault((one.code, one.source), one)
    desk = _Desk(project, entropies or {})
    there = _find_cases(project, by_place)
    desk.open_new({place: those for place, those in by_place.items() if place not in there})
    of_gone = ReviewReason.objects.filter(pk__in=gone, closed_at=None)
    ids = {*there.values(), *touched, *of_gone.values_list("case", flat=True)}
    desk.change({place: those for place, those in by_place.items() if place in there}, ids, gone)


def _find_cases(project: Project, places: Iterable[Place]) -> dict[Place, int]:
    """The ids of the cases that are there. One statement for each kind, so that each reads its own index."""
    asked = list(places)
    cases = ReviewCase.objects.filter(project=project).order_by()
    of_kind = (
        cases.filter(
            candidate__in=[pair for pair, _, is_second in asked if pair and not is_second], is_second_look=False
        ),
        cases.filter(candidate__in=[pair for pair, _, is_second in asked if pair and is_second], is_second_look=True),
        cases.filter(assignment__in=[page for _, page, _ in asked if page]),
    )
    found: dict[Place, int] = {}
    for rows in of_kind:
        for pair, page, is_second, pk in rows.values_list("candidate", "assignment", "is_second_look", "pk"):
            found[pair, page, is_second] = pk
    return found


class _Desk:
    """The cases of one project while reasons are added and closed."""

    def __init__(self, project: Project, entropies: Mapping[int, float]) -> None:
        self.project, self.entropies, self.now = project, entropies, timezone.now()
        self.waiting = set(gate.at_gate(project=project).values_list("user", flat=True))

    def open_new(self, by_place: Mapping[Place, Mapping[tuple[str, str], Found]]) -> None:
        """Cases that were never there, or are made by somebody else at this moment."""
        made: list[ReviewCase] = []
        for (pair, page, is_second), those in by_place.items():
            first = next(iter(those.values()))
            case = ReviewCase(
                project=self.project, candidate_id=pair, assignment_id=page, is_second_look=is_second,
                annotator_id=first.annotator if page else None, opened_at=self.now,
            )  # fmt: skip
            self._describe(case, [one.code for one in those.values()], those.values())
            made.append(case)
        ReviewCase.objects.bulk_create(made, batch_size=BATCH, ignore_conflicts=True)
        made_here = _find_cases(self.project, by_place)
        self._add([(made_here[place], one) for place, those in by_place.items() for one in those.values()])

    def change(
        self, by_place: Mapping[Place, Mapping[tuple[str, str], Found]], ids: Collection[int], gone: Collection[int]
    ) -> None:
        """Add reasons to cases that are there, close those in `gone`, and bring the cases up to date."""
        cases = list(ReviewCase.objects.select_for_update().filter(pk__in=ids, project=self.project).order_by("pk"))
        ReviewReason.objects.filter(pk__in=gone, closed_at=None).update(closed_at=self.now)
        known, codes = set[tuple[int, str, str]](), defaultdict[int, list[str]](list)
        rows = ReviewReason.objects.filter(case__in=cases).values_list("case", "code", "source", "closed_at")
        for case_id, code, source, closed_at in rows:
            known.add((case_id, code, source))
            codes[case_id] += [code] if closed_at is None else []
        added: list[tuple[int, Found]] = []
        changed: list[ReviewCase] = []
        for case in cases:
            those = by_place.get((case.candidate_id, case.assignment_id, case.is_second_look), {})
            new = [one for one in those.values() if (case.pk, one.code, one.source) not in known]
            added += [(case.pk, one) for one in new]
            before = [getattr(case, name) for name in CHANGED]
            self._describe(case, [*codes[case.pk], *(one.code for one in new)], new)
            changed += [case] if before != [getattr(case, name) for name in CHANGED] else []
        self._add(added)
        # The rows exist and are locked. `bulk_update` would take several times as long.
        ReviewCase.objects.bulk_create(
            changed, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=CHANGED
        )

    def _describe(self, case: ReviewCase, codes: Sequence[str], new: Collection[Found]) -> None:
        """The case with these open reasons, of which `new` are new."""
        case.entropy = self.entropies.get(case.candidate_id or 0, case.entropy)
        for one in new:
            case.withheld_from_id = one.withheld_from or case.withheld_from_id
        if new and case.closed_at is not None:
            case.closed_at, case.closed_by_id, case.outcome, case.opened_at = None, None, "", self.now
        if codes:
            is_at_gate = case.annotator_id in self.waiting
            case.priority = priority_of(codes, entropy=case.entropy, is_at_gate=is_at_gate)
        elif case.closed_at is None:
            case.closed_at, case.outcome = self.now, RESOLVED
            case.leased_by_id, case.leased_until = None, None

    def _add(self, found: Sequence[tuple[int, Found]]) -> None:
        ReviewReason.objects.bulk_create(
            (
                ReviewReason(
                    project=self.project,
                    case_id=case,
                    code=one.code,
                    source=one.source,
                    annotator_id=one.annotator,
                    params=dict(one.params),
                )
                for case, one in found
            ),
            batch_size=BATCH,
            ignore_conflicts=True,  # somebody else found the same
        )


def misplaced(*, project: Project) -> set[int]:
    """Open cases whose priority does not say whether their annotator waits at the gate."""
    waiting = gate.at_gate(project=project).values("user")
    first = Exists(ReviewReason.objects.filter(case=OuterRef("pk"), code=ReasonCode.FIRST_WORK, closed_at=None))
    cases = ReviewCase.objects.filter(first, project=project, closed_at=None, annotator__isnull=False).order_by()
    least, most = WEIGHTS["gate"], WEIGHTS["gate"] + 9
    low = cases.filter(annotator__in=waiting, priority__lt=least)
    high = cases.filter(priority__range=(least, most)).exclude(annotator__in=waiting)
    return {*low.values_list("pk", flat=True), *high.values_list("pk", flat=True)}
