"""Vectors laid out on a plane by UMAP (McInnes, Healy, Melville 2018), near ones near.

Of more vectors than `fit_at_most` a seeded sample is laid out, and the others are put where the sample says; UMAP
itself is the slow part of everything that uses it. cuML's UMAP is taken where it can be loaded, umap-learn elsewhere,
and the result says which.

Small collections: below three there is nothing to lay out (refused); three begin at random places, since their
spectral layout does not exist; from four on it does, with as many neighbours as there are others.

A fitted model is never saved: it would be a pickle, which can run code. What is saved are the coordinates, the rows it
was fitted on, the settings with their seed and the versions, from which the same machine makes the same layout again.
"""

from __future__ import annotations

import json
import platform
import warnings
from dataclasses import asdict, dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Literal

import numpy as np

from backend.methods.file_digests import sha256_of_file
from workers.engines.protocols import EngineError, Vectors
from workers.engines.rows import BLOCK, Ids, Rows, as_unit, sample_of
from workers.engines.whole_files import hidden, locked, publish, sweep, write_json

SCHEMA = 1
DESCRIPTION = "projection.json"
ARRAYS = ("coordinates", "fitted")
FEWEST, FEWEST_SPECTRAL = 3, 4
VERSIONS = {
    "umap-learn": ("umap-learn", "pynndescent", "numba", "scikit-learn", "scipy", "numpy"),
    "cuml": ("numpy",),
}
TOO_FEW = "A map needs at least {fewest} vectors, but there are {n}. Show them as a list."
NO_CUML = "Connote cannot load cuML here ({why}). Use umap-learn, or install cuML on a machine with a GPU."
NOT_READABLE = "Connote cannot read the projection in {folder} ({why}). Make it again."

Library = Literal["auto", "umap-learn", "cuml"]


class ProjectionRefusedError(EngineError):
    """A projection cannot be made or read."""

    code = "projection_refused"


@dataclass(frozen=True)
class Settings:
    """UMAP's own parameters, and how many vectors it is fitted on at most."""

    n_neighbors: int = 15
    min_dist: float = 0.1
    metric: str = "cosine"
    seed: int = 42
    fit_at_most: int = 500_000


@dataclass(frozen=True)
class Projection:
    """Places on a plane: `coordinates` float32 (n, 2), in the order of the vectors.

    `fitted` are the rows, int64 ascending, that the layout was learned from; `source` is the digest of the vectors.
    """

    coordinates: Vectors
    fitted: Ids
    settings: Settings
    library: str
    versions: dict[str, str]
    source: str


def project(
    rows: Rows, settings: Settings | None = None, *, library: Library = "auto", learn_first: int | None = None
) -> Projection:
    """Lay out all vectors, each scaled to length one first; what comes after the first `learn_first` is only placed.

    Raises ProjectionRefusedError for fewer than three or a library that is not here, NoDirectionError for a vector of
    zeros or NaN.
    """
    settings = settings or Settings()
    n = len(rows)
    n_learned = n if learn_first is None else learn_first
    if n_learned < FEWEST:
        raise ProjectionRefusedError(TOO_FEW.format(fewest=FEWEST, n=n_learned))
    used, umap = _umap(library)
    fitted = sample_of(n_learned, max(settings.fit_at_most, FEWEST), settings.seed)
    coordinates = np.empty((n, 2), dtype=np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # UMAP's advice to its own users, each time it is called
        model = umap(**_parameters(settings, len(fitted), used))
        coordinates[fitted] = model.fit_transform(as_unit(rows.rows(fitted), what="sampled vector"))
        _place_others(model, rows, fitted, coordinates)
    return Projection(coordinates, fitted, settings, used, _versions(used, umap), rows.digest)


def _parameters(settings: Settings, n: int, library: str) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "n_components": 2,
        "n_neighbors": min(settings.n_neighbors, n - 1),
        "min_dist": settings.min_dist,
        "metric": settings.metric,
        "random_state": settings.seed,
        "init": "spectral" if n >= FEWEST_SPECTRAL else "random",
    }
    if library == "umap-learn":
        parameters |= {"n_jobs": 1, "transform_seed": settings.seed}  # more threads would not repeat
    return parameters


def _place_others(model: Any, rows: Rows, fitted: Ids, coordinates: Vectors) -> None:
    others = np.setdiff1d(np.arange(len(rows), dtype=np.int64), fitted, assume_unique=True)
    for start in range(0, len(others), BLOCK):
        ids = others[start : start + BLOCK]
        coordinates[ids] = model.transform(as_unit(rows.rows(ids), what="vector"))


def _umap(library: Library) -> tuple[str, Any]:
    """The library that is used, and its UMAP class. Raises ProjectionRefusedError."""
    if library != "umap-learn":
        try:
            return "cuml", import_module("cuml.manifold").UMAP
        except Exception as error:  # absent, or there without the GPU it needs
            if library == "cuml":
                raise ProjectionRefusedError(NO_CUML.format(why=type(error).__name__)) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that TensorFlow is missing, which nothing here needs
        import umap
    return "umap-learn", umap.UMAP


def _versions(library: str, umap: Any) -> dict[str, str]:
    """What the coordinates hang on: they repeat to the bit on one machine, not across versions."""
    versions = {name: metadata.version(name) for name in VERSIONS[library]}
    if library == "cuml":
        versions["cuml"] = str(getattr(import_module("cuml"), "__version__", "unknown"))
    return {**versions, "python": platform.python_version(), "machine": platform.machine()}


def save_projection(projection: Projection, folder: Path) -> None:
    """Write `coordinates.npy`, `fitted.npy` and, last, `projection.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "projection"):
        sweep(folder)
        (folder / DESCRIPTION).unlink(missing_ok=True)
        for name in ARRAYS:
            path = folder / f"{name}.npy"
            with hidden(path).open("wb") as file:
                np.save(file, getattr(projection, name), allow_pickle=False)
            publish(path)
        write_json(folder / DESCRIPTION, _described(projection, folder))


def _described(projection: Projection, folder: Path) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "settings": asdict(projection.settings),
        "library": projection.library,
        "versions": projection.versions,
        "source": projection.source,
        "files": {name: sha256_of_file(folder / f"{name}.npy") for name in ARRAYS},
    }


def read_projection(folder: Path) -> Projection:
    """What `save_projection` wrote. Raises ProjectionRefusedError where it is not there or not whole."""
    try:
        value = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        if value["schema"] != SCHEMA:
            raise ValueError(f"schema {value['schema']!r}")
        arrays = {name: _array(folder / f"{name}.npy", value["files"][name]) for name in ARRAYS}
        settings = Settings(**value["settings"])
        return Projection(
            **arrays, settings=settings, **{name: value[name] for name in ("library", "versions", "source")}
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise ProjectionRefusedError(NOT_READABLE.format(folder=folder, why=error)) from error


def _array(path: Path, digest: str) -> Any:
    if sha256_of_file(path) != digest:
        raise ValueError(f"the SHA-256 of {path.name} differs")
    return np.load(path, allow_pickle=False)
