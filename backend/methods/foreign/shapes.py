"""What a file of judgments made elsewhere may hold: judgments one by one, votes per pair, or votes per item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.methods.foreign.told import Told


@dataclass(frozen=True)
class Rows:
    """Judgments one by one, `task, worker, label`, the true labels of tasks, their images and their queries where the
    file tells them, and what is no judgment, with why. A true label is empty where the file tells two of a task."""

    rows: tuple[tuple[str, str, str], ...]
    gold: dict[str, str] = field(default_factory=dict)
    is_ordered: bool = False
    left_out: tuple[Told, ...] = ()
    images: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)

    def clusters_of(self, tasks: Sequence[str]) -> NDArray[np.int64]:
        """The cluster of each task, (n,): its query, its image, or itself where the file tells neither, numbered as the
        file goes: as a project draws them."""
        known = {self._cluster(task): None for task, _, _ in self.rows}
        number = {cluster: n for n, cluster in enumerate(known)}
        return np.array([number[self._cluster(task)] for task in tasks], dtype=np.int64)

    def _cluster(self, task: str) -> tuple[str, str]:
        query, image = self.queries.get(task, ""), self.images.get(task, "")
        return ("query", query) if query else ("image", image) if image else ("task", task)


@dataclass(frozen=True)
class PairVotes:
    """Votes per pair: `counts` (n, 3) relevant, non-relevant, unsure, the columns of consensus.LABELS; `query` and
    `image` (n,) name the pair; `left_out` are queries under which no image stands."""

    counts: NDArray[np.int64]
    query: tuple[str, ...]
    image: tuple[str, ...]
    left_out: tuple[Told, ...] = ()


@dataclass(frozen=True)
class ItemVotes:
    """Votes per item over labels of their own: `counts` (n, k), the columns of `labels`; `item` (n,) names them;
    `left_out` are items for which nobody voted. `measures` are numbers of other names that a file gives of each item,
    such as what models scored: by name, then by item."""

    counts: NDArray[np.int64]
    labels: tuple[str, ...]
    item: tuple[str, ...]
    is_ordered: bool = False
    left_out: tuple[Told, ...] = ()
    measures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


Foreign = Rows | PairVotes | ItemVotes
Ledger = tuple[list[Told], dict[str, str]]  # every judgment or why it is none, and the true labels of tasks
