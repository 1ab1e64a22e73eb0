"""What higher rooms give to every new project, without being imported here: each registers in its AppConfig.ready()."""

from __future__ import annotations

from collections.abc import Callable

from backend.projects.models import Project

Beginning = Callable[[Project], object]
_beginnings: list[Beginning] = []


def register_beginning(beginning: Beginning) -> None:
    """Let `beginning` be called, in the transaction, for each new project; registering twice changes nothing."""
    if beginning not in _beginnings:
        _beginnings.append(beginning)


def begin_project(project: Project) -> None:
    """Give the new project what the rooms have registered."""
    for beginning in _beginnings:
        beginning(project)
