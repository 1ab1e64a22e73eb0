"""What the tables of lower rooms show of a snapshot."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from backend.agreement.models import Part
from backend.agreement.selectors import list_annotators
from backend.agreement.services import look
from backend.methods.quality import Flag, Share
from backend.projects.models import Project
from backend.quality.habits import Habits


def read_habits(project: Project, users: Collection[int]) -> dict[int, Habits]:
    """The habits of each of the users who judged something, by user id."""
    view = look(project=project, parts=list_annotators(project=project, users=users, parts=(Part.ANNOTATOR,)))
    return {int(value): _habits(told) for (_, value), told in view.parts.items()}


def _habits(told: dict[str, Any]) -> Habits:
    recent = told["recent"]
    return Habits(
        agreement=_share(recent["with_consensus"]),
        seconds=recent["seconds_median"],
        active_seconds=told["active_seconds"],
        pace=told["pace"],
        flags=tuple(Flag(**flag) for flag in told["flags"]),
    )


def _share(told: dict[str, Any] | None) -> Share | None:
    return Share(**told) if told else None
