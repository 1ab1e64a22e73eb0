"""Pages of HITs in people's hands, taken and judged by the engine's own verbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backend.annotation.answers import Judged
from backend.annotation.leases import lease_next
from backend.annotation.models import Assignment
from backend.annotation.submissions import Submitted, submit_assignment
from backend.common.labels import Label
from backend.people.models import User
from backend.projects.models import Project

JUDGED = [Judged(1, Label.GOOD), Judged(2, Label.BAD), Judged(3, Label.UNSURE)]


def take(project: Project, user: User, holding: Sequence[Assignment] = ()) -> Assignment:
    """The page that the person gets beside those they are `holding`; fails with the reason where there is none."""
    found = lease_next(project=project, annotator=user, holding=[held.pk for held in holding])
    assert found.shown is not None, found.reason
    return found.shown.assignment


def submit(assignment: Assignment, label: str = "good", **more: Any) -> Submitted:
    """The page, with the same label for all that it shows; `more` is what else `submit_assignment` takes."""
    judged = [Judged(position, Label(label)) for position in range(1, len(assignment.shown) + 1)]
    return submit_assignment(assignment=assignment, judgments=judged, **{"idempotency_key": "k", **more})
