"""What other rooms show of a snapshot."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from backend.agreement.models import Part
from backend.agreement.selectors import View, list_annotators
from backend.agreement.services import look
from backend.methods.quality import Flag, Share
from backend.projects.models import Project
from backend.quality.habits import WorkHabits

ALPHA_OF = {"value": "alpha_nominal", "missing": "alpha_nominal", "middle": "alpha_ordinal"}
UNKNOWN = {"value": None, "interval": None, "reason": "no_overlap", "n_items": 0, "n_judgments": 0}


def headline_of(view: View, reading: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Alpha of all pairs under one reading, and by day; of a view of the parts OVERALL and TREND."""
    figures = (view.get(Part.OVERALL) or {"figures": []})["figures"]
    mine = (each for each in figures if (each["measure"], each["reading"]) == (ALPHA_OF[reading], reading))
    return flat(next(mine, UNKNOWN)), view.get(Part.TREND, reading) or []


def flat(figure: dict[str, Any]) -> dict[str, Any]:
    """A figure with the bounds of its interval, as a row."""
    interval = figure.get("interval") or {"low": None, "high": None}
    return figure | {"low": interval["low"], "high": interval["high"]}


def read_habits(project: Project, users: Collection[int]) -> dict[int, WorkHabits]:
    """The habits of each of the users who judged something, by user id."""
    view = look(project=project, parts=list_annotators(project=project, users=users, parts=(Part.ANNOTATOR,)))
    return {int(value): _habits(told) for (_, value), told in view.parts.items()}


def _habits(told: dict[str, Any]) -> WorkHabits:
    recent = told["recent"]
    return WorkHabits(
        agreement=_share(recent["with_consensus"]),
        seconds=recent["seconds_median"],
        active_seconds=told["active_seconds"],
        pace=told["pace"],
        flags=tuple(Flag(**flag) for flag in told["flags"]),
    )


def _share(told: dict[str, Any] | None) -> Share | None:
    return Share(**told) if told else None
