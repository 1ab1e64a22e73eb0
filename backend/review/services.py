"""Head annotators decide on pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from backend.annotation.allocation import mark_pairs
from backend.common.errors import Conflict
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from backend.review import selectors
from backend.review.models import CaseDecision, Verdict


class NothingToTakeBack(Conflict):
    """This pair has no decision, so you cannot take it back."""

    code = "nothing_to_take_back"


@dataclass(frozen=True)
class NewVerdict:
    """What is decided of one pair; without a label the standing verdict is taken back."""

    candidate_id: int
    label: Label | None
    decided_by: User
    reason: str = ""
    tag: str = ""
    confidence: int | None = None
    edits: Sequence[dict[str, Any]] = field(default_factory=tuple)
    decision: CaseDecision | None = None


def record_verdict(
    *, project: Project, candidate_id: int, label: Label | None, reason: str = "", decided_by: User
) -> Verdict:
    """Append one verdict, as `record_verdicts` does."""
    return record_verdicts(project=project, verdicts=[NewVerdict(candidate_id, label, decided_by, reason)])[0]


@transaction.atomic
def record_verdicts(*, project: Project, verdicts: Sequence[NewVerdict]) -> list[Verdict]:
    """Append verdicts on pairs that lie in HITs, one for each pair, for the next consensus.

    While one stands nobody is asked about the pair any more. Raises NotFound for a pair that nobody is asked about,
    NothingToTakeBack.
    """
    pairs = [verdict.candidate_id for verdict in verdicts]
    candidates = selectors.get_pairs(project=project, candidate_ids=pairs)
    decided = {verdict.candidate_id: verdict.label is not None for verdict in verdicts}
    mark_pairs(project=project, decided=decided)  # others wait from here on
    taken_back = [pair for pair, is_decided in decided.items() if not is_decided]
    if taken_back and len(selectors.standing_verdicts(project=project, pairs=taken_back)) < len(taken_back):
        raise NothingToTakeBack()
    return Verdict.objects.bulk_create(
        Verdict(
            candidate=candidates[verdict.candidate_id],
            label=verdict.label or "",
            reason=verdict.reason,
            tag=verdict.tag,
            confidence=verdict.confidence,
            edits=list(verdict.edits),
            decision=verdict.decision,
            decided_by=verdict.decided_by,
        )
        for verdict in verdicts
    )
