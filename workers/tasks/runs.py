"""Work nobody waits for."""

from __future__ import annotations

from backend.runs import services
from backend.runs.queue import RECOVER, app


@app.task(name=RECOVER)
def recover() -> int:
    """Take up runs whose worker died; beat calls it every half stale time."""
    return services.recover_runs()
