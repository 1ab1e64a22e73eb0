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
from backend.annotation.models.controls import Control, ControlOrigin, ControlState
from backend.annotation.models.drafts import Draft
from backend.annotation.models.guidelines import GuidelineExample
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
from backend.annotation.models.labels import Label
from backend.annotation.models.qualification import Qualification, QuizAttempt

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
    "ControlOrigin",
    "ControlOutcome",
    "ControlState",
    "DecidedStatus",
    "Draft",
    "GuidelineExample",
    "Hit",
    "HitItem",
    "Judgment",
    "Label",
    "Lens",
    "Qualification",
    "QuizAttempt",
    "SkipReason",
    "Slot",
    "StatusDecision",
]  # fmt: skip
