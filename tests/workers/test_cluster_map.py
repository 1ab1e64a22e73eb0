"""The map of clusters: made once, the same every time, and images take the label of what they lie among."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from at_once import at_once
from flat_plane import flat
from workers.engines import cluster_map
from workers.engines.cluster_map import Joined, MapSettings, label_points, map_clusters
from workers.engines.projection import Projection, Settings
from workers.engines.rows import ArrayRows, NoDirectionError

WANTED = MapSettings(min_cluster_size=10, epsilon=0.0, sample=60, seed=3)


def three_heaps(n: int, seed: int) -> tuple[ArrayRows, np.ndarray]:
    """n vectors around three directions, and which."""
    dice = np.random.default_rng(seed)
    heap = np.arange(n) % 3
    return ArrayRows((np.eye(3, 8)[heap] + dice.normal(0, 0.05, (n, 8))).astype(np.float32)), heap


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, cluster_map.ClusterMap]:
    folder = tmp_path_factory.mktemp("maps")
    return folder, map_clusters(three_heaps(90, 1)[0], three_heaps(9, 2)[0], WANTED, folder)


@pytest.mark.nightly
def test_heaps_are_clusters_and_what_was_not_learned_joins_its_own(
    made: tuple[Path, cluster_map.ClusterMap],
) -> None:
    found, heap = made[1], three_heaps(90, 1)[1]
    of_heap = [set(found.pictures[heap == which].tolist()) - {-1} for which in range(3)]
    assert all(len(labels) >= 1 for labels in of_heap)
    assert not of_heap[0] & of_heap[1] and not of_heap[1] & of_heap[2] and not of_heap[0] & of_heap[2]
    for which, label in zip(three_heaps(9, 2)[1], found.images.tolist(), strict=True):
        assert label in of_heap[which] | {-1}
    assert (found.images >= 0).sum() >= 6


@pytest.mark.nightly
def test_a_map_is_made_once_and_kept_with_what_made_it(
    made: tuple[Path, cluster_map.ClusterMap], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, first = made
    monkeypatch.setattr(cluster_map, "project", lambda *given, **more: pytest.fail("It was made again."))
    again = map_clusters(three_heaps(90, 1)[0], three_heaps(9, 2)[0], WANTED, folder)
    np.testing.assert_array_equal(again.pictures, first.pictures)
    np.testing.assert_array_equal(again.images, first.images)
    assert again.made_by == first.made_by and {"umap-learn", "clusters"} <= set(first.made_by)
    (description,) = folder.glob("map-*/map.json")
    assert json.loads(description.read_text())["settings"] == vars(WANTED)


def made_flat(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the plane be the first two numbers of each vector; a number for each map that is made."""
    calls: list[int] = []

    def project(rows: Joined, settings: Settings, *, learn_first: int) -> Projection:
        calls.append(learn_first)
        return flat(rows, settings, learn_first=learn_first)

    monkeypatch.setattr(cluster_map, "project", project)
    return calls


def test_other_vectors_or_settings_make_another_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = made_flat(monkeypatch)
    pictures, images = three_heaps(60, 1)[0], three_heaps(3, 2)[0]
    map_clusters(pictures, images, WANTED, tmp_path)
    map_clusters(pictures, three_heaps(3, 3)[0], WANTED, tmp_path)
    map_clusters(pictures, images, MapSettings(10, 0.5, 60, 3), tmp_path)
    map_clusters(pictures, images, WANTED, tmp_path)
    assert calls == [60, 60, 60]


@pytest.mark.parametrize("file", ["labels.npy", "map.json"])
def test_a_damaged_map_is_made_again(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = made_flat(monkeypatch)
    pictures, images = three_heaps(60, 1)[0], three_heaps(3, 2)[0]
    first = map_clusters(pictures, images, WANTED, tmp_path)
    (path,) = tmp_path.glob(f"map-*/{file}")
    path.write_bytes(path.read_bytes()[:-9])
    np.testing.assert_array_equal(map_clusters(pictures, images, WANTED, tmp_path).pictures, first.pictures)
    assert len(calls) == 2


def test_two_who_ask_at_once_make_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = made_flat(monkeypatch)
    pictures, images = three_heaps(60, 1)[0], three_heaps(3, 2)[0]
    found = at_once([lambda: map_clusters(pictures, images, WANTED, tmp_path)] * 2, needs_database=False)
    assert len(calls) == 1 and not any(isinstance(one, Exception) for one in found)


def test_fewer_pictures_than_a_cluster_has_are_all_noise(tmp_path: Path) -> None:
    found = map_clusters(three_heaps(9, 1)[0], three_heaps(2, 2)[0], WANTED, tmp_path)
    assert set(found.pictures.tolist()) == set(found.images.tolist()) == {-1}
    assert not list(tmp_path.iterdir())


def test_density_is_looked_for_among_a_sample_of_what_was_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_map, "CLUSTERED_AT_MOST", 60)
    dice = np.random.default_rng(0)
    places = np.concatenate([dice.normal(centre, 0.1, (100, 2)) for centre in (0, 9)]).astype(np.float32)
    laid = Projection(places, np.arange(200), Settings(), "flat", {}, "")
    labels, _ = label_points(laid, WANTED)
    clusters = [set(labels[:100].tolist()) - {-1}, set(labels[100:].tolist()) - {-1}]
    assert all(clusters) and not clusters[0] & clusters[1]
    assert (labels >= 0).sum() > 150


def test_what_was_placed_nowhere_is_noise() -> None:
    places = np.random.default_rng(0).normal(0, 0.1, (40, 2)).astype(np.float32)
    places[7] = np.nan
    labels, _ = label_points(Projection(places, np.arange(30), Settings(), "flat", {}, ""), WANTED)
    assert labels[7] == -1 and len(labels) == 40


def test_a_vector_without_a_direction_is_refused(tmp_path: Path) -> None:
    vectors = three_heaps(30, 1)[0].rows(np.arange(30)).copy()
    vectors[4] = np.nan
    with pytest.raises(NoDirectionError):
        map_clusters(ArrayRows(vectors), three_heaps(3, 2)[0], WANTED, tmp_path)


def test_joined_rows_are_both_one_behind_the_other() -> None:
    first, second = three_heaps(5, 1)[0], three_heaps(4, 2)[0]
    both = Joined(first, second)
    everything = np.concatenate([first.rows(np.arange(5)), second.rows(np.arange(4))])
    np.testing.assert_array_equal(both.rows(np.array([8, 0, 5, 4])), everything[[8, 0, 5, 4]])
    np.testing.assert_array_equal(np.concatenate(list(both.blocks(3))), everything)
    assert both.digest != Joined(second, first).digest and len(both) == 9
