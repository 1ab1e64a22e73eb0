"""Mapped files read without keeping their pages: the same answers, and memory that comes back."""

from __future__ import annotations

import hashlib
import mmap
from pathlib import Path

import numpy as np
import pytest

from nightly import nightly
from workers.engines import sparing
from workers.engines.index import build_index, open_index
from workers.engines.rows import ArrayRows, Ids
from workers.engines.shards import Block, Part, Recipe, Shards, read_shards, write_shards
from workers.engines.sparing import SparingRows, give_back

D = 16
RECIPE = Recipe("drawn", "ab" * 32, "none", D)
needs_maps = pytest.mark.skipif(not sparing.MAPS.exists(), reason="The system does not say what is mapped.")


def drawn(n: int, *, copies: int = 0) -> np.ndarray:
    """`n` vectors, the last `copies` of which are the first one."""
    vectors = np.random.default_rng(5).standard_normal((n, D), dtype=np.float32)
    vectors[n - copies :] = vectors[0]
    return vectors


@pytest.fixture
def shards(tmp_path: Path) -> Shards:
    """1,000 vectors in ten shards."""
    vectors = drawn(1_000)

    def part(start: int) -> Part:
        keys = [str(n) for n in range(start, start + 100)]
        return Part(hashlib.sha256(keys[0].encode()).hexdigest(), lambda: [Block(keys, vectors[start : start + 100])])

    write_shards(tmp_path / "shards", RECIPE, [part(start) for start in range(0, 1_000, 100)])
    return read_shards(tmp_path / "shards")


@pytest.mark.parametrize("kind", ["exact", nightly("hnsw"), nightly("ivf-pq")])
def test_a_sparing_index_answers_as_another_does(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where more are equally near than one asks for, and where they lie in several blocks and pieces."""
    monkeypatch.setattr(sparing, "BLOCK", 1_500)
    monkeypatch.setattr(sparing, "AT_ONCE", 100)
    rows = ArrayRows(drawn(10_000, copies=300))
    queries = np.concatenate([rows.rows(np.array([0])), drawn(6)[1:] + 0.1])
    build_index(tmp_path, rows, kind=kind, piece=4_000)
    rerank = rows if kind == "ivf-pq" else None
    for k in (1, 20, 400):
        plain = open_index(tmp_path).search(queries, k, rerank=rerank)
        spared = open_index(tmp_path, sparing=True).search(queries, k, rerank=rerank)
        assert np.array_equal(plain[0], spared[0]) and np.array_equal(plain[1], spared[1])


def test_sparing_rows_are_the_rows(shards: Shards, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparing, "AT_ONCE", 7)
    rows = SparingRows(shards)
    ids: Ids = np.random.default_rng(1).integers(0, 1_000, 333)
    assert np.array_equal(rows.rows(ids), shards.rows(ids))
    assert rows.rows(ids[:0]).shape == (0, D)
    assert (len(rows), rows.dimension, rows.digest) == (1_000, D, shards.digest)
    assert np.array_equal(np.concatenate(list(rows.blocks())), np.concatenate(list(shards.blocks())))
    with pytest.raises(IndexError, match="There is no row 1000"):
        rows.rows(np.array([3, 1_000]))


def resident_of(folder: Path) -> int:
    """Bytes of mapped files of this folder that this process holds."""
    held, is_ours = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        words = line.split()
        if "-" in words[0]:
            is_ours = line.split(maxsplit=5)[-1].startswith(str(folder))
        elif is_ours and words[0] == "Rss:":
            held += int(words[1]) * 1024
    return held


@pytest.mark.nightly
@needs_maps
def test_pages_that_were_read_are_given_back_and_can_be_read_again(tmp_path: Path) -> None:
    (folder := tmp_path / "a folder").mkdir()
    numbers = np.arange(1_000_000, dtype=np.float32)
    for name in ("mine.npy", "other.npy"):
        np.save((folder if name == "mine.npy" else tmp_path) / name, numbers)
    mine, other = np.load(folder / "mine.npy", mmap_mode="r"), np.load(tmp_path / "other.npy", mmap_mode="r")
    total = mine.sum() + other.sum()
    assert resident_of(folder) >= numbers.nbytes
    give_back((folder,))
    assert resident_of(folder) == 0
    assert resident_of(tmp_path) >= numbers.nbytes, "the other folder is not asked about"
    assert mine.sum() + other.sum() == total


@needs_maps
def test_what_was_written_to_a_private_map_is_not_lost(tmp_path: Path) -> None:
    np.save(tmp_path / "written.npy", np.zeros(10_000))
    mine = np.load(tmp_path / "written.npy", mmap_mode="c")
    mine[:] = 7
    give_back((tmp_path,))
    assert mine.min() == 7


@pytest.mark.nightly
@needs_maps
def test_reading_all_over_holds_no_more_than_a_few_pages(tmp_path: Path) -> None:
    n = 40_000
    vectors = np.random.default_rng(0).standard_normal((n, 256), dtype=np.float32)
    rows = ArrayRows(vectors)
    build_index(tmp_path / "index", rows, kind="exact")
    held = []
    for is_sparing in (False, True):
        index = open_index(tmp_path / "index", sparing=is_sparing)
        index.search(vectors[:3], 5)
        held.append(resident_of(tmp_path))
        del index
    assert held[0] >= vectors.nbytes > 20 * held[1]


def test_where_the_system_does_not_say_what_is_mapped_nothing_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparing, "MAPS", tmp_path / "none")
    with mmap.mmap(-1, mmap.PAGESIZE) as mine:
        mine[:4] = b"mine"
        give_back((tmp_path,))
        assert mine[:4] == b"mine"
