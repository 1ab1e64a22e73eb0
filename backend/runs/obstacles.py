"""What keeps a stage from its end while its settings are the defaults, by the stage's name.

A stage with an obstacle can start, because other settings may avoid the obstacle. But nobody proposes it, and
`manage.py walk` leaves it out where it is optional and nobody names its settings. The rooms above register what they
know.
"""

from __future__ import annotations

from collections.abc import Callable

from backend.methods.said import Said
from backend.projects.models import Project

Finds = Callable[[Project], Said | None]
_finds: dict[str, Finds] = {}


def register_obstacle(stage: str, finds: Finds) -> None:
    """Let `finds` say what `stage` lacks in a project."""
    _finds[stage] = finds


def obstacle_of(stage: str, project: Project) -> Said | None:
    """What the stage lacks; None where nothing is known to be missing."""
    return _finds[stage](project) if stage in _finds else None
