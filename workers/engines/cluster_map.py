"""Clusters of the corpora's pictures and of the images: UMAP to a plane, HDBSCAN on it (IMP section 3, SCIENCE 2.2).

The map is learned from a seeded sample of the corpora; the other pictures, and the project's images, are placed on it.
Density is looked for among at most CLUSTERED_AT_MOST of the learned points; every other point takes the label of the
nearest of them on the plane. Labels only say who belongs together: similarities are those of the vectors.

A map is made once for the same vectors and settings, and kept with the versions of what made it. UMAP cannot be saved
(its files would be pickles), so images added later make it anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.file_digests import sha256_of_file
from workers.engines.clusters import NOISE, Labels, find_clusters
from workers.engines.projection import Projection, Settings, project, save_projection
from workers.engines.protocols import Vectors
from workers.engines.rows import BLOCK, Ids, Rows, sample_of
from workers.engines.whole_files import hidden, locked, publish, write_json

SCHEMA = 1
DESCRIPTION = "map.json"
LABELS = "labels.npy"
CLUSTERED_AT_MOST = 300_000
NOT_LEARNED = "fewer images than a cluster needs"
SEEDS = 2**32  # UMAP takes no larger ones


@dataclass(frozen=True)
class MapSettings:
    """What a map hangs on beside the vectors. `epsilon` in units of the plane."""

    min_cluster_size: int
    epsilon: float
    sample: int
    seed: int


@dataclass(frozen=True)
class ClusterMap:
    """The cluster of each picture, int64 (n,), and of each image, int64 (t,); -1 for none. `made_by` has versions."""

    pictures: Labels
    images: Labels
    made_by: dict[str, str]


def map_clusters(pictures: Rows, images: Rows, wanted: MapSettings, kept_in: Path) -> ClusterMap:
    """The map of these vectors, made unless it is kept in a folder of `kept_in`. Whoever asks meanwhile waits.

    Fewer pictures than a cluster needs are all noise, and no map is made. Raises NoDirectionError for a vector of
    zeros or NaN, and what clusters and projections raise.
    """
    if len(pictures) < wanted.min_cluster_size:
        nothing = np.full(len(pictures) + len(images), NOISE, dtype=np.int64)
        return _parted(nothing, len(pictures), {"clusters": NOT_LEARNED})
    both = Joined(pictures, images)
    folder = kept_in / f"map-{_name_of(both, wanted)}"
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "map"):
        kept = _read(folder, both, wanted) or _make(folder, both, wanted)
    labels, made_by = kept
    return _parted(labels, len(pictures), made_by)


def _parted(labels: Labels, n_pictures: int, made_by: dict[str, str]) -> ClusterMap:
    return ClusterMap(labels[:n_pictures], labels[n_pictures:], made_by)


class Joined:
    """Some rows behind others, as Rows."""

    def __init__(self, first: Rows, second: Rows) -> None:
        self.first, self.second = first, second
        self.dimension = first.dimension

    def __len__(self) -> int:
        """How many both hold."""
        return len(self.first) + len(self.second)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the digests of both."""
        return hashlib.sha256(f"{self.first.digest}\n{self.second.digest}".encode()).hexdigest()

    def blocks(self, size: int = BLOCK) -> Iterator[Vectors]:
        """All of them in order, at most `size` at a time."""
        yield from self.first.blocks(size)
        yield from self.second.blocks(size)

    def rows(self, ids: Ids) -> Vectors:
        """float32 (n, d) in the order of `ids`."""
        found = np.empty((len(ids), self.dimension), dtype=np.float32)
        is_first = ids < len(self.first)
        found[is_first] = self.first.rows(ids[is_first])
        found[~is_first] = self.second.rows(ids[~is_first] - len(self.first))
        return found


def _name_of(both: Joined, wanted: MapSettings) -> str:
    told = json.dumps({"source": both.digest, **asdict(wanted)}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _make(folder: Path, both: Joined, wanted: MapSettings) -> tuple[Labels, dict[str, str]]:
    learned = Settings(seed=wanted.seed % SEEDS, fit_at_most=wanted.sample)
    laid = project(both, learned, learn_first=len(both.first))
    labels, library = label_points(laid, wanted)
    made_by = {**laid.versions, "clusters": library}
    save_projection(laid, folder)
    _save(folder, labels, {"source": both.digest, "settings": asdict(wanted), "made_by": made_by})
    return labels, made_by


def label_points(laid: Projection, wanted: MapSettings) -> tuple[Labels, str]:
    """The label of every point, int64 (n,), and the library that found the clusters."""
    points = laid.coordinates.astype(np.float64)
    is_placed = np.asarray(np.isfinite(points).all(axis=1))  # UMAP gives NaN to what is like nothing it has learned
    learned = laid.fitted[is_placed[laid.fitted]]
    seen = learned[sample_of(len(learned), CLUSTERED_AT_MOST, wanted.seed)]
    found = find_clusters(
        points[seen], min_cluster_size=wanted.min_cluster_size, cluster_selection_epsilon=wanted.epsilon
    )
    labels = np.full(len(points), NOISE, dtype=np.int64)
    labels[seen] = found.labels
    others = np.setdiff1d(np.flatnonzero(is_placed), seen)
    labels[others] = found.labels[_nearest(points[seen], points[others])]
    return labels, found.library


def _nearest(points: NDArray[np.float64], asked: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each point asked about the row of the nearest one."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(points).query(asked, workers=-1)[1], dtype=np.int64)


def _save(folder: Path, labels: Labels, told: dict[str, Any]) -> None:
    path = folder / LABELS
    with hidden(path).open("wb") as file:
        np.save(file, labels.astype(np.int32), allow_pickle=False)
    publish(path)
    write_json(folder / DESCRIPTION, {"schema": SCHEMA, **told, "sha256": sha256_of_file(path)})


def _read(folder: Path, both: Joined, wanted: MapSettings) -> tuple[Labels, dict[str, str]] | None:
    """What is kept, None where it is not there, not whole, or of other vectors."""
    try:
        told = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        is_it = (told["schema"], told["source"], told["settings"]) == (SCHEMA, both.digest, asdict(wanted))
        if not is_it or told["sha256"] != sha256_of_file(folder / LABELS):
            return None
        labels = np.load(folder / LABELS, allow_pickle=False).astype(np.int64)
        return (labels, dict(told["made_by"])) if len(labels) == len(both) else None
    except (OSError, KeyError, TypeError, ValueError):
        return None
