"""Matches counted by blocks of captions and pictures, against loops over the whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.methods.calibration import floor_to_bin
from backend.methods.generic import YES, count_hubs
from workers.engines import matches
from workers.engines.matches import Captions, Seen, Voter, count_matches
from workers.engines.rows import ArrayRows
from workers.engines.tallies import Tally, find_tally, keep_tally

N, TEXTS, DIMENSIONS = 23, 31, 6
THRESHOLD, ALIKE = 0.3, 0.8


def unit(rows: int, seed: int) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(rows, DIMENSIONS))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def pictures(seed: int, *lost: int) -> Seen:
    vectors = unit(N, seed)
    vectors[list(lost)] = 0
    return Seen(vectors)


@pytest.fixture
def panel() -> list[Voter]:
    """Three models; the second could not see picture 4, the third did not read text 9."""
    rows = np.arange(TEXTS)[::-1].copy()
    unread = rows.copy()
    unread[9] = -1
    return [
        Voter(pictures(1), ArrayRows(unit(TEXTS, 11)), rows, THRESHOLD),
        Voter(pictures(2, 4), ArrayRows(unit(TEXTS, 12)), rows, THRESHOLD),
        Voter(pictures(3), ArrayRows(unit(TEXTS, 13)), unread, THRESHOLD),
    ]


@pytest.fixture
def captions() -> Captions:
    """Eighty, some of which share a text."""
    dice = np.random.default_rng(7)
    return Captions(dice.integers(0, N, 80), np.sort(np.append(np.arange(TEXTS), dice.integers(0, TEXTS, 49))), TEXTS)


def naive(captions: Captions, panel: list[Voter], likeness: Seen) -> list[tuple[int, int, int]]:
    counted = []
    for own, text in zip(captions.own, captions.texts, strict=True):
        n = [0, 0, 0]
        for other in range(N):
            near = likeness.vectors[own].astype(np.float64) @ likeness.vectors[other] >= ALIKE
            if other == own or near:
                continue
            votes = [vote(voter, other, text) for voter in panel]
            if likeness.lost[own] or likeness.lost[other]:
                votes = [None] * len(panel)
            yes, missing = votes.count(True), votes.count(None)
            n[0] += yes >= 2
            n[1] += yes >= 2 or yes + missing < 2
            n[2] += yes < 2 <= yes + missing
        counted.append((n[0], n[1], n[2]))
    return counted


def vote(voter: Voter, picture: int, text: int) -> bool | None:
    row = voter.text_rows[text]
    if row < 0 or not voter.pictures.vectors[picture].any():
        return None
    return bool(voter.pictures.vectors[picture] @ voter.texts.rows(np.array([row]))[0] >= voter.threshold)


@pytest.mark.parametrize(("n_pictures", "n_captions"), [(256, 4096), (5, 7), (1, 1)])
def test_whatever_the_blocks_every_pair_counts_once(
    captions: Captions, panel: list[Voter], monkeypatch: pytest.MonkeyPatch, n_pictures: int, n_captions: int
) -> None:
    monkeypatch.setattr(matches, "PICTURES", n_pictures)
    monkeypatch.setattr(matches, "CAPTIONS", n_captions)
    likeness, heard = pictures(4, 20), list[int]()

    def hear(tally: Tally) -> None:
        heard.append(tally.n_counted)

    found = count_matches(captions, panel, likeness, needed=2, alike=ALIKE, on_block=hear)
    assert [tuple(column) for column in found.counts.T] == naive(captions, panel, likeness)
    assert heard[-1] == 80 and heard == sorted(set(heard))


@pytest.mark.parametrize("n_captions", [4096, 7])
def test_hubs_are_counted_over_different_texts_by_the_last_of_the_panel(
    captions: Captions, panel: list[Voter], monkeypatch: pytest.MonkeyPatch, n_captions: int
) -> None:
    monkeypatch.setattr(matches, "CAPTIONS", n_captions)
    found = count_matches(captions, panel, pictures(4), needed=2, alike=ALIKE)
    last = panel[-1]
    scores = last.pictures.vectors @ last.texts.rows(np.maximum(last.text_rows, 0)).T
    scores[:, 9] = np.nan
    assert found.hubness.tolist() == count_hubs(scores)[captions.texts].tolist()
    assert found.hubness.max() > 0 and not found.hubness[captions.texts == 9].any()


@pytest.mark.parametrize("killed_at", [1, 2, 5])
def test_a_count_goes_on_from_a_kept_tally_with_the_same_numbers(
    captions: Captions, panel: list[Voter], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, killed_at: int
) -> None:
    monkeypatch.setattr(matches, "CAPTIONS", 7)
    path, likeness, asked = tmp_path / "project.npz", pictures(4, 20), {"needed": 2, "alike": ALIKE}
    whole = count_matches(captions, panel, likeness, **asked)  # type: ignore[arg-type]
    n_blocks = [0]

    def keep(tally: Tally) -> None:
        keep_tally(path, tally, of="this")
        n_blocks[0] += 1
        if n_blocks[0] == killed_at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_matches(captions, panel, likeness, on_block=keep, **asked)  # type: ignore[arg-type]
    kept = find_tally(path, of="this")
    assert kept is not None and 0 < kept.n_counted < 80
    found = count_matches(captions, panel, likeness, tally=kept, **asked)  # type: ignore[arg-type]
    assert (found.counts == whole.counts).all() and (found.hubness == whole.hubness).all()


def test_a_tally_of_something_else_or_a_damaged_one_is_none(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "project.npz"
    assert find_tally(path, of="this") is None
    keep_tally(path, Tally.empty(3, 2, 4), of="this")
    assert find_tally(path, of="this") is not None and find_tally(path, of="that") is None
    path.write_bytes(path.read_bytes()[:-40])
    assert find_tally(path, of="this") is None
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_at_the_threshold_a_model_votes_as_difficulty_does() -> None:
    """In double precision the cosine is .26 and the model says yes; in single precision it rounds to below."""
    threshold, dice = 0.26, np.random.default_rng(0)
    x = dice.uniform(0.3, 0.9, 100_000).astype(np.float32)
    y = np.nextafter((threshold / x).astype(np.float32), np.float32(1))
    exact = x.astype(np.float64) * y.astype(np.float64)
    at = int(np.flatnonzero((exact >= threshold) & ((x * y).astype(np.float64) < threshold))[0])
    picture = np.array([[x[at], np.sqrt(1 - x[at] ** 2), 0]], dtype=np.float32)
    text = np.array([[y[at], 0, np.sqrt(1 - y[at] ** 2)]], dtype=np.float32)
    voter = Voter(Seen(picture), ArrayRows(text), np.array([0]), threshold)
    read = voter.read(0, 1)
    scores = voter.score(slice(0, 1), read)
    assert float(scores[0, 0]) < threshold <= floor_to_bin(exact[at])[0]
    assert voter.votes(slice(0, 1), read, scores).tolist() == [[YES]]
