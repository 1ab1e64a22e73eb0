"""Changed settings reach HITs that were built before."""

from __future__ import annotations

from backend.annotation.resettling import settle_changed
from backend.runs.queue import SETTLE, app


@app.task(name=SETTLE)
def settle() -> int:
    """Add and take away places where a project asks for another overlap than before; beat calls it."""
    return settle_changed()
