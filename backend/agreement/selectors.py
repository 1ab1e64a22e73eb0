"""Reads of snapshots, and the marks that say whether one is of the judgments of now."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby
from typing import Any

from django.db.models import Q, QuerySet

from backend.agreement.models import Part, Scope, Snapshot, SnapshotPart
from backend.annotation.models import AnnotatorState, AnnotatorStatus
from backend.projects.models import Project

DAYS = 60  # in one answer
FORMAT = 2  # of the parts: another number has all snapshots made again
MARKED = ("project_id", "user_id", "state", "is_unnamed", "n_judgments", "n_revised", "n_graded", "n_failed")


@dataclass(frozen=True)
class Mark:
    """A name of what counts in a project, and about how many judgments there are."""

    digest: str
    n_judgments: int


@dataclass(frozen=True)
class View:
    """Parts of one snapshot, by part and value. `as_of` is None where nothing was worked out yet."""

    as_of: datetime | None
    is_stale: bool
    parts: dict[tuple[str, str], Any]

    def get(self, part: Part, value: str = "") -> Any:
        """The figures of a part, None where there is none."""
        return self.parts.get((part, value))


def read_marks(*, project: Project | None = None) -> dict[int, Mark]:
    """The mark of each project, or of one. It changes in the transaction that changes what counts: whatever adds or
    replaces judgments, or excludes people, writes the row of the annotator's state."""
    states = AnnotatorState.objects.order_by("project_id", "user_id")
    states = states if project is None else states.filter(project=project)
    rows = states.values_list(*MARKED)
    return {project_id: _mark(list(those)) for project_id, those in groupby(rows, key=lambda row: row[0])}


def _mark(rows: list[tuple[Any, ...]]) -> Mark:
    told = [(user, state == AnnotatorStatus.EXCLUDED, *rest) for _, user, state, *rest in rows]
    return Mark(hashlib.sha256(repr((FORMAT, told)).encode()).hexdigest(), sum(row[4] for row in rows))


def read_mark(*, project: Project) -> Mark:
    """The mark of one project, also of one in which nobody works yet."""
    return read_marks(project=project).get(project.pk, Mark(f"nobody {FORMAT}", 0))


def read_parts(*, project: Project, mark: Mark, parts: QuerySet[SnapshotPart]) -> View:
    """These parts of the project's snapshot, in one statement and so of one snapshot; stale where that has another
    mark than this."""
    found = list(parts)
    snapshot = found[0].snapshot if found else Snapshot.objects.filter(project=project).first()
    if snapshot is None or snapshot.as_of is None:
        return View(None, True, {})
    told = {(part.part, part.value): part.figures for part in found}
    return View(snapshot.as_of, snapshot.mark != mark.digest, told)


def list_slices(*, project: Project, scope: Scope, before: date | None = None) -> QuerySet[SnapshotPart]:
    """The slices of a scope; of days the newest DAYS, newest first, or those before a day."""
    found = _parts(project).filter(part=scope)
    if scope != Scope.DAY:
        return found.order_by("value")
    found = found.filter(value__lt=before.isoformat()) if before else found
    return found.order_by("-value")[:DAYS]


def list_parts(*wanted: tuple[Part, str], project: Project) -> QuerySet[SnapshotPart]:
    """Parts by name and value."""
    either = Q(pk=None)
    for part, value in wanted:
        either |= Q(part=part, value=value)
    return _parts(project).filter(either)


def list_annotators(*, project: Project, users: Collection[int], parts: Collection[Part]) -> QuerySet[SnapshotPart]:
    """These parts about each of the annotators."""
    return _parts(project).filter(part__in=parts, value__in=[str(user) for user in users])


def _parts(project: Project) -> QuerySet[SnapshotPart]:
    return SnapshotPart.objects.filter(snapshot__project=project).select_related("snapshot")
