"""A layout without UMAP, which compiles for 20 s in each process that uses it."""

from __future__ import annotations

import numpy as np

from workers.engines.projection import Projection, Settings
from workers.engines.rows import Rows


def flat(rows: Rows, settings: Settings, *, learn_first: int | None = None) -> Projection:
    """Each vector at its first two numbers; `fitted` are as many as `project` would learn from."""
    fitted = np.arange(min(learn_first or len(rows), settings.fit_at_most))
    vectors = rows.rows(np.arange(len(rows)))
    return Projection(vectors[:, :2], fitted, settings, "flat", {"flat": "1"}, rows.digest)
