"""Matches counted by blocks of captions and pictures, against loops over the whole."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from backend.methods.generic import count_hubs
from workers.engines import matches
from workers.engines.matches import Captions, Seen, Voter, count_matches
from workers.engines.rows import ArrayRows

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
    likeness, heard = pictures(4, 20), []
    found = count_matches(captions, panel, likeness, needed=2, alike=ALIKE, on_block=heard.append)
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
