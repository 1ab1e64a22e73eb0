"""How labels are read: which of them count, in which order, and whether that order means anything.

`unsure` is an answer and no missing one, but some read it otherwise, and it moves the figures: on the toy table of
SCIENCE 3 alpha is .587 with it as a value, .692 without it, .609 with it between bad and good. All three are always
reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from backend.methods.consensus import LABELS

Distance = Literal["nominal", "linear", "quadratic", "ordinal"]
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Reading:
    """The labels that count, lowest first, and the `columns` they have in a table of counts. `is_ordered` says that
    being two labels apart is worse than being one apart."""

    name: str
    labels: tuple[str, ...]
    columns: tuple[int, ...]
    is_ordered: bool = False

    def of_counts(self, counts: NDArray[Any]) -> Counts:
        """(n, all labels) as (n, labels of this reading)."""
        return np.asarray(counts, dtype=np.int64)[:, self.columns]

    def of_confusions(self, confusions: NDArray[Any]) -> Counts:
        """(..., all, all) as (..., k, k) of this reading."""
        return np.asarray(confusions, dtype=np.int64)[..., self.columns, :][..., self.columns]


def reading_of(labels: Sequence[str], *, is_ordered: bool = False) -> Reading:
    """All labels as they stand, lowest first: for judgments of others, whose labels are not ours."""
    return Reading("as given", tuple(labels), tuple(range(len(labels))), is_ordered)


def _of_ours(name: str, *labels: str, is_ordered: bool = False) -> Reading:
    columns = tuple([str(label) for label in LABELS].index(label) for label in labels)
    return Reading(name, labels, columns, is_ordered)


UNSURE_AS_VALUE = _of_ours("value", "bad", "unsure", "good")
UNSURE_AS_MISSING = _of_ours("missing", "bad", "good")
UNSURE_AS_MIDDLE = _of_ours("middle", "bad", "unsure", "good", is_ordered=True)
UNSURE_READINGS = (UNSURE_AS_VALUE, UNSURE_AS_MISSING, UNSURE_AS_MIDDLE)


def disagreement(distance: Literal["nominal", "linear", "quadratic"], k: int) -> NDArray[np.float64]:
    """How far two of k labels are apart, (k, k): 0 or 1, steps, or steps squared."""
    steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
    return {"nominal": (steps > 0).astype(np.float64), "linear": steps, "quadratic": steps**2}[distance]
