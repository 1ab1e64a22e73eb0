"""Keeps what a run measures of each image, and makes the report of it.

The body of a report has no database ids and no times: two runs that measured the same give the same bytes.

    datasets    kind, name, n_images (before the draw), n_measured, n_captions, n_single, n_refused, digest
    measures    measure, model, digest, layer; for each dataset a Summary; the difference; the density
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.diversity import LEVEL, MEASURES, REPLICATES, compare, density_of, summarise
from backend.reports.datasets import Dataset
from backend.reports.models import DiversityPart, DiversityReport
from backend.runs.models import Run

FORMAT = "connote-diversity/1"


@dataclass(frozen=True)
class UsedModel:
    """What a measure was taken with; `layer` is that of a BERTScore."""

    name: str
    digest: str
    layer: int | None = None
    is_trained_on_drawings: bool = False


@dataclass(frozen=True)
class Measured:
    """One image: its number of captions, and a value by measure, None where there is none."""

    key: str
    n_captions: int
    values: Mapping[str, float | None]

    def to_row(self) -> list[Any]:
        return [self.key, self.n_captions, *(self.values.get(name) for name in MEASURES)]


def keep_part(*, run: Run, dataset: int, position: int, measured: Sequence[Measured]) -> DiversityPart:
    """Keep the values of some images, once."""
    defaults = {"values": [one.to_row() for one in measured]}
    parts = DiversityPart.objects
    return parts.update_or_create(run=run, dataset=dataset, position=position, defaults=defaults)[0]


def keep_report(
    *, run: Run, datasets: Sequence[Dataset], models: Mapping[str, UsedModel], seed: int
) -> DiversityReport:
    """Make the report of all parts that the run kept, once."""
    body = make_body(datasets, [_rows(run, at) for at in range(len(datasets))], models, seed)
    return DiversityReport.objects.update_or_create(run=run, defaults={"body": body})[0]


def _rows(run: Run, dataset: int) -> list[list[Any]]:
    parts = DiversityPart.objects.filter(run=run, dataset=dataset).order_by("position")
    return [row for values in parts.values_list("values", flat=True).iterator() for row in values]


def make_body(
    datasets: Sequence[Dataset], rows: Sequence[Sequence[Sequence[Any]]], models: Mapping[str, UsedModel], seed: int
) -> dict[str, Any]:
    """The report of these rows, which are those of DiversityPart for each dataset."""
    keys = [[row[0] for row in of_dataset] for of_dataset in rows]
    is_paired = len(keys) == 2 and keys[0] == keys[1]
    return {
        "format": FORMAT,
        "seed": seed,
        "level": LEVEL,
        "replicates": REPLICATES,
        "is_paired": is_paired,
        "datasets": [_describe(dataset, of_it) for dataset, of_it in zip(datasets, rows, strict=True)],
        "measures": [
            _measure(name, models[name], [_column(of_it, name) for of_it in rows], is_paired, seed)
            for name in MEASURES
            if name in models
        ],
    }


def _describe(dataset: Dataset, rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    sizes = [row[1] for row in rows]
    return {
        "kind": dataset.kind,
        "name": dataset.name,
        "digest": dataset.digest,
        "n_images": dataset.n_images,
        "n_measured": len(rows),
        "n_captions": sum(sizes),
        "n_single": sum(size < 2 for size in sizes),
        "n_refused": dataset.n_refused,
    }


def _column(rows: Sequence[Sequence[Any]], measure: str) -> NDArray[np.float64]:
    at = 2 + MEASURES.index(measure)
    return np.array([np.nan if row[at] is None else row[at] for row in rows], dtype=np.float64)


def _measure(
    name: str, model: UsedModel, columns: Sequence[NDArray[np.float64]], is_paired: bool, seed: int
) -> dict[str, Any]:
    density = density_of(columns)
    return {
        "measure": name,
        "model": model.name,
        "digest": model.digest,
        "layer": model.layer,
        "is_trained_on_drawings": model.is_trained_on_drawings,
        "datasets": [asdict(summarise(column, seed=seed)) for column in columns],
        "difference": (
            asdict(compare(columns[0], columns[1], is_paired=is_paired, seed=seed)) if len(columns) == 2 else None
        ),
        "density": _plain(density.to_json()) if density else None,
    }


def _plain(density: dict[str, Any]) -> dict[str, Any]:
    """Lists for tuples, as JSON gives them back."""
    return density | {
        "counts": [list(counts) for counts in density["counts"]],
        "x": list(density["x"]),
        "curves": [list(curve) if curve else None for curve in density["curves"]],
    }
