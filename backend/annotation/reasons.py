"""Why an annotator has a status, in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from backend.methods.quality.policy import SENTENCES
from backend.methods.said import Said


def present_reasons(reasons: Iterable[str]) -> list[dict[str, Any]]:
    """The values of SaidOut, from codes of the rules and from sentences that a person wrote."""
    return [_said(reason).as_json() for reason in reasons]


def _said(reason: str) -> Said:
    return Said(reason, SENTENCES[reason]) if reason in SENTENCES else Said("", reason)
