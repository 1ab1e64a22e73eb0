"""Suggested edits for captions that came after Suggest edits: a page shows them for all of its captions or for none."""

from __future__ import annotations

from backend.candidates.selectors import UNREAD, shown_captions
from backend.people.models import User
from backend.projects.models import Project
from backend.runs.models import Run, RunStatus
from backend.runs.services import NotStartable, StageRunning, start_run


def suggest_for_new_captions(*, project: Project, started_by: User | None) -> Run | None:
    """Start Suggest edits on the captions that it has not read, as it was started last.

    None where it never ran, failed last, or has read everything. None where it is at work: at its end it reads what
    came meanwhile. Call it outside of the transaction that writes the captions.
    """
    last = Run.objects.filter(project=project, stage="suggest_edits").order_by("-created_at", "-id").first()
    if last is None or last.status != RunStatus.SUCCEEDED:
        return None
    if not shown_captions(project=project).filter(UNREAD).exists():
        return None
    parameters = last.parameters | {"captions": "new"}
    try:
        return start_run(
            project=project, stage="suggest_edits", parameters=parameters, seed=last.seed, started_by=started_by
        )
    except (StageRunning, NotStartable):
        return None
