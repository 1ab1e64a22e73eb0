"""What there is to choose from, and what was chosen; variant A over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.methods.principal_axes import principal_plane
from backend.methods.selection.least_alike import Chosen, select_diverse_vectors

Variant = Literal["kmeans", "least_alike"]
DECIMALS = 4  # of a place on the plane


@dataclass(frozen=True)
class GoodCaptions:
    """The good captions of one image: their ids, texts and unit vectors (n, d).

    `cut` are those longer than the encoder reads. A person `pinned` some, which are chosen, and `banned` others, which
    never are.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    vectors: NDArray[np.floating]
    cut: frozenset[str] = frozenset()
    pinned: frozenset[str] = frozenset()
    banned: frozenset[str] = frozenset()

    def __len__(self) -> int:
        """How many there are, banned ones too."""
        return len(self.ids)

    @property
    def eligible(self) -> list[int]:
        """Places of those that may be chosen."""
        return [place for place, key in enumerate(self.ids) if key not in self.banned]

    def in_order(self) -> GoodCaptions:
        """The same in the order of their ids."""
        order = sorted(range(len(self.ids)), key=lambda at: self.ids[at])
        return GoodCaptions(
            [self.ids[at] for at in order], [self.texts[at] for at in order], self.vectors[order],
            self.cut, self.pinned - self.banned, self.banned,
        )  # fmt: skip


class Place(NamedTuple):
    """Where a caption lies on the plane of its image, and its cluster, None where there are none; `is_cut` where it is
    longer than the encoder reads."""

    x: float
    y: float
    cluster: int | None = None
    is_cut: bool = False


@dataclass(frozen=True)
class Choice:
    """What was chosen, by which variant, and where every good caption lies, by id.

    `n_clusters` is None where nothing was clustered. `stability` is the mean Jaccard index of the chosen set with those
    of other seeds, 1.0 where chance has no part, None where it was not measured.
    """

    chosen: Chosen
    variant: Variant
    places: Mapping[str, Place] = field(default_factory=dict)
    n_clusters: int | None = None
    stability: float | None = None


def select_least_alike(captions: GoodCaptions, k: int) -> Choice | None:
    """Variant A: the k captions that are least alike, the pinned ones among them. None for a short pool.

    Raises ValueError as `select_diverse_vectors` does.
    """
    captions = captions.in_order()
    may = captions.eligible
    ids = [captions.ids[at] for at in may]
    chosen = select_diverse_vectors(ids, captions.vectors[may], k, fixed=captions.pinned & set(ids))
    if chosen is None:
        return None
    return Choice(chosen, "least_alike", places_of(captions, principal_plane(captions.vectors)), stability=1.0)


def places_of(
    captions: GoodCaptions, plane: NDArray[np.floating], clusters: Sequence[int] | None = None
) -> dict[str, Place]:
    """Where each caption lies on `plane` (n, 2), by id."""
    found = np.round(np.asarray(plane, dtype=np.float64), DECIMALS) + 0.0  # no negative zeros
    labels = clusters if clusters is not None else [None] * len(captions)
    rows = zip(captions.ids, found.tolist(), labels, strict=True)
    return {key: Place(x, y, label, key in captions.cut) for key, (x, y), label in rows}
