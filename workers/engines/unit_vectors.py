"""Vectors scaled to length one, or refused where there is no such thing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from workers.engines.protocols import NotFiniteError, Vectors

NOT_FINITE = "The model {name!r} gave NaN or infinity for the {what}. Its weights are damaged. Use another model."


def unit_rows(vectors: Vectors, *, name: str, what: Callable[[int], str]) -> Vectors:
    """float32 (n, d) with rows of length one. Raises NotFiniteError naming the model and `what(row)`."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    bad = ~np.isfinite(vectors).all(axis=1) | ~(lengths[:, 0] > 0) | ~np.isfinite(lengths[:, 0])
    if bad.any():
        raise NotFiniteError(NOT_FINITE.format(name=name, what=what(int(bad.argmax()))))
    return np.asarray(vectors / lengths, dtype=np.float32)
