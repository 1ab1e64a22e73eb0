"""One image's pool: its neighbours, less what may be the image itself, as far as their mean cosine stays in the band.

The index gives the nearest of all. Where an image's own cluster is asked for and its list ends before the pool does,
every picture of that cluster is scored, which is deeper than any list and exact. Where there is no cluster, the list
is asked for again, twice as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from backend.candidates.retrieval import Retrieved, Suspected
from backend.methods.leakage import Ints, NearHashes, Suspect, find_suspects
from backend.methods.retrieval import MILLION, NOISE, Neighbours, Pool, prefix_of, sort_neighbours
from workers.engines.cluster_map import ClusterMap
from workers.engines.index import Index, cosines
from workers.engines.protocols import Vectors
from workers.engines.rows import BLOCK, Rows, as_unit
from workers.tasks.retrieval_gallery import Gallery

MARGIN = 64  # neighbours asked for beyond the radius: some will be the image itself
LISTED_AT_ONCE = 400_000  # neighbours of all images of one step
MOST_AT_ONCE = 256
MOST_LISTED = 200  # suspects of an image that become rows for people to look at; a plain picture may have thousands


@dataclass(frozen=True)
class Demands:
    """How far a pool goes: pictures at most, the band of its mean cosine, and from which cosine on one is a suspect."""

    radius: int
    band: tuple[float, float]
    copy: float


@dataclass(frozen=True)
class Target:
    """An image of the project: its row in the images' vectors, and its number among those searched for."""

    image_id: int
    digest: str
    row: int
    number: int


@dataclass
class Sight:
    """What was seen of one image so far: its suspects by row, and how many neighbours its pool was taken from.

    `is_whole` once a longer list would give the same pool.
    """

    pool: Pool
    suspects: dict[int, Suspect]
    n_kept_out: int
    n_seen: int
    is_whole: bool


class Search:
    """Pools for images, a batch at a time. `near` are pairs of a target's number and a picture with near hashes."""

    def __init__(
        self,
        gallery: Gallery,
        index: Index,
        images: Vectors,
        demands: Demands,
        *,
        clusters: ClusterMap | None,
        near: NearHashes,
        allowed: Iterable[tuple[int, int, int, str]] = (),
    ) -> None:
        self.gallery, self.index, self.images, self.demands = gallery, index, images, demands
        self.clusters, self.near = clusters, near
        self.allowed = frozenset(allowed)
        self._with_allowed = frozenset(image_id for image_id, *_ in self.allowed)

    @property
    def n_at_once(self) -> int:
        """How many images make a step."""
        return max(1, min(MOST_AT_ONCE, LISTED_AT_ONCE // self._depth))

    @property
    def _depth(self) -> int:
        """Neighbours asked for at first; other clusters' are among them."""
        n = self.demands.radius if self.clusters is None else 2 * self.demands.radius
        return min(n + MARGIN, len(self.index))

    def of(self, targets: Sequence[Target]) -> list[Retrieved]:
        """What is found for these images, in their order."""
        seen = dict(zip(targets, self._listed(targets), strict=True))
        return list(self._told(seen))

    def _listed(self, targets: Sequence[Target]) -> Iterator[Sight]:
        vectors = self.images[[target.row for target in targets]]
        found = self.index.search(vectors, self._depth, rerank=self._rerank)
        for target, similarities, ids in zip(targets, *found, strict=True):
            yield self._deeper(target, self._judged(target, ids, similarities, {}))

    @property
    def _rerank(self) -> Rows | None:
        """The vectors themselves, where the index keeps only codes."""
        return self.gallery.rows if self.index.kind == "ivf-pq" else None

    def _deeper(self, target: Target, sight: Sight) -> Sight:
        """The same image seen as deep as its pool needs."""
        depth = self._depth
        while not sight.is_whole:
            if self._label_of(target) not in (None, NOISE):
                return self._judged(target, *self._cluster_of(target), sight.suspects, is_all=True)
            depth = min(2 * depth, len(self.index))
            found = self.index.search(self.images[[target.row]], depth, rerank=self._rerank)
            n_before, sight = sight.n_seen, self._judged(target, found[1][0], found[0][0], sight.suspects)
            sight.is_whole |= depth == len(self.index) or sight.n_seen == n_before
        return sight

    def _judged(
        self,
        target: Target,
        ids: Ints,
        similarities: Vectors,
        suspects: Mapping[int, Suspect],
        *,
        is_all: bool = False,
    ) -> Sight:
        """The pool that a list gives. It is not whole where the list ended, or was cut in a tie, and there is more."""
        found = {one.image: one for one in self._suspects(target, ids, similarities)} | dict(suspects)
        shut_out = self._shut_out(target, found)
        near = self._neighbours(ids, similarities)
        label = self._label_of(target)
        pool = prefix_of(near.without(shut_out), radius=self.demands.radius, query_label=label, band=self.demands.band)
        if pool.reason == "no_others" and label not in (None, NOISE):  # every picture of its cluster is a suspect
            pool = replace(pool, reason="alone_in_cluster")
        is_whole = is_all or self._holds_all(near, label) or not (pool.ended_by == "list" or _ends_in_tie(near, pool))
        return Sight(pool, found, len(shut_out), len(near), is_whole)

    def _neighbours(self, ids: Ints, similarities: Vectors) -> Neighbours:
        labels = None if self.clusters is None else np.where(ids < 0, NOISE, self.clusters.pictures[ids])
        return sort_neighbours(ids, similarities, labels)

    def _holds_all(self, near: Neighbours, label: int | None) -> bool:
        """Whether there is nothing that a longer list could add."""
        if label is None or label == NOISE:
            return len(near) == len(self.index)
        return len(near.same_cluster(label)) == len(self._members(label))

    def _label_of(self, target: Target) -> int | None:
        return None if self.clusters is None else int(self.clusters.images[target.row])

    def _suspects(self, target: Target, ids: Ints, similarities: Vectors) -> list[Suspect]:
        """Of one image, which is number 0 here."""
        first, last = np.searchsorted(self.near.targets, [target.number, target.number + 1])
        images, bits = self.near.images[first:last], self.near.bits[first:last]
        mine = NearHashes(np.zeros(len(images), dtype=np.int64), images, bits)
        return find_suspects(mine, ids[None], similarities[None], least=self.demands.copy)

    def _shut_out(self, target: Target, suspects: Mapping[int, Suspect]) -> list[int]:
        """Rows of suspects but for those that a person allowed."""
        if target.image_id not in self._with_allowed:
            return sorted(suspects)
        lenders = self.gallery.lenders(suspects)
        return [row for row in sorted(suspects) if (target.image_id, *lenders[row].at) not in self.allowed]

    @cached_property
    def _by_label(self) -> tuple[Ints, Ints]:
        """Rows by cluster, and the labels in that order."""
        if self.clusters is None:
            raise ValueError("There are no clusters in this mode.")
        order = np.argsort(self.clusters.pictures, kind="stable")
        return order, self.clusters.pictures[order]

    def _members(self, label: int) -> Ints:
        order, labels = self._by_label
        first, last = np.searchsorted(labels, [label, label + 1])
        return order[first:last]

    def _cluster_of(self, target: Target) -> tuple[Ints, Vectors]:
        """Every picture of the image's cluster with its cosine, the very number that the index gives."""
        members = self._members(self._label_of(target) or 0)
        query = as_unit(self.images[[target.row]], what="query")[0].astype(np.float64)
        parts = (members[start : start + BLOCK] for start in range(0, len(members), BLOCK))
        scored = [self._scored(part, query) for part in parts]
        return members, np.concatenate([np.empty(0, dtype=np.float32), *scored])

    def _scored(self, ids: Ints, query: NDArray[np.float64]) -> Vectors:
        """An index of codes scores the vectors as they lie, another one what it holds: them, made of length one."""
        vectors = self.gallery.rows.rows(ids)
        return cosines(vectors if self._rerank is not None else as_unit(vectors, what="vector"), query).astype(
            np.float32
        )

    def _told(self, seen: Mapping[Target, Sight]) -> Iterator[Retrieved]:
        listed = {target: _nearest(sight.suspects) for target, sight in seen.items()}
        rows = {row for target, sight in seen.items() for row in (*sight.pool.ids, *listed[target])}
        lenders = self.gallery.lenders(rows)
        for target, sight in seen.items():
            yield Retrieved(
                image_id=target.image_id,
                digest=target.digest,
                prefix=sight.pool,
                label=self._label_of(target),
                radius=self.demands.radius,
                lenders=[lenders[row] for row in sight.pool.ids],
                suspects=[Suspected(lenders[row], one.bits, one.cosine) for row, one in listed[target].items()],
                n_kept_out=sight.n_kept_out,
                n_not_listed=len(sight.suspects) - len(listed[target]),
            )


def _ends_in_tie(near: Neighbours, pool: Pool) -> bool:
    """Whether the pool's last is as alike as the list's last: one of a lower id may be so too and lie beyond."""
    return bool(pool.ids) and round(pool.similarities[-1] * MILLION) == near.millionths[-1]


def _nearest(suspects: Mapping[int, Suspect]) -> dict[int, Suspect]:
    """The suspects that people are shown, by row: those whose hashes nearly agree first, then by cosine."""

    def far(row: int) -> tuple[int, float, int]:
        one = suspects[row]
        return 65 if one.bits is None else one.bits, -1.0 if one.cosine is None else -one.cosine, row

    return {row: suspects[row] for row in sorted(sorted(suspects, key=far)[:MOST_LISTED])}
