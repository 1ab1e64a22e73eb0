"""Whether an annotator's answers can be relied on: controls, straight lines, places on the screen, speed.

Each is a pure function of stored answers, so a policy can be replayed under other settings.
"""

from __future__ import annotations

from backend.methods.quality.control_audit import ControlAudit, audit_controls
from backend.methods.quality.controls import ControlOutcome, ControlPolicy, ControlRecord, grade, standing_of
from backend.methods.quality.position_bias import Bias, item_bias, option_bias
from backend.methods.quality.speed import Speed, floor_of, too_fast
from backend.methods.quality.straight_lining import Answered, StraightLining, straight_lining

__all__ = [
    "Answered", "Bias", "ControlAudit", "ControlOutcome", "ControlPolicy", "ControlRecord", "Speed", "StraightLining",
    "audit_controls", "floor_of", "grade", "item_bias", "option_bias", "standing_of", "straight_lining", "too_fast",
]  # fmt: skip
