"""Calibrate: the threshold of each model from image-caption pairs, with its precision-recall curve.

One model is in memory at a time. Vectors go to files (engines/pair_vectors.py) slice by slice, with the note of how far
the run got: a worker that was killed goes on behind them. Other pairs than at the start end the run; other weights
start the model over. A model that is done has its record, whatever becomes of the next one.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from backend.catalogue.selectors import columns_of
from backend.common.errors import Conflict
from backend.curation import calibrating
from backend.methods.calibration import NotCalibratedError
from backend.methods.calibration_records import last_part
from backend.projects.models import Project
from backend.runs.ledger import Ledger
from backend.runs.walk import get_stage, read_parameters
from workers.engines import registry
from workers.engines.pair_vectors import PairVectors, Towers, encode_pairs, slices
from workers.tasks.calibration_pairs import Pairs, file_pairs, own_pairs
from workers.tasks.panel import called, read_names
from workers.tasks.stage import stage
from workers.tasks.targets import refusal_of

CHANGED = "The pairs have changed since the start of this run. Start Calibrate again."
TOO_FEW = "There are {n} pairs, but a batch needs {batch}. Give more pairs or a smaller batch."
NO_THRESHOLD = "The model {model} gets no threshold. {why}"
DONE = "{model}: threshold {threshold:.4f}, F1 {f1:.3f}, {kept:.1%} of the pairs reach it."


@stage("calibrate")
def calibrate(ledger: Ledger) -> None:
    """The cursor holds the models as they were at the start, the digest of the pairs, the model in hand, and how many
    pairs (`taken`) and rows it has."""
    asked = read_parameters(get_stage("calibrate"), ledger.parameters)
    with _open(ledger.run.project, asked) as pairs:
        _begin(ledger, asked, pairs)
        names = ledger.cursor["models"]
        for position in range(ledger.cursor["position"], len(names)):
            try:
                _calibrate(ledger, asked, pairs, names[position])
            finally:  # a worker that goes on to another run would hold a model that failed
                registry.forget(names[position])
    ledger.set_total(ledger.run.done)  # a file may have captions of images that it lacks
    shutil.rmtree(_folder(ledger.run.project), ignore_errors=True)


@contextmanager
def _open(project: Project, asked: dict[str, Any]) -> Iterator[Pairs]:
    if not asked["pairs"]:
        yield own_pairs(project, most=asked["most"])
        return
    columns = columns_of(asked["columns"])
    with file_pairs(Path(asked["pairs"]), layout=asked["layout"], columns=columns, most=asked["most"]) as pairs:
        yield pairs


def _begin(ledger: Ledger, asked: dict[str, Any], pairs: Pairs) -> None:
    if "models" not in ledger.cursor:
        models = read_names(asked["models"] or settings.DIFFICULTY_PANEL)
        with ledger.step() as step:
            step.cursor = {"models": models, "pairs": pairs.digest, "position": 0, "taken": 0, "rows": 0, "weights": ""}
    if ledger.cursor["pairs"] != pairs.digest:
        raise Conflict(CHANGED, code="pairs_changed")
    if pairs.n < asked["batch_size"]:
        raise Conflict(TOO_FEW, code="too_few_pairs", params={"n": pairs.n, "batch": asked["batch_size"]})
    ledger.set_total(pairs.n * len(ledger.cursor["models"]))


def _calibrate(ledger: Ledger, asked: dict[str, Any], pairs: Pairs, name: str) -> None:
    """Read the pairs that are left with one model, and keep its record."""
    towers = registry.towers(name)
    model = towers[0]
    ledger.set_total(ledger.run.total, models_used={called(model, ledger.run.models_used): model.digest})
    weights = hashlib.sha256(f"{model.digest} {model.preprocessing} {pairs.digest}".encode()).hexdigest()
    folder = _folder(ledger.run.project) / weights[:16]
    cursor = ledger.cursor
    if cursor["weights"] != weights or not PairVectors.has(folder, towers, cursor["rows"]):
        with ledger.step() as step:
            step.done = -step.cursor["taken"]
            step.cursor |= {"taken": 0, "rows": 0, "weights": weights}
    with PairVectors(folder, towers, ledger.cursor["rows"]) as store:
        _read(ledger, pairs, towers, store)
        try:
            made, curve = store.calibrate(batch_size=asked["batch_size"], seed=ledger.seed)
        except NotCalibratedError as error:
            params = {"model": last_part(name), "why": str(error)}
            raise Conflict(NO_THRESHOLD, code=error.code, params=params) from error
        n_lost = ledger.cursor["taken"] - store.n
        words = f"{store.n:,} pairs of {pairs.words}"
    made_from = calibrating.MadeFrom(words, pairs.source, pairs.digest, pairs.most, n_lost)
    with ledger.step() as step:
        calibrating.keep_record(
            project=ledger.run.project,
            run=ledger.run,
            asked=name,
            model=(model.name, model.digest, model.preprocessing),
            made_from=made_from,
            calibration=made,
            curve=curve,
        )
        step.cursor |= {"position": step.cursor["position"] + 1, "taken": 0, "rows": 0, "weights": ""}
        step.counts.update({"in": 1, "out": 1})
        step.log.append(
            DONE.format(model=model.name, threshold=made.threshold, f1=made.f1, kept=made.pool_keep_fraction)
        )
    shutil.rmtree(folder, ignore_errors=True)


def _read(ledger: Ledger, pairs: Pairs, towers: Towers, store: PairVectors) -> None:
    """Encode the pairs that the run has not taken. Images that cannot be read are listed by the first model."""
    is_first = ledger.cursor["position"] == 0
    for some in slices(islice(pairs.stream(), ledger.cursor["taken"], None)):
        lost = encode_pairs(towers, some, store)
        with ledger.step() as step:
            step.cursor |= {"taken": step.cursor["taken"] + len(some), "rows": store.n}
            step.done = len(some)
            if is_first:
                step.refuse(ledger.run, [refusal_of(one) for one in lost])


def _folder(project: Project) -> Path:
    """Where the vectors of a run lie until it is over."""
    return Path(settings.EMBEDDINGS) / "calibrations" / project.slug
