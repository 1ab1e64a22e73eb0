"""Captions that say the same become one point before they are clustered.

UMAP ignores its seed when rows repeat (umap-learn 0.5.12), and ten spellings of one sentence must not make a cluster of
their own. Two captions are one point where their texts are equal in the folded form, or where their vectors are.

A caption that is longer than the encoder reads has the vector of its beginning. Such captions share a point where their
vectors are equal, since nothing tells them apart there, but they are not repeats of each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.cleaning.pool import fold_text
from backend.methods.selection.choice import GoodCaptions

EQUAL = 1e-4  # how far below one the cosine of equal vectors may be


@dataclass(frozen=True)
class Points:
    """`first` is the caption of each point whose vector stands for it; `point_of` the point of each caption; `repeats`
    the captions that say the same as an earlier one that may be chosen. All are places in the captions' order."""

    first: list[int]
    point_of: list[int]
    repeats: frozenset[int]


def find_points(captions: GoodCaptions, cosines: NDArray[np.float64]) -> Points:
    """The points of captions in the order of their ids, with the (n, n) cosines of their vectors.

    Of captions that say the same, the pinned ones may be chosen, else the first that is not banned.
    """
    alike = cosines >= 1 - EQUAL
    folded = [fold_text(text) for text in captions.texts]
    first: list[int] = []
    point_of: list[int] = []
    by_text: dict[str, int] = {}
    for at, text in enumerate(folded):
        near = next((point for point, leader in enumerate(first) if alike[at, leader]), len(first))
        point = by_text.get(text, near)
        if point == len(first):
            first.append(at)
        by_text.setdefault(text, point)
        point_of.append(point)
    return Points(first, point_of, _repeats(captions, folded, point_of))


def _repeats(captions: GoodCaptions, folded: list[str], point_of: list[int]) -> frozenset[int]:
    said: set[tuple[int, str]] = set()
    repeats = set()
    pinned = [at for at in captions.eligible if captions.ids[at] in captions.pinned]
    for at in [*pinned, *(at for at in captions.eligible if at not in set(pinned))]:
        is_cut = captions.ids[at] in captions.cut
        what = (point_of[at], folded[at] if is_cut else "")
        if what in said and captions.ids[at] not in captions.pinned:
            repeats.add(at)
        said |= {what, (point_of[at], folded[at])}
    return frozenset(repeats)
