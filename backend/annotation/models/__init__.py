"""HITs, who holds them, what was judged, how far each annotator is trusted. Judgments are appended, never changed."""

from __future__ import annotations

from backend.annotation.models.annotator_states import (
    LEFT_TO_RULES,
    WORKING,
    AnnotatorState,
    AnnotatorStatus,
    DecidedStatus,
    StatusDecision,
)
from backend.annotation.models.drafts import Draft
from backend.annotation.models.hits import (
    DONE,
    MAY_COME_BACK,
    Assignment,
    AssignmentStatus,
    Hit,
    HitItem,
    SkipReason,
    Slot,
)
from backend.annotation.models.judgments import ControlOutcome, Judgment, Lens
from backend.common.labels import Label
from backend.qualification.models import Control, ControlState

__all__ = [
    "DONE",
    "LEFT_TO_RULES",
    "MAY_COME_BACK",
    "WORKING",
    "AnnotatorState",
    "AnnotatorStatus",
    "Assignment",
    "AssignmentStatus",
    "Control",
    "ControlOutcome",
    "ControlState",
    "DecidedStatus",
    "Draft",
    "Hit",
    "HitItem",
    "Judgment",
    "Label",
    "Lens",
    "SkipReason",
    "Slot",
    "StatusDecision",
]  # fmt: skip
