"""HITs, who holds them, what was judged, how far each annotator is trusted. Judgments are appended, never changed."""

from __future__ import annotations

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
from backend.annotation.models.standings import (
    LEFT_TO_RULES,
    WORKING,
    DecidedState,
    Standing,
    StandingDecision,
    StandingState,
)

__all__ = [
    "DONE", "LEFT_TO_RULES", "MAY_COME_BACK", "WORKING", "Assignment", "AssignmentStatus", "Control",
    "ControlOrigin", "ControlOutcome", "ControlState", "DecidedState", "Draft", "GuidelineExample", "Hit", "HitItem",
    "Judgment", "Label", "Lens", "Qualification",
    "QuizAttempt", "SkipReason", "Slot", "Standing", "StandingDecision", "StandingState",
]  # fmt: skip
