"""The head annotator settles a pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from backend.annotation.allocation import decide_pair
from backend.common.errors import Conflict
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project
from backend.review import selectors
from backend.review.models import CaseDecision, Verdict


class NothingToTakeBack(Conflict):
    """This pair has no decision, so you cannot take it back."""

    code = "nothing_to_take_back"


@transaction.atomic
def record_verdict(
    *,
    project: Project,
    candidate_id: int,
    label: Label | None,
    reason: str = "",
    tag: str = "",
    confidence: int | None = None,
    edits: Sequence[dict[str, Any]] = (),
    decision: CaseDecision | None = None,
    decided_by: User,
) -> Verdict:
    """Append a verdict on a pair that lies in a HIT, for the next consensus; None takes the standing one back.

    While one stands nobody is asked about the pair any more. Raises NotFound for a pair that nobody is asked about,
    NothingToTakeBack.
    """
    candidate = selectors.get_pair(project=project, candidate_id=candidate_id)
    decide_pair(project=project, candidate_id=candidate_id, is_decided=label is not None)  # others wait from here on
    if label is None and not selectors.standing_verdicts(project=project, pairs=[candidate_id]):
        raise NothingToTakeBack()
    return Verdict.objects.create(
        candidate=candidate,
        label=label or "",
        reason=reason,
        tag=tag,
        confidence=confidence,
        edits=list(edits),
        decision=decision,
        decided_by=decided_by,
    )
