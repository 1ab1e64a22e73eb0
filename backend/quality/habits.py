"""How people work, as the room of agreement finds it: it registers a reader in its AppConfig.ready()."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from backend.methods.quality import Flag, Share
from backend.projects.models import Project

NEWEST_HITS = 20


@dataclass(frozen=True)
class WorkHabits:
    """`agreement` with most of the others and `seconds`, the median focus time of an item, are of the NEWEST_HITS: as
    the person works now. `active_seconds` is of all work, of each item at most a minute; `pace` is items an hour."""

    agreement: Share | None
    seconds: float | None
    active_seconds: float | None
    pace: float | None
    flags: tuple[Flag, ...]


NO_HABITS = WorkHabits(None, None, None, None, ())  # before the figures of a person are computed


HabitsReader = Callable[[Project, Collection[int]], Mapping[int, WorkHabits]]
_readers: list[HabitsReader] = []


def register_habits(reader: HabitsReader) -> None:
    """Let `reader` be asked for the habits of some users of a project, by user id."""
    if reader not in _readers:
        _readers.append(reader)


def read_habits(project: Project, users: Collection[int]) -> dict[int, WorkHabits]:
    """The habits of each annotator with known figures."""
    return {user: habits for reader in _readers for user, habits in reader(project, users).items()}
