"""Embeddings that are more than one vector each: sets of K vectors, or means with log-variances, and their scorer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.benchmarks.data import BenchmarkData, DataError
from backend.methods.benchmarks.scores import BLOCK, ModelScores, in_order, of_embeddings
from backend.methods.benchmarks.settings import Settings
from backend.methods.ranking.scorers import SCORERS, SETS, Items, Scorer, SetScores, items_of

MOST_LOG_VARIANCE = 60.0  # e^60 times many dimensions is a float32
NUMBERS = {"smooth_chamfer": ("alpha",), "pcme_probability": ("scale", "shift")}  # of each scorer that has some
WHATS = ("image", "text")
SHAPE = (
    "{name}: the {what} vectors have the shape {shape}. Give (n, d), one vector for each {what}, or (n, K, d), "
    "a set of K vectors."
)
NO_VARIANCE = (
    "{name}: the scorer csd needs means with log-variances: the files image_log_variance and text_log_variance."
)
ONE_VARIANCE = "{name} has log-variances of {what}s alone. Both sides need some, or none."


@dataclass(frozen=True)
class Side:
    """The images or the texts: `vectors` (n, d) or (n, K, d), the ids of their rows where there are some, and the
    log-variances (n, d) where the vectors are means."""

    vectors: NDArray[Any]
    ids: Sequence[str] | None = None
    log_variance: NDArray[Any] | None = None


def score_sides(
    name: str,
    data: BenchmarkData,
    images: Side,
    texts: Side,
    record: Mapping[str, Any],
    settings: Settings,
    declared: Mapping[str, Any] | None = None,
) -> ModelScores:
    """The scores of embeddings by the scorer of the settings, else by the one that their folder declares, else by
    cosine. More rows than the data need are left alone.

    Raises DataError for missing ids, shapes that do not fit each other or the scorer, NaN, infinity, zeros.
    """
    scorer, numbers = _scorer_of(name, settings, declared or {})
    told = {**record, "scorer": scorer.name, **numbers}
    if images.vectors.ndim == texts.vectors.ndim == 2 and scorer.name == "cosine":
        return of_embeddings(name, data, (images.vectors, images.ids), (texts.vectors, texts.ids), told)
    if (images.log_variance is None) != (texts.log_variance is None):
        raise DataError(ONE_VARIANCE.format(name=name, what="image" if texts.log_variance is None else "text"))
    found = [
        _side_of(name, side, wanted, scorer, settings, stream)
        for stream, (side, wanted) in enumerate(((images, data.images), (texts, data.texts)))
    ]
    if found[0].vectors.shape[2] != found[1].vectors.shape[2]:
        of_images, of_texts = (each.vectors.shape[2] for each in found)
        raise DataError(f"{name}: vectors of images have {of_images} numbers, and those of texts {of_texts}.")
    if scorer.name in SETS and images.log_variance is not None:
        told["samples"] = settings.samples
    told["dimensions"] = int(found[0].vectors.shape[2])
    told |= {f"vectors_per_{what}": each.n_members for what, each in zip(WHATS, found, strict=True)}
    return ModelScores(name, told, SetScores(scorer, *found))


def _scorer_of(name: str, settings: Settings, declared: Mapping[str, Any]) -> tuple[Scorer, dict[str, float]]:
    """The scorer with its numbers: of the settings, else of the folder if it declares this scorer, else its own."""
    chosen = settings.scorer or declared.get("scorer") or "cosine"
    if chosen not in SCORERS:
        raise DataError(f"{name} declares the scorer {chosen!r}. Connote knows {', '.join(SCORERS)}.")
    numbers = {}
    for each in NUMBERS.get(chosen, ()):
        found = getattr(settings, each) or (declared.get(each) if declared.get("scorer") == chosen else None)
        if found is not None and not isinstance(found, int | float):
            raise DataError(f"{name} declares {each} as {found!r}, not as a number.")
        numbers[each] = float(found or getattr(SCORERS[chosen](), each))
    scorer: Scorer = SCORERS[chosen](**numbers)
    return scorer, numbers


def _side_of(name: str, side: Side, wanted: Sequence[str], scorer: Scorer, settings: Settings, stream: int) -> Items:
    """The items of one side as the scorer needs them."""
    what = WHATS[stream]
    side = _in_order(name, side, wanted, what)
    if scorer.name in SETS:
        if side.log_variance is None:
            return _items(name, side, wanted, what, as_unit=True)
        _check_variance(name, side.log_variance, wanted, what)
        drawn = _drawn(side.vectors, side.log_variance, settings, stream)
        return _items(name, Side(drawn), wanted, what, as_unit=False)
    if side.vectors.ndim == 3 and side.vectors.shape[1] != 1:
        raise DataError(
            f"{name}: each {what} has {side.vectors.shape[1]} vectors, and the scorer {scorer.name} needs one. "
            f"Choose another with --set scorer=, one of {', '.join(SETS)}."
        )
    if scorer.name == "cosine":
        return _items(name, side, wanted, what, as_unit=True)
    if side.log_variance is None:
        raise DataError(NO_VARIANCE.format(name=name))
    _check_variance(name, side.log_variance, wanted, what)
    return _items(name, side, wanted, what, as_unit=False)


def _in_order(name: str, side: Side, wanted: Sequence[str], what: str) -> Side:
    """The rows that the data need, in the order of the data."""
    shape = side.vectors.shape
    if len(shape) not in (2, 3) or 0 in shape[1:]:
        raise DataError(SHAPE.format(name=name, what=what, shape=shape))
    if side.log_variance is not None:
        if len(shape) != 2 or side.log_variance.shape != shape:
            raise DataError(
                f"{name}: the log-variances of {what}s have the shape {side.log_variance.shape}, and their means "
                f"{shape}. Both must be (n, d)."
            )
        side = replace(side, log_variance=in_order(side.log_variance, side.ids, wanted, what, name))
    return Side(in_order(side.vectors, side.ids, wanted, what, name), None, side.log_variance)


def _check_variance(name: str, log_variance: NDArray[Any], ids: Sequence[str], what: str) -> None:
    bad = ~(np.abs(log_variance) <= MOST_LOG_VARIANCE).all(axis=1)
    if bad.any():
        row = int(bad.argmax())
        raise DataError(
            f"{name}: a log-variance of the {what} {ids[row]!r} (row {row}) is not a number from "
            f"{-MOST_LOG_VARIANCE:g} to {MOST_LOG_VARIANCE:g}."
        )


def _drawn(means: NDArray[Any], log_variance: NDArray[Any], settings: Settings, stream: int) -> NDArray[np.float32]:
    """Samples of each normal distribution, mu + e^(l/2) noise, drawn with the seed: means become sets."""
    rng = np.random.default_rng([settings.seed, stream])
    n, d = means.shape
    drawn = np.empty((n, settings.samples, d), np.float32)
    for start in range(0, n, BLOCK):
        here = slice(start, start + BLOCK)
        spread = np.exp(np.asarray(log_variance[here], np.float64) / 2)[:, None]
        noise = rng.standard_normal((len(spread), settings.samples, d))
        drawn[here] = np.asarray(means[here], np.float64)[:, None] + spread * noise
    return drawn


def _items(name: str, side: Side, ids: Sequence[str], what: str, *, as_unit: bool) -> Items:
    """Items for a scorer; vectors have length 1 unless they belong to normal distributions. Raises DataError by name
    and place."""
    sets = side.vectors[:, None] if side.vectors.ndim == 2 else side.vectors
    clean = np.empty(sets.shape, np.float32)
    for start in range(0, len(sets), BLOCK):
        exact = np.asarray(sets[start : start + BLOCK], np.float64)
        lengths = np.linalg.norm(exact, axis=2)
        bad = ~np.isfinite(lengths) | (as_unit & (lengths == 0))
        if bad.any():
            row, member = (int(each[0]) for each in np.nonzero(bad))
            why = "only zeros" if lengths[row, member] == 0 else "NaN or infinity"
            which = f"vector {member} of the {what}" if sets.shape[1] > 1 else f"vector of the {what}"
            raise DataError(f"{name}: the {which} {ids[start + row]!r} (row {start + row}) has {why}.")
        clean[start : start + BLOCK] = exact / lengths[:, :, None] if as_unit else exact
    variance = None if side.log_variance is None else np.exp(np.asarray(side.log_variance, np.float64)).sum(axis=1)
    return items_of(clean, variance)
