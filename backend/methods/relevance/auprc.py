"""The area under the precision-recall curve: captions that people accepted against captions that people rejected.

Average precision by steps. Chance is the prevalence, the share of accepted ones, which differs between categories: so
prevalence and (AP - prevalence) / (1 - prevalence) stand beside it. All rejected captions are the negatives of every
category, one for each image.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from backend.methods.ranking.intervals import AT_ONCE, DRAWS, interval
from backend.methods.ranking.ranking import Floats, Ints

AT_CACHE = 100_000  # numbers that are worked on at once: a processor's cache holds them
POINTS = 200  # of a curve that is stored
ONE_CLASS = "one_class"


@dataclass(frozen=True)
class Curve:
    """Average precision with its interval; `points` are (recall, precision). All are None for `reason`."""

    value: float | None
    low: float | None
    high: float | None
    prevalence: float | None
    above_chance: float | None
    n_positive: int
    n_negative: int
    points: tuple[tuple[float, float], ...] = ()
    reason: str | None = None


@dataclass(frozen=True)
class Drawn:
    """One rejected caption of each image that has one: its place in what was given; `n_missing` images have none."""

    chosen: Mapping[str, int]
    n_missing: int


def draw_negatives(rejected: Mapping[str, Sequence[str]], *, seed: int) -> Drawn:
    """One of the rejected captions of each image, by a hash of the seed, the image and the caption: it hangs neither on
    the order of the captions nor on other images."""

    def mark(image: str, caption: str) -> bytes:
        return hashlib.sha256("\0".join((str(seed), image, caption)).encode()).digest()

    chosen = {
        image: min(range(len(captions)), key=lambda at: (mark(image, captions[at]), at))
        for image, captions in rejected.items()
        if captions
    }
    return Drawn(chosen, len(rejected) - len(chosen))


def evaluate_curves(
    scores: Floats,
    images: Ints,
    is_positive: NDArray[np.bool_],
    categories: Mapping[str, NDArray[np.bool_]],
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> dict[str, Curve]:
    """The curve of all positives, under the name "", and of each category's; the bootstrap draws `images`.

    Raises ValueError for scores that are not finite.
    """
    if not np.isfinite(scores).all():
        raise ValueError(f"The score of pair {int((~np.isfinite(scores)).argmax())} is not a finite number.")
    everything = {"": is_positive, **{name: chosen & is_positive for name, chosen in categories.items()}}
    return {
        name: _curve(scores, images, chosen, chosen | ~is_positive, draws=draws, seed=seed)
        for name, chosen in everything.items()
    }


def average_precision(scores: Floats, is_positive: NDArray[np.bool_]) -> float:
    """Average precision by steps; NaN where all pairs are of one class."""
    order = np.argsort(-scores, kind="stable")
    ends = ends_of(scores[order])
    return float(averages(is_positive[order].astype(float), np.ones((1, len(order))), ends)[0])


def draw_averages(
    scores: Floats, images: Ints, is_positive: NDArray[np.bool_], *, draws: int = DRAWS, seed: int = 0
) -> Floats:
    """Average precision, (draws,), of draws of images. Models of the same images have the same draws, so their
    differences are paired."""
    order = np.argsort(-scores, kind="stable")
    return _drawn(is_positive[order], images[order], ends_of(scores[order]), draws=draws, seed=seed)


def draw_prevalence(images: Ints, is_positive: NDArray[np.bool_], *, draws: int = DRAWS, seed: int = 0) -> Floats:
    """The share of positives, (draws,), of the same draws."""
    everything = np.array([len(images) - 1])  # average precision of pairs that are all level is the prevalence
    return _drawn(is_positive, images, everything, draws=draws, seed=seed)


def ends_of(in_order: Floats) -> Ints:
    """The last place of each run of equal scores."""
    return np.flatnonzero(np.r_[in_order[1:] != in_order[:-1], True])


def _curve(
    scores: Floats, images: Ints, positive: NDArray[np.bool_], here: NDArray[np.bool_], *, draws: int, seed: int
) -> Curve:
    order = np.argsort(-scores[here], kind="stable")
    sorted_scores, is_right, cluster = scores[here][order], positive[here][order], images[here][order]
    n_positive, n = int(is_right.sum()), len(is_right)
    prevalence = n_positive / n if n else None
    if not n_positive or n_positive == n:
        return Curve(None, None, None, prevalence, None, n_positive, n - n_positive, reason=ONE_CLASS)
    ends = ends_of(sorted_scores)
    value = float(averages(is_right.astype(float), np.ones((1, n)), ends)[0])
    drawn = _drawn(is_right, cluster, ends, draws=draws, seed=seed)
    share = n_positive / n
    recall = np.cumsum(is_right)[ends] / n_positive
    precision = np.cumsum(is_right)[ends] / (ends + 1)
    kept = np.unique(np.linspace(0, len(ends) - 1, min(POINTS, len(ends))).round().astype(int))
    points = tuple((float(r), float(p)) for r, p in zip(recall[kept], precision[kept], strict=True))
    return Curve(value, *interval(drawn), share, (value - share) / (1 - share), n_positive, n - n_positive, points)


def averages(right: Floats, weights: Floats, ends: Ints) -> Floats:
    """Average precision by steps, (b,), of items in the order of their scores, as often as their weights (b, n) say.

    `right` (n,) is 1 for the right items. `ends` has the last place of each run of equal scores. Weights are counts.
    """
    found = np.empty(len(weights))
    step = max(1, AT_CACHE // max(1, len(right)))
    for start in range(0, len(weights), step):
        found[start : start + step] = _averages(right, weights[start : start + step], ends)
    return found


def _averages(right: Floats, weights: Floats, ends: Ints) -> Floats:
    new = right * weights
    found, shown = np.cumsum(new, axis=1), np.cumsum(weights, axis=1)
    if len(ends) < len(right):
        found, shown = found[:, ends], shown[:, ends]
        new = np.diff(found, axis=1, prepend=0)
    np.maximum(shown, 1, out=shown)  # before the first item nothing is found
    total = found[:, -1].copy()
    new *= found
    new /= shown
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(new.sum(axis=1) / total)


def _drawn(is_right: NDArray[np.bool_], cluster: Ints, ends: Ints, *, draws: int, seed: int) -> Floats:
    rng, (numbers, place) = np.random.default_rng(seed), np.unique(cluster, return_inverse=True)
    if len(numbers) < 2:
        return np.full(1, np.nan)
    step, found = max(1, min(draws, AT_ONCE // (8 * len(place)))), []
    for start in range(0, draws, step):
        picked = rng.integers(len(numbers), size=(min(step, draws - start), len(numbers)))
        weights = np.array([np.bincount(row, minlength=len(numbers)) for row in picked], float)[:, place]
        found.append(averages(is_right.astype(float), weights, ends))
    return np.concatenate(found)
