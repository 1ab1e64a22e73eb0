"""Suspected copies of targets: near hashes against comparing each with each, cosines at the edge, and bad input."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.methods import leakage
from backend.methods.leakage import Suspect, find_suspects, hashes_near, read_hashes
from nightly import examples

NONE_NEAR = hashes_near(read_hashes([]), read_hashes([]))
BLANK = 0
# Few bits set: hashes near each other, and many the same, as those of blank pictures are.
SPARSE = st.sets(st.integers(0, 63), max_size=5).map(lambda bits: sum(1 << bit for bit in bits))
SHORT_LISTS = st.lists(SPARSE, max_size=8)


def hashes(values: list[int]) -> leakage.Hashes:
    return np.array(values, dtype=np.uint64)


def each_with_each(targets: list[int], corpus: list[int], most: int) -> list[tuple[int, int, int]]:
    found = ((t, c, (a ^ b).bit_count()) for t, a in enumerate(targets) for c, b in enumerate(corpus))
    return [pair for pair in found if pair[2] <= most]


def as_list(near: leakage.NearHashes) -> list[tuple[int, int, int]]:
    return list(zip(near.targets.tolist(), near.images.tolist(), near.bits.tolist(), strict=True))


@pytest.mark.nightly
@settings(max_examples=examples(300), deadline=None)
@given(SHORT_LISTS, SHORT_LISTS, st.sampled_from([0, 1, 4, 4, 4, 10]))
def test_it_finds_what_comparing_each_with_each_finds(targets: list[int], corpus: list[int], most: int) -> None:
    assert as_list(hashes_near(hashes(targets), hashes(corpus), most=most)) == each_with_each(targets, corpus, most)


def test_four_bits_anywhere_are_near_and_five_are_not() -> None:
    dice = np.random.default_rng(4)
    for n_bits in (4, 5):
        flips = [sum(1 << int(bit) for bit in dice.choice(64, n_bits, replace=False)) for _ in range(300)]
        near = hashes_near(hashes([2**63 + 12345]), hashes([(2**63 + 12345) ^ flip for flip in flips]))
        assert len(near.images) == (300 if n_bits == 4 else 0)


@pytest.mark.nightly
def test_a_corpus_shard_by_shard_gives_the_same_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(5)
    targets = dice.integers(0, 2**64, 40, dtype=np.uint64)
    corpus = targets[dice.integers(0, 40, 900)] ^ (np.uint64(1) << dice.integers(0, 64, 900, dtype=np.uint64))
    at_once = as_list(hashes_near(targets, corpus))
    monkeypatch.setattr(leakage, "CANDIDATES", 64)
    assert as_list(hashes_near(targets, corpus)) == at_once
    assert len(at_once) == 900


@pytest.mark.nightly
def test_a_corpus_of_blank_pictures_takes_no_memory_for_each_pair_that_is_not_near() -> None:
    """A thousand targets share half of their bits with 50,000 pictures: 50 million pairs agree in a band."""
    targets = np.arange(1000, dtype=np.uint64) << np.uint64(40) | np.uint64(0x1F << 58)
    corpus = np.zeros(50_000, dtype=np.uint64)
    tracemalloc.start()
    assert hashes_near(targets, corpus).images.size == 0
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * 2**20


def test_hashes_are_read_as_the_catalogue_writes_them() -> None:
    assert read_hashes(["00000000000000ff", "FFFFFFFFFFFFFFFE"]).tolist() == [255, 2**64 - 2]
    assert read_hashes([]).shape == (0,)


@pytest.mark.parametrize("wrong", ["", "ff", "0" * 15 + "g", "0" * 17, "0x" + "0" * 14, " " * 16, "٣" * 16])
def test_what_is_no_hash_is_refused_by_name(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no perceptual hash") as refused:
        read_hashes(["0" * 16, wrong])
    assert repr(wrong) in str(refused.value)


def test_a_length_too_short_does_not_hide_behind_one_too_long() -> None:
    with pytest.raises(ValueError, match="hexadecimal"):
        read_hashes(["0" * 15, "0" * 17])


def test_a_pair_is_listed_once_with_what_each_rule_saw() -> None:
    near = hashes_near(hashes([BLANK, 2**40 - 1]), hashes([0b111, 2**63 + 2**62, 2**50]))
    suspects = find_suspects(near, [[1, 9, -1], [8, 0, 7]], [[0.97, 0.5, -np.inf], [0.95, 0.2, 0.949]])
    assert suspects == [
        Suspect(0, 0, 3, None),
        Suspect(0, 1, 2, 0.97),
        Suspect(0, 2, 1, None),
        Suspect(1, 8, None, 0.95),
    ]
    assert [suspect.rules for suspect in suspects] == [
        ("perceptual_hash",),
        ("perceptual_hash", "cosine"),
        ("perceptual_hash",),
        ("cosine",),
    ]


def test_single_precision_does_not_lose_a_cosine_at_the_edge() -> None:
    cosines = np.array([[0.95, 0.9499]], dtype=np.float32)
    assert float(cosines[0, 0]) < 0.95
    assert find_suspects(NONE_NEAR, [[3, 4]], cosines) == [Suspect(0, 3, None, 0.95)]


def test_the_same_hash_and_vector_are_the_surest_suspect() -> None:
    near = hashes_near(hashes([7]), hashes([7]))
    assert find_suspects(near, [[0]], [[1.0000001]]) == [Suspect(0, 0, 0, 1.0)]


def test_without_targets_or_neighbours_nobody_is_suspected() -> None:
    assert find_suspects(NONE_NEAR, np.empty((0, 5)), np.empty((0, 5))) == []
    assert find_suspects(hashes_near(hashes([1]), hashes([])), [[-1]], [[-np.inf]]) == []


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        find_suspects(NONE_NEAR, [[1]], [[np.nan]])
    with pytest.raises(ValueError, match="shape"):
        find_suspects(NONE_NEAR, [[1, 2]], [[0.5]])
    with pytest.raises(ValueError, match="0 to 63"):
        hashes_near(hashes([1]), hashes([1]), most=64)
    with pytest.raises(ValueError, match="uint64"):
        hashes_near(np.array([1]), hashes([1]))  # type: ignore[arg-type]
