"""Agreement is kept up to date while nobody looks."""

from __future__ import annotations

from backend.review import upkeep
from backend.runs.queue import KEEP_UP, app


@app.task(name=KEEP_UP)
def keep_up() -> int:
    """Fold new judgments into the tables and draw intervals again; beat calls it."""
    return upkeep.keep_up()
