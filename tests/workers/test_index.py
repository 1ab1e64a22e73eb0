"""Nearest neighbours against plain numpy: the same ones, in the same order, whatever the size and the pieces."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nightly import nightly
from workers.engines import index as indexing
from workers.engines.index import (
    LEAST_RERANKED,
    RERANKED,
    ArrayRows,
    Index,
    IndexRefusedError,
    NoDirectionError,
    build_index,
    kind_for,
    open_index,
)
from workers.engines.shards import Block, Part, Recipe, read_shards, write_shards

Floats = NDArray[np.float32]
Found = tuple[Floats, NDArray[np.int64]]
D = 32


def mixture(n: int, seed: int = 0, n_centres: int = 60) -> Floats:
    """Points around seeded centres, as embeddings of pictures lie; not of length one."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(99).normal(size=(n_centres, D))
    return (centres[rng.integers(n_centres, size=n)] + 0.5 * rng.normal(size=(n, D))).astype(np.float32)


def brute_force(corpus: Floats, queries: Floats, k: int) -> Found:
    """Every cosine in double precision, sorted by similarity and then by id."""
    unit, asked = (v / np.linalg.norm(v.astype(np.float64), axis=1, keepdims=True) for v in (corpus, queries))
    similarities = (asked @ unit.T).astype(np.float32)
    order = np.lexsort((np.broadcast_to(np.arange(len(corpus)), similarities.shape), -similarities), axis=1)[:, :k]
    return np.take_along_axis(similarities, order, axis=1), order


def recall(found: NDArray[np.int64], wanted: NDArray[np.int64]) -> float:
    return float(np.mean([len(set(one) & set(other)) / len(other) for one, other in zip(found, wanted, strict=True)]))


@pytest.fixture(scope="module")
def corpus() -> Floats:
    return mixture(12_000)


@pytest.fixture(scope="module")
def queries() -> Floats:
    return mixture(100, seed=1)


@pytest.fixture(scope="module")
def coded(corpus: Floats, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """An ivf-pq index in three pieces."""
    return build_index(tmp_path_factory.mktemp("coded"), ArrayRows(corpus), kind="ivf-pq", piece=5_000)


@pytest.mark.nightly
@pytest.mark.parametrize("piece", [500, 2_000, 1_000_000])
def test_exact_finds_what_brute_force_finds(corpus: Floats, queries: Floats, tmp_path: Path, piece: int) -> None:
    index = build_index(tmp_path, ArrayRows(corpus[:2_000]), piece=piece)
    similarities, ids = index.search(queries, 20)
    wanted, wanted_ids = brute_force(corpus[:2_000], queries, 20)
    assert (index.kind, len(index), similarities.dtype, ids.dtype) == ("exact", 2_000, np.float32, np.int64)
    assert np.array_equal(ids, wanted_ids) and np.abs(similarities - wanted).max() < 1e-6


@pytest.mark.parametrize("kind", ["exact", "hnsw"])
@pytest.mark.parametrize("piece", [70, 1_000])
def test_equal_similarities_come_by_lowest_id(tmp_path: Path, kind: str, piece: int) -> None:
    """30 vectors, each ten times over: brute force in any other order of ties would differ."""
    corpus = np.tile(mixture(30), (10, 1))
    found = build_index(tmp_path, ArrayRows(corpus), kind=kind, piece=piece).search(corpus[:30], 12)
    wanted = brute_force(corpus, corpus[:30], 12)
    assert np.array_equal(found[1], wanted[1]) if kind == "exact" else recall(found[1][:, :5], wanted[1][:, :10]) == 0.5
    assert (np.diff(found[1][:, :10]) > 0).all()


def test_a_corpus_of_one_vector_a_thousand_times_gives_the_first_ids(tmp_path: Path) -> None:
    corpus = np.tile(mixture(1), (1_000, 1))
    similarities, ids = build_index(tmp_path, ArrayRows(corpus), piece=300).search(corpus[:3], 7)
    assert ids.tolist() == [list(range(7))] * 3 and np.abs(similarities - 1).max() < 1e-6


def test_where_there_are_fewer_than_k_the_rest_is_nothing(corpus: Floats, queries: Floats, tmp_path: Path) -> None:
    similarities, ids = build_index(tmp_path, ArrayRows(corpus[:5]), piece=2).search(queries, 8)
    assert np.array_equal(np.sort(ids[:, :5]), np.tile(np.arange(5), (100, 1)))
    assert (
        (ids[:, 5:] == -1).all() and np.isneginf(similarities[:, 5:]).all() and np.isfinite(similarities[:, :5]).all()
    )


@pytest.mark.nightly
def test_hnsw_finds_at_least_95_of_100_neighbours(corpus: Floats, queries: Floats, tmp_path: Path) -> None:
    similarities, ids = build_index(tmp_path, ArrayRows(corpus), kind="hnsw", piece=7_000).search(queries, 10)
    wanted = brute_force(corpus, queries, 10)
    assert recall(ids, wanted[1]) >= 0.95
    hit = ids == wanted[1]
    assert np.abs(similarities - wanted[0])[hit].max() < 1e-6


@pytest.mark.nightly
def test_ivf_pq_finds_half_by_its_codes_and_95_of_100_re_ranked(coded: Index, corpus: Floats, queries: Floats) -> None:
    wanted = brute_force(corpus, queries, 10)
    assert recall(coded.search(queries, 10)[1], wanted[1]) >= 0.5
    similarities, ids = coded.search(queries, 10, rerank=ArrayRows(corpus))
    assert recall(ids, wanted[1]) >= 0.95
    assert np.abs(similarities - wanted[0])[ids == wanted[1]].max() < 1e-6
    assert len({piece.start for piece in coded._pieces}) == 3


class Counted(ArrayRows):
    """Rows that know how many were asked for, call by call."""

    def __init__(self, vectors: Floats) -> None:
        super().__init__(vectors)
        self.asked: list[int] = []

    def rows(self, ids: NDArray[np.int64]) -> Floats:
        self.asked.append(len(ids))
        return super().rows(ids)


@pytest.mark.parametrize("k", [nightly(5), 40])
def test_candidates_of_three_pieces_are_re_ranked_once(coded: Index, corpus: Floats, queries: Floats, k: int) -> None:
    counted = Counted(corpus)
    coded.search(queries, k, rerank=counted)
    assert sum(counted.asked) == len(queries) * max(RERANKED * k, LEAST_RERANKED)


def test_one_query_with_many_candidates_is_scored_in_parts(
    coded: Index, corpus: Floats, queries: Floats, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = coded.search(queries, 20, rerank=ArrayRows(corpus))
    monkeypatch.setattr(indexing, "SCORED", 64 * D)
    counted = Counted(corpus)
    parts = coded.search(queries, 20, rerank=counted)
    assert np.array_equal(parts[0], whole[0]) and np.array_equal(parts[1], whole[1])
    assert max(counted.asked) == 64


def test_re_ranking_with_other_vectors_is_refused(coded: Index, corpus: Floats) -> None:
    with pytest.raises(IndexRefusedError, match=r"not those that the index .* was built from"):
        coded.search(corpus[:2], 3, rerank=ArrayRows(corpus[::-1]))


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["exact", "hnsw"])
def test_the_same_vectors_and_seed_give_the_same_files(corpus: Floats, tmp_path: Path, kind: str) -> None:
    one, two = (build_index(tmp_path / name, ArrayRows(corpus[:3_000]), kind=kind, seed=5) for name in "ab")
    assert one.description == two.description


@pytest.mark.nightly
def test_the_same_codes_are_learned_again(coded: Index, corpus: Floats, tmp_path: Path) -> None:
    again = build_index(tmp_path, ArrayRows(corpus), kind="ivf-pq", piece=5_000)
    assert again.description == coded.description


def test_shards_are_indexed_as_they_lie_and_ids_are_their_rows(corpus: Floats, queries: Floats, tmp_path: Path) -> None:
    def part(start: int) -> Part:
        rows = corpus[start : start + 500]
        return Part(str(start), lambda: [Block([str(start + row) for row in range(500)], rows)])

    write_shards(tmp_path / "shards", Recipe("m", "d", "p", D), [part(0), part(500), part(1_000)])
    shards = read_shards(tmp_path / "shards")
    ids = build_index(tmp_path / "index", shards, piece=700).search(queries, 5)[1]
    assert np.array_equal(ids, brute_force(corpus[:1_500], queries, 5)[1])
    assert shards.keys(ids[0]) == [str(row) for row in ids[0]]


def test_an_opened_index_is_mapped_and_answers_alike(corpus: Floats, queries: Floats, coded: Index) -> None:
    import faiss

    opened = open_index(coded.folder)
    assert np.array_equal(opened.search(queries, 5)[1], coded.search(queries, 5)[1])
    lists = faiss.downcast_InvertedLists(opened._pieces[0].faiss.invlists)
    assert isinstance(lists, faiss.OnDiskInvertedLists)
    maps = Path("/proc/self/maps")
    assert not maps.exists() or str(coded.folder / "piece-00000.faiss") in maps.read_text()


def test_an_index_that_is_there_is_not_built_again_and_one_of_other_vectors_is(corpus: Floats, tmp_path: Path) -> None:
    build_index(tmp_path, ArrayRows(corpus[:100]))
    before = (tmp_path / "piece-00000.faiss").stat().st_ino, (tmp_path / "index.json").stat().st_mtime_ns
    build_index(tmp_path, ArrayRows(corpus[:100]))
    assert ((tmp_path / "piece-00000.faiss").stat().st_ino, (tmp_path / "index.json").stat().st_mtime_ns) == before
    assert len(build_index(tmp_path, ArrayRows(corpus[:90]), piece=40)) == 90
    assert len(list(tmp_path.glob("piece-*"))) == 3


def test_the_kind_follows_the_size() -> None:
    assert [kind_for(n) for n in (1, 100_000, 100_001, 500_000, 500_001)] == [
        "exact",
        "exact",
        "hnsw",
        "hnsw",
        "ivf-pq",
    ]


def test_no_queries_give_no_answers(corpus: Floats, tmp_path: Path) -> None:
    similarities, ids = build_index(tmp_path, ArrayRows(corpus[:50])).search(corpus[:0], 4)
    assert similarities.shape == ids.shape == (0, 4) and ids.dtype == np.int64


@pytest.mark.parametrize(("k", "said"), [(0, "k is 0"), (-3, "k is -3")])
def test_a_k_below_one_is_refused(corpus: Floats, tmp_path: Path, k: int, said: str) -> None:
    with pytest.raises(IndexRefusedError, match=said):
        build_index(tmp_path, ArrayRows(corpus[:50])).search(corpus[:1], k)


@pytest.mark.parametrize("shape", [(2, D + 1), (D,), (0, 3)])
def test_queries_of_another_dimension_are_refused(corpus: Floats, tmp_path: Path, shape: tuple[int, ...]) -> None:
    with pytest.raises(IndexRefusedError, match=f"vectors with {D} numbers"):
        build_index(tmp_path, ArrayRows(corpus[:50])).search(np.ones(shape, dtype=np.float32), 1)


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0])
def test_a_query_or_vector_without_direction_is_refused_by_number(corpus: Floats, tmp_path: Path, value: float) -> None:
    bad = corpus[:50].copy()
    bad[41] = value
    with pytest.raises(NoDirectionError, match="query with number 41"):
        build_index(tmp_path / "good", ArrayRows(corpus[:50])).search(bad, 1)
    with pytest.raises(NoDirectionError, match="vector with number 41"):
        build_index(tmp_path / "bad", ArrayRows(bad), piece=20)
    assert not (tmp_path / "bad" / "index.json").exists()


def test_what_cannot_be_built_says_why(corpus: Floats, tmp_path: Path) -> None:
    with pytest.raises(IndexRefusedError, match="no vectors"):
        build_index(tmp_path, ArrayRows(corpus[:0]))
    with pytest.raises(IndexRefusedError, match="auto, exact, hnsw, ivf-pq"):
        build_index(tmp_path, ArrayRows(corpus), kind="annoy")
    with pytest.raises(IndexRefusedError, match="at least 10,000 vectors, but there are 9,999"):
        build_index(tmp_path, ArrayRows(corpus[:9_999]), kind="ivf-pq")


def test_a_damaged_or_absent_index_is_refused_by_name(corpus: Floats, tmp_path: Path) -> None:
    with pytest.raises(IndexRefusedError, match="no complete index"):
        open_index(tmp_path)
    build_index(tmp_path, ArrayRows(corpus[:50]))
    piece = tmp_path / "piece-00000.faiss"
    piece.write_bytes(piece.read_bytes()[:-1] + b"?")
    with pytest.raises(IndexRefusedError, match=r"piece-00000\.faiss of the index has changed"):
        open_index(tmp_path)
    assert len(build_index(tmp_path, ArrayRows(corpus[:50])).search(corpus[:1], 1)[1]) == 1
    piece.unlink()
    with pytest.raises(IndexRefusedError, match="it is missing"):
        open_index(tmp_path)
    description = tmp_path / "index.json"
    description.write_text(json.dumps({"schema": 1}))
    with pytest.raises(IndexRefusedError, match="cannot read the index"):
        open_index(tmp_path)
