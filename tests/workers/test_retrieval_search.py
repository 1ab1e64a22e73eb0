"""Pools found through an index are those of a plain scan over everything."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.candidates.retrieval import Lender, Retrieved
from backend.methods.leakage import NearHashes
from nightly import examples
from workers.engines.cluster_map import ClusterMap
from workers.engines.index import build_index
from workers.engines.rows import ArrayRows
from workers.tasks import retrieval_search
from workers.tasks.retrieval_search import Demands, Search, Target

D, IMAGES = 6, 25
CORPUS = SimpleNamespace(pk=1, name="near")
DEMANDS = Demands(radius=12, band=(0.7, 0.8), copy=0.95)


def unit(n: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(0.6, 1, (n, D)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def gallery_of(vectors: np.ndarray) -> Any:
    """What a search needs of a gallery, without a database."""

    def lenders(ids: Iterable[int]) -> dict[int, Lender]:
        return {row: Lender(CORPUS, str(row), 0, str(row), (f"caption {row}",)) for row in ids}  # type: ignore[arg-type]

    return SimpleNamespace(rows=ArrayRows(vectors), lenders=lenders)


def searched(
    folder: Path, n: int, clusters: ClusterMap | None, kind: str, near: NearHashes | None = None, **demands: Any
) -> list[Retrieved]:
    pictures, images = unit(n, 1), unit(IMAGES, 2)
    gallery = gallery_of(pictures)
    index = build_index(folder, gallery.rows, kind=kind)
    none = NearHashes(*np.empty((3, 0), dtype=np.int64))
    wanted = Demands(**{**vars(DEMANDS), **demands})
    search = Search(gallery, index, images, wanted, clusters=clusters, near=near or none)
    return search.of([Target(100 + row, f"{row:064x}", row, row) for row in range(IMAGES)])


def scanned(n: int, clusters: ClusterMap | None, row: int, shut_out: frozenset[int] = frozenset()) -> list[int]:
    """The rows of one pool, by the definition: sorted, restricted, as long as the running mean is in the band."""
    cosines = np.rint(unit(n, 1).astype(np.float64) @ unit(IMAGES, 2)[row].astype(np.float64) * 1e6) / 1e6
    label = -1 if clusters is None else clusters.images[row]
    own = [
        one
        for one in range(n)
        if cosines[one] < DEMANDS.copy
        and one not in shut_out
        and (label == -1 or clusters is None or clusters.pictures[one] == label)
    ]
    own.sort(key=lambda one: (-cosines[one], one))
    means = np.cumsum(cosines[own]) / np.arange(1, len(own) + 1)
    return own[: min(DEMANDS.radius, int((means >= 0.7 - 1e-12).sum()))]


def labels(n: int, *, n_clusters: int) -> ClusterMap:
    dice = np.random.default_rng(5)
    return ClusterMap(dice.integers(-1, n_clusters, n), dice.integers(-1, n_clusters, IMAGES), {})


def rows_of(found: list[Retrieved]) -> list[list[int]]:
    return [[int(lender.key) for lender in one.lenders] for one in found]


def cosines_of(found: list[Retrieved]) -> list[dict[str, float]]:
    return [dict(zip([o.key for o in one.lenders], one.prefix.similarities, strict=True)) for one in found]


@pytest.mark.nightly
@pytest.mark.parametrize("margin", [0, 64])
@pytest.mark.parametrize("n_clusters", [0, 3, 40])
@pytest.mark.parametrize("n", [1, 13, 400])
def test_pools_are_those_of_a_scan(
    n: int, n_clusters: int, margin: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval_search, "MARGIN", margin)
    clusters = labels(n, n_clusters=n_clusters) if n_clusters else None
    found = searched(tmp_path, n, clusters, "exact")
    assert rows_of(found) == [scanned(n, clusters, row) for row in range(IMAGES)]
    assert all(bool(one.prefix.reason) == (not one.lenders) for one in found)


@st.composite
def tied(draw: st.DrawFn) -> tuple[np.ndarray, ClusterMap | None, frozenset[int], dict[str, Any]]:
    """Pictures in few directions, many of them equal, some nearer by less than a millionth; the image is (1, 0)."""
    places = draw(
        st.lists(st.tuples(st.integers(0, 7), st.integers(0, 3), st.integers(-1, 1)), min_size=1, max_size=30)
    )
    turns = np.array([0.2 + 0.15 * coarse + 1e-7 * fine for coarse, fine, _ in places])
    vectors = np.stack([np.cos(turns), np.sin(turns)], axis=1).astype(np.float32)
    labels = np.array([label for *_, label in places])
    label = draw(st.none() | st.integers(-1, 1))
    clusters = None if label is None else ClusterMap(labels, np.array([label]), {})
    leaked = draw(st.frozensets(st.integers(0, len(places) - 1), max_size=4))
    return vectors, clusters, leaked, {"radius": draw(st.integers(1, 12)), "copy": draw(st.sampled_from([0.9, 1.01]))}


def scanned_whole(
    vectors: np.ndarray, clusters: ClusterMap | None, leaked: frozenset[int], demands: dict[str, Any]
) -> list[int]:
    """The pool of (1, 0) by the definition, in whole millionths, from every picture there is."""
    cosines = [round(float(np.float32(vector[0] / np.linalg.norm(vector))) * 1e6) for vector in vectors.astype(float)]
    label = -1 if clusters is None else clusters.images[0]
    own = [one for one in range(len(vectors)) if label == -1 or clusters is None or clusters.pictures[one] == label]
    own = [one for one in own if cosines[one] < demands["copy"] * 1e6 and one not in leaked]
    pool: list[int] = []
    for one in sorted(own, key=lambda one: (-cosines[one], one))[: demands["radius"]]:
        if sum(cosines[near] for near in [*pool, one]) < 700_000 * (len(pool) + 1):
            break
        pool.append(one)
    return pool


@pytest.mark.nightly
@pytest.mark.parametrize("margin", [0, 1, 64])
@settings(max_examples=examples(80))
@given(tied())
def test_pools_are_those_of_a_scan_whatever_ties(margin: int, drawn: Any) -> None:
    vectors, clusters, leaked, demands = drawn
    n_leaked = len(leaked)
    near = NearHashes(np.zeros(n_leaked, dtype=np.int64), np.array(sorted(leaked), dtype=np.int64), np.ones(n_leaked))
    gallery = gallery_of(vectors)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(retrieval_search, "MARGIN", margin)
        index = build_index(Path(folder), gallery.rows, kind="exact")
        wanted = Demands(**{**vars(DEMANDS), **demands})
        search = Search(gallery, index, np.eye(1, 2, dtype=np.float32), wanted, clusters=clusters, near=near)
        (found,) = search.of([Target(100, "0" * 64, 0, 0)])
    assert rows_of([found]) == [scanned_whole(vectors, clusters, leaked, demands)]


def test_what_a_hash_suspects_is_kept_out_however_far_it_lies(tmp_path: Path) -> None:
    first = scanned(400, None, 3)[0]
    far = int(np.argmin(unit(400, 1) @ unit(IMAGES, 2)[3]))
    pairs = sorted([first, far])
    near = NearHashes(np.array([3, 3]), np.array(pairs), np.array([1, 4]))
    found = searched(tmp_path, 400, None, "exact", near)
    assert rows_of(found)[3] == scanned(400, None, 3, frozenset(pairs))
    by_hash = [int(one.lender.key) for one in found[3].suspects if one.bits is not None]
    assert by_hash == pairs
    assert rows_of(found)[4] == scanned(400, None, 4)


def test_of_many_suspects_all_are_kept_out_and_the_nearest_are_listed_with_a_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval_search, "MOST_LISTED", 5)
    far = int(np.argmin(unit(400, 1) @ unit(IMAGES, 2)[3]))
    near = NearHashes(np.array([3]), np.array([far]), np.array([2]))
    whole = searched(tmp_path, 400, None, "exact", near, copy=0.2)[3]
    cosines = np.rint(unit(400, 1).astype(np.float64) @ unit(IMAGES, 2)[3].astype(np.float64) * 1e6) / 1e6
    suspected = int((cosines >= 0.2).sum()) + 1
    nearest = np.argsort(-cosines, kind="stable")[:4].tolist()
    assert sorted(int(one.lender.key) for one in whole.suspects) == sorted([far, *nearest])
    assert (whole.n_kept_out, whole.n_not_listed) == (suspected, suspected - 5)
    assert not {int(lender.key) for lender in whole.lenders} & {far, *np.flatnonzero(cosines >= 0.2).tolist()}


@pytest.mark.nightly
@pytest.mark.parametrize("n_clusters", [0, 40])
def test_an_index_of_codes_is_ranked_again_with_the_vectors(n_clusters: int, tmp_path: Path) -> None:
    """Candidates may be missed, similarities not: nearly every pool is that of the scan."""
    n = 10_000
    clusters = labels(n, n_clusters=n_clusters) if n_clusters else None
    found = searched(tmp_path, n, clusters, "ivf-pq", copy=0.9999)
    exact = searched(tmp_path / "exact", n, clusters, "exact", copy=0.9999)
    pairs = zip(rows_of(found), rows_of(exact), strict=True)
    shared = [len({*one} & {*other}) / max(1, len(other)) for one, other in pairs]
    assert np.mean(shared) > 0.9
    for told, truth in zip(cosines_of(found), cosines_of(exact), strict=True):
        assert all(told[row] == pytest.approx(truth[row], abs=2e-6) for row in told.keys() & truth.keys())


@pytest.mark.parametrize("kind", ["exact", "ivf-pq"])
def test_a_whole_cluster_is_scored_to_the_last_bit_as_by_the_index(kind: str, tmp_path: Path) -> None:
    n = 10_000
    lengths = np.random.default_rng(7).uniform(0.3, 3, (n, 1)).astype(np.float32)
    gallery, images = gallery_of(unit(n, 1) * lengths), unit(IMAGES, 2)
    index = build_index(tmp_path, gallery.rows, kind=kind)
    clusters = ClusterMap(np.zeros(n, dtype=np.int64), np.zeros(IMAGES, dtype=np.int64), {})
    none = NearHashes(*np.empty((3, 0), dtype=np.int64))
    search = Search(gallery, index, images, DEMANDS, clusters=clusters, near=none)
    members, similarities = search._cluster_of(Target(100, "0", 0, 0))
    found, ids = index.search(images[:1], 300, rerank=search._rerank)
    by_row = dict(zip(members.tolist(), similarities.tolist(), strict=True))
    assert [by_row[row] for row in ids[0].tolist()] == found[0].tolist()


def test_steps_hold_fewer_images_the_larger_their_pools(tmp_path: Path) -> None:
    class Large:
        kind = "ivf-pq"

        def __len__(self) -> int:
            return 10**7

    gallery, images = gallery_of(unit(3, 1)), unit(1, 2)
    none = NearHashes(*np.empty((3, 0), dtype=np.int64))
    sizes = [
        Search(gallery, Large(), images, Demands(radius, (0.7, 0.8), 0.95), clusters=None, near=none).n_at_once  # type: ignore[arg-type]
        for radius in (9, 4228, 10**7)
    ]
    assert sizes == [256, 93, 1]
