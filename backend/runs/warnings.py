"""What a curator must know before a stage starts, by the stage's name. The rooms above register what they know."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backend.methods.said import Said
from backend.projects.models import Project

Warns = Callable[[Project, Mapping[str, object]], Said | None]
_warns: dict[str, Warns] = {}


def register_warning(stage: str, warns: Warns) -> None:
    """Let `warns` say what is to be known before `stage` starts in a project with these settings."""
    _warns[stage] = warns


def warning_of(stage: str, project: Project, parameters: Mapping[str, object] | None = None) -> Said | None:
    """What is to be known before the stage starts; None where there is nothing."""
    return _warns[stage](project, parameters or {}) if stage in _warns else None
