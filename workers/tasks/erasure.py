"""What leaves the site: deleted projects, old uploads, ended sessions."""

from __future__ import annotations

from backend.erasure.deleting import delete_projects
from backend.erasure.retention import clean_up
from backend.runs.queue import CLEAN_UP, DELETE_PROJECTS, app


@app.task(name=DELETE_PROJECTS)
def delete() -> int:
    """Go on with the deletion of projects; beat calls it every minute."""
    return delete_projects()


@app.task(name=CLEAN_UP)
def clean() -> dict[str, int]:
    """Delete what is kept for a time only; beat calls it four times a day."""
    return clean_up()
