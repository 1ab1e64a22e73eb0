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
    ends = _ends(scores[order])
    return float(_average(is_positive[order].astype(float)[None], np.ones((1, len(order))), ends)[0])


def draw_averages(
    scores: Floats, images: Ints, is_positive: NDArray[np.bool_], *, draws: int = DRAWS, seed: int = 0
) -> tuple[Floats, Floats]:
    """Average precision, (draws,), and the prevalence, of draws of images. Models of the same images have the same
    draws, so their differences are paired."""
    order = np.argsort(-scores, kind="stable")
    right, cluster = is_positive[order], images[order]
    everything = np.array([len(order) - 1])
    return (
        _drawn(right, cluster, _ends(scores[order]), draws=draws, seed=seed),
        _drawn(right, cluster, everything, draws=draws, seed=seed),  # with all pairs level, it is the prevalence
    )


def _ends(descending: Floats) -> Ints:
    """The last place of each run of equal scores."""
    return np.flatnonzero(np.r_[descending[1:] != descending[:-1], True])


def _curve(
    scores: Floats, images: Ints, positive: NDArray[np.bool_], here: NDArray[np.bool_], *, draws: int, seed: int
) -> Curve:
    order = np.argsort(-scores[here], kind="stable")
    sorted_scores, is_right, cluster = scores[here][order], positive[here][order], images[here][order]
    n_positive, n = int(is_right.sum()), len(is_right)
    prevalence = n_positive / n if n else None
    if not n_positive or n_positive == n:
        return Curve(None, None, None, prevalence, None, n_positive, n - n_positive, reason=ONE_CLASS)
    ends = _ends(sorted_scores)
    value = float(_average(is_right.astype(float)[None], np.ones((1, n)), ends)[0])
    drawn = _drawn(is_right, cluster, ends, draws=draws, seed=seed)
    share = n_positive / n
    recall = np.cumsum(is_right)[ends] / n_positive
    precision = np.cumsum(is_right)[ends] / (ends + 1)
    kept = np.unique(np.linspace(0, len(ends) - 1, min(POINTS, len(ends))).round().astype(int))
    points = tuple((float(r), float(p)) for r, p in zip(recall[kept], precision[kept], strict=True))
    return Curve(value, *interval(drawn), share, (value - share) / (1 - share), n_positive, n - n_positive, points)


def _average(right: Floats, weights: Floats, ends: Ints) -> Floats:
    """Average precision by steps, (b,), of items in the order of their scores, as often as their weights (b, n) say."""
    found = np.cumsum(right * weights, axis=1)[:, ends]
    shown = np.cumsum(weights, axis=1)[:, ends]
    new = np.diff(found, axis=1, prepend=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        steps = np.where(new > 0, new * found / shown, 0.0)
        return np.asarray(steps.sum(axis=1) / found[:, -1])


def _drawn(is_right: NDArray[np.bool_], cluster: Ints, ends: Ints, *, draws: int, seed: int) -> Floats:
    rng, (numbers, place) = np.random.default_rng(seed), np.unique(cluster, return_inverse=True)
    if len(numbers) < 2:
        return np.full(1, np.nan)
    step, found = max(1, min(draws, AT_ONCE // (8 * len(place)))), []
    for start in range(0, draws, step):
        picked = rng.integers(len(numbers), size=(min(step, draws - start), len(numbers)))
        weights = np.array([np.bincount(row, minlength=len(numbers)) for row in picked], float)[:, place]
        found.append(_average(is_right.astype(float)[None], weights, ends))
    return np.concatenate(found)
