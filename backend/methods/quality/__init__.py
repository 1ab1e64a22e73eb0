"""Whether an annotator's answers can be relied on: controls, straight lines, places on the screen, speed,
dissent, skips; and the rules of a policy that act on them.

Each is a pure function of stored answers, so a policy can be replayed under other settings.
"""

from __future__ import annotations

from backend.methods.quality.control_audit import ControlAudit, Sight, audit_controls, sight_of
from backend.methods.quality.controls import ControlPolicy, ControlRecord, ControlResult, grade, rate_controls
from backend.methods.quality.difference import Difference, difference_of_shares
from backend.methods.quality.disagreement import Disagreement, disagreement, plurality, rate_of_pool, wilson
from backend.methods.quality.flags import Flag, Habits, flags_of
from backend.methods.quality.policy import (
    Finding,
    Outcome,
    Pool,
    Record,
    Turn,
    findings_of,
    live_outcome,
    outcome_of,
)
from backend.methods.quality.position_bias import Bias, expected_places, item_bias, option_bias
from backend.methods.quality.rules import COLLECTORS, InvalidRules, Rule, default_rules, read_rules
from backend.methods.quality.shares import Share, share_of
from backend.methods.quality.speed import Speed, floor_of, quick_of, too_fast
from backend.methods.quality.straight_lining import Answered, StraightLining, straight_lining

__all__ = [
    "COLLECTORS",
    "Answered",
    "Bias",
    "ControlAudit",
    "ControlPolicy",
    "ControlRecord",
    "ControlResult",
    "Difference",
    "Disagreement",
    "Finding",
    "Flag",
    "Habits",
    "InvalidRules",
    "Outcome",
    "Pool",
    "Record",
    "Rule",
    "Share",
    "Sight",
    "Speed",
    "StraightLining",
    "Turn",
    "audit_controls",
    "default_rules",
    "difference_of_shares",
    "disagreement",
    "expected_places",
    "findings_of",
    "flags_of",
    "floor_of",
    "grade",
    "item_bias",
    "live_outcome",
    "option_bias",
    "outcome_of",
    "plurality",
    "quick_of",
    "rate_controls",
    "rate_of_pool",
    "read_rules",
    "share_of",
    "sight_of",
    "straight_lining",
    "too_fast",
    "wilson",
]  # fmt: skip
