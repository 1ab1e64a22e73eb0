"""UMAP: near stays near, the same twice, small collections too, and nothing unpickled."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from workers.engines.projection import (
    Projection,
    ProjectionRefusedError,
    Settings,
    project,
    read_projection,
    save_projection,
)
from workers.engines.rows import ArrayRows, NoDirectionError
from workers.engines.shards import Block, Part, Recipe, read_shards, write_shards

pytestmark = pytest.mark.nightly  # to compile UMAP takes most of a minute; the maps of make test use it, too
Floats = NDArray[np.float32]


def two_groups(n: int) -> Floats:
    """Even rows point one way, odd ones the other."""
    rng = np.random.default_rng(0)
    centres = np.array([[4.0] * 8 + [0.0] * 8, [0.0] * 8 + [4.0] * 8])
    return (centres[np.arange(n) % 2] + rng.normal(size=(n, 16))).astype(np.float32)


def share_with_neighbours_of_own_group(places: Floats) -> float:
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1)[:, :5]
    return float((nearest % 2 == np.arange(len(places))[:, None] % 2).mean())


@pytest.fixture(scope="module")
def fitted_on_all() -> Projection:
    return project(ArrayRows(two_groups(120)))


def test_the_defaults_are_those_of_the_literature(fitted_on_all: Projection) -> None:
    assert fitted_on_all.settings == Settings(n_neighbors=15, min_dist=0.1, metric="cosine", seed=42)
    assert fitted_on_all.library == "umap-learn" and fitted_on_all.versions["umap-learn"].startswith("0.5.")
    assert {"numba", "numpy", "pynndescent", "python"} <= set(fitted_on_all.versions)


def test_what_is_alike_is_laid_out_side_by_side(fitted_on_all: Projection) -> None:
    assert (fitted_on_all.coordinates.shape, fitted_on_all.coordinates.dtype) == ((120, 2), np.float32)
    assert share_with_neighbours_of_own_group(fitted_on_all.coordinates) > 0.95


def test_the_same_vectors_and_seed_give_the_same_bits(fitted_on_all: Projection) -> None:
    again = project(ArrayRows(two_groups(120)))
    assert again.coordinates.tobytes() == fitted_on_all.coordinates.tobytes()
    assert again.source == fitted_on_all.source


def test_another_seed_gives_another_layout(fitted_on_all: Projection) -> None:
    other = project(ArrayRows(two_groups(120)), Settings(seed=7))
    assert not np.allclose(other.coordinates, fitted_on_all.coordinates)


def test_a_sample_is_laid_out_and_the_others_are_put_beside_it() -> None:
    settings = Settings(fit_at_most=80)
    found = project(ArrayRows(two_groups(200)), settings)
    assert len(found.fitted) == 80 and (np.diff(found.fitted) > 0).all()
    others = np.setdiff1d(np.arange(200), found.fitted)
    assert share_with_neighbours_of_own_group(found.coordinates) > 0.95
    assert len(np.unique(found.coordinates[others], axis=0)) > 100
    again = project(ArrayRows(two_groups(200)), settings)
    assert again.coordinates.tobytes() == found.coordinates.tobytes()


def test_what_comes_behind_is_placed_and_never_learned_from() -> None:
    vectors = two_groups(90)
    found = project(ArrayRows(vectors), Settings(fit_at_most=1000), learn_first=80)
    assert found.fitted.tolist() == list(range(80))
    assert share_with_neighbours_of_own_group(found.coordinates) > 0.9
    np.testing.assert_array_equal(found.coordinates[:80], project(ArrayRows(vectors[:80])).coordinates)
    with pytest.raises(ProjectionRefusedError, match="there are 2"):
        project(ArrayRows(vectors), learn_first=2)


def test_shards_are_laid_out_like_the_array_they_hold(tmp_path: Path, fitted_on_all: Projection) -> None:
    vectors = two_groups(120)

    def part(start: int) -> Part:
        rows = vectors[start : start + 60]
        return Part(str(start), lambda: [Block([str(start + row) for row in range(60)], rows)])

    write_shards(tmp_path, Recipe("m", "d", "p", 16), [part(0), part(60)])
    assert np.array_equal(project(read_shards(tmp_path)).coordinates, fitted_on_all.coordinates)


@pytest.mark.parametrize("n", [3, 4, 5, 15, 16])
def test_a_handful_is_laid_out_with_as_many_neighbours_as_there_are(n: int) -> None:
    found = project(ArrayRows(two_groups(n)))
    assert found.coordinates.shape == (n, 2) and np.isfinite(found.coordinates).all()


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_are_refused(n: int) -> None:
    with pytest.raises(ProjectionRefusedError, match=f"at least 3 vectors, but there are {n}"):
        project(ArrayRows(two_groups(4)[:n]))


def test_the_same_vector_many_times_has_a_layout() -> None:
    found = project(ArrayRows(np.ones((40, 16), dtype=np.float32)))
    assert np.isfinite(found.coordinates).all()


@pytest.mark.parametrize("value", [np.nan, 0.0])
def test_a_vector_without_direction_is_refused(value: float) -> None:
    vectors = two_groups(20)
    vectors[3] = value
    with pytest.raises(NoDirectionError, match="number 3"):
        project(ArrayRows(vectors))


def test_a_saved_projection_comes_back_and_holds_no_pickle(tmp_path: Path, fitted_on_all: Projection) -> None:
    save_projection(fitted_on_all, tmp_path)
    back = read_projection(tmp_path)
    assert np.array_equal(back.coordinates, fitted_on_all.coordinates)
    assert np.array_equal(back.fitted, fitted_on_all.fitted)
    assert (back.settings, back.library, back.versions, back.source) == (
        fitted_on_all.settings,
        fitted_on_all.library,
        fitted_on_all.versions,
        fitted_on_all.source,
    )
    assert {path.name for path in tmp_path.iterdir()} == {"coordinates.npy", "fitted.npy", "projection.json"}


def test_a_projection_that_is_absent_damaged_or_from_another_version_is_refused(
    tmp_path: Path, fitted_on_all: Projection
) -> None:
    with pytest.raises(ProjectionRefusedError, match="cannot read the projection"):
        read_projection(tmp_path)
    save_projection(fitted_on_all, tmp_path)
    np.save(tmp_path / "coordinates.npy", fitted_on_all.coordinates[::-1])
    with pytest.raises(ProjectionRefusedError, match=r"SHA-256 of coordinates\.npy differs"):
        read_projection(tmp_path)
    (tmp_path / "projection.json").write_text(json.dumps({"schema": 9}))
    with pytest.raises(ProjectionRefusedError, match="schema 9"):
        read_projection(tmp_path)


class PlainUmap:
    """Stands in for cuML's class: the first two numbers, and what it was made with."""

    made_with: dict[str, Any] = {}

    def __init__(self, **parameters: Any) -> None:
        PlainUmap.made_with = parameters

    def fit_transform(self, vectors: Floats) -> Floats:
        return vectors[:, :2]

    transform = fit_transform


def test_cuml_is_taken_where_it_can_be_loaded_and_the_result_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuml", SimpleNamespace(__version__="26.10"))
    monkeypatch.setitem(sys.modules, "cuml.manifold", SimpleNamespace(UMAP=PlainUmap))
    found = project(ArrayRows(two_groups(30)), Settings(fit_at_most=20))
    assert (found.library, found.versions["cuml"]) == ("cuml", "26.10")
    assert PlainUmap.made_with["random_state"] == 42 and "n_jobs" not in PlainUmap.made_with
    assert project(ArrayRows(two_groups(30)), library="umap-learn").library == "umap-learn"


def test_cuml_asked_for_by_name_and_absent_is_an_error() -> None:
    with pytest.raises(ProjectionRefusedError, match="Connote cannot load cuML here"):
        project(ArrayRows(two_groups(30)), library="cuml")
