"""AUPRC: captions that people accepted against captions that they rejected, one rejected caption of each image."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pyarrow as pa

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.per_query import CATEGORIES
from backend.methods.benchmarks.scores import ModelScores
from backend.methods.benchmarks.settings import Settings
from backend.methods.benchmarks.tasks.task import Outcome, Progress, Task, categories_by_text, register
from backend.methods.ranking import make_pairs
from backend.methods.relevance import draw_negatives, evaluate_curves

REJECTED = "rejected:{image}"
NONE = "{name} has no rejected caption. The task auprc needs a release with negatives.jsonl, or the field 'rejected'."
WAY = "pairs"


def prepare(data: BenchmarkData, settings: Settings) -> BenchmarkData:
    """The data with one rejected caption of each image after all others; it has the id `rejected:IMAGE`.

    Raises DataError where there is none.
    """
    drawn = draw_negatives({image: data.rejected.get(image, ()) for image in data.images}, seed=settings.seed)
    if not drawn.chosen:
        raise DataError(NONE.format(name=data.name))
    chosen = {image: data.rejected[image][at] for image, at in drawn.chosen.items()}
    n = len(data.texts)
    pairs = make_pairs(data.pairs.image, data.pairs.text, n_images=len(data.images), n_texts=n + len(chosen))
    return replace(
        data,
        texts=(*data.texts, *(REJECTED.format(image=image) for image in chosen)),
        captions=None if data.captions is None else (*data.captions, *chosen.values()),
        pairs=pairs,
        categories={name: (*values, *[frozenset[str]()] * len(chosen)) for name, values in data.categories.items()},
        rejected={image: (text,) for image, text in chosen.items()},
        judged=(),
        notes=(*data.notes, f"{drawn.n_missing:,} images have no rejected caption."),
    )


def evaluate(data: BenchmarkData, model: ModelScores, settings: Settings, on_progress: Progress | None) -> Outcome:
    """Average precision of all accepted pairs and of each category's, beside its chance. Raises DataError for a run."""
    if model.source is None:
        raise DataError("The task auprc needs scores, embeddings or a model: a run does not score every pair.")
    images, numbers = list(data.rejected), data.image_numbers
    first = len(data.texts) - len(images)
    image = np.r_[data.pairs.image, np.array([numbers[each] for each in images], np.int64)]
    text = np.r_[data.pairs.text, np.arange(first, len(data.texts))]
    order = np.argsort(image, kind="stable")
    scores = np.empty(len(image))
    scores[order] = model.source.own(image[order], text[order])
    is_accepted = np.arange(len(image)) < len(data.pairs)
    if not np.isfinite(scores).all():
        at = int((~np.isfinite(scores)).argmax())
        raise DataError(
            f"{model.name}: the score of {data.images[image[at]]!r} and {data.texts[text[at]]!r} is {scores[at]}."
        )
    curves = evaluate_curves(scores, image, is_accepted, data.masks(text), draws=settings.draws, seed=settings.seed)
    figures = {name: _figures(asdict(curve)) for name, curve in curves.items()}
    table = pa.table({
        "image": pa.array([data.images[at] for at in image], pa.string()),
        "text": pa.array([data.texts[at] for at in text], pa.string()),
        "accepted": pa.array(is_accepted.tolist(), pa.bool_()),
        "score": pa.array(scores, pa.float64()),
        CATEGORIES: categories_by_text(data, text),
    })  # fmt: skip
    if on_progress is not None:
        on_progress(len(data.images))
    return Outcome(
        {WAY: figures[""]},
        {name: {WAY: found} for name, found in figures.items() if name},
        {WAY: {"equal_scores": int(len(scores) - len(np.unique(scores)))}},
        {WAY: {"n": len(data.images) - len(images), "reason": "no_rejected_caption"}},
        table,
        ((WAY, "auprc"), (WAY, "above_chance"), (WAY, "prevalence")),
        {"bootstrap_unit": "image"},
        {name or "all": curve.points for name, curve in curves.items() if curve.points},
        ("recall", "precision"),
    )


def _figures(curve: dict[str, Any]) -> dict[str, Any]:
    n = curve["n_positive"] + curve["n_negative"]
    why = {"reason": curve["reason"]} if curve["reason"] else {}
    plain = {"low": None, "high": None, "n": n}
    return {
        "auprc": {name: curve[name] for name in ("value", "low", "high")} | {"n": n} | why,
        "prevalence": {"value": curve["prevalence"], **plain},
        "above_chance": {"value": curve["above_chance"], **plain, **why},
        "n_accepted": {"value": curve["n_positive"], **plain},
        "n_rejected": {"value": curve["n_negative"], **plain},
    }


register(Task("auprc", prepare, evaluate))
