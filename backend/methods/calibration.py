"""The score above which a model says that a caption fits its picture: argmax F1 over pairs of a batch.

In batches of B pairs the diagonal of the score matrix is positive, everything off it negative; two pairs of one text
are no negative of each other. The rule is `s >= t`, the threshold t* is the distinct score with the highest
F1 = 2PR / (P + R), and of two equally good ones the larger, stricter. B sets the share of positives, 1 / B, and with it
t*: for positives N(.275, .042) and negatives N(.14, .042) t* is .206 at B = 2 and .283 at B = 1024. That is why B is
part of every record (SCIENCE 2.10; the paper says "maximizes the precision-recall balance").

Cosines of a large calibration are counted in bins of 1e-4, so that 25 million of them take no memory; t* is then exact
to a bin, and is the bin's lower edge, so that the rule counts what the bins counted.

>>> best_threshold([.9, .8, .7, .6, .55, .5, .4, .3], [1, 0, 1, 1, 0, 0, 1, 0]).threshold
0.6
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

BATCH = 256
CURVE = 200  # points of a curve that is kept, at most
BINS_PER_ONE = 10_000
EDGES: Floats = np.arange(-BINS_PER_ONE, BINS_PER_ONE + 1) / BINS_PER_ONE  # the lower edge of each bin
SLACK = 1e-3  # how far float32 vectors may be from length one


class NotCalibratedError(ValueError):
    """These scores give no threshold: `code` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True)
class Balance:
    """The best threshold and what it reaches."""

    threshold: float
    f1: float
    precision: float
    recall: float


@dataclass(frozen=True)
class Point:
    """One threshold of a precision-recall curve."""

    threshold: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Calibration:
    """A threshold with everything it depends on. `pool_keep_fraction` is the share of all pairs given, whether they
    made a full batch or not, that score at least the threshold: near .40 on the papers' web pool (SCIENCE 2.10)."""

    threshold: float
    f1: float
    precision: float
    recall: float
    batch_size: int
    n_pairs: int
    n_positives: int
    n_negatives: int
    n_equal_texts: int
    pool_keep_fraction: float
    seed: int
    bin_width: float = 1 / BINS_PER_ONE

    @property
    def prevalence(self) -> float:
        """The share of positives among all that was scored, near 1 / B."""
        return self.n_positives / (self.n_positives + self.n_negatives)

    def to_json(self) -> dict[str, Any]:
        """Plain values, names as here."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Calibration:
        """The same from plain values; others beside them are left alone. Raises NotCalibratedError."""
        names = [field.name for field in fields(cls)]
        missing = [name for name in names if not _is_number(values.get(name))]
        if missing:
            raise NotCalibratedError("no_record", f"The calibration lacks a number for {', '.join(missing)}.")
        return cls(**{name: values[name] for name in names})


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and bool(np.isfinite(value))


def best_threshold(scores: ArrayLike, is_positive: ArrayLike) -> Balance:
    """argmax F1 over the distinct scores, exactly; scores of any range. Raises NotCalibratedError.

    Source: van Rijsbergen's F1; the same as f1[:-1].argmax() over sklearn's precision_recall_curve, ties to the larger.
    """
    values, positive = np.asarray(scores, dtype=np.float64).ravel(), np.asarray(is_positive).ravel().astype(bool)
    _refuse_not_finite(values)
    distinct, place = np.unique(values, return_inverse=True)
    n_positive = np.bincount(place[positive], minlength=len(distinct))
    n_negative = np.bincount(place[~positive], minlength=len(distinct))
    return _best(distinct, n_positive, n_negative)


class ScoreHistogram:
    """Positive and negative cosines counted in bins of 1e-4: `add` them as they come, `best()` at the end."""

    def __init__(self) -> None:
        self.positive: Counts = np.zeros(len(EDGES), dtype=np.int64)
        self.negative: Counts = np.zeros(len(EDGES), dtype=np.int64)

    def add(self, *, positive: ArrayLike = (), negative: ArrayLike = ()) -> None:
        """Count cosines. Raises NotCalibratedError on NaN and on what is no cosine."""
        for counts, scores in ((self.positive, positive), (self.negative, negative)):
            counts += np.bincount(_bins(np.asarray(scores, dtype=np.float64).ravel()), minlength=len(EDGES))

    def best(self) -> Balance:
        """argmax F1 over the bins that hold a score. Raises NotCalibratedError."""
        held = np.flatnonzero(self.positive + self.negative)
        return _best(EDGES[held], self.positive[held], self.negative[held])

    def curve(self, most: int = CURVE) -> list[Point]:
        """The precision-recall curve from the strictest threshold on, the best point on it; at most `most` points.

        The points left out are those that lie closest together, so that the drawn line keeps its shape. Raises
        NotCalibratedError.
        """
        held = np.flatnonzero(self.positive + self.negative)
        best = self.best()
        hits, false_alarms = np.cumsum(self.positive[held][::-1]), np.cumsum(self.negative[held][::-1])
        precision, recall = hits / (hits + false_alarms), hits / hits[-1]
        f1 = 2 * hits / (hits + false_alarms + hits[-1])
        thresholds = EDGES[held][::-1]
        kept = _spread(precision, recall, int(np.flatnonzero(thresholds == best.threshold)[0]), most)
        return [Point(*(float(row[at]) for row in (thresholds, precision, recall, f1))) for at in kept]


def _spread(precision: Floats, recall: Floats, best: int, most: int) -> list[int]:
    """At most `most` places evenly along the line: the first, the last and the best one are among them."""
    if len(recall) <= most:
        return list(range(len(recall)))
    along = np.cumsum(np.hypot(np.diff(recall, prepend=recall[0]), np.diff(precision, prepend=precision[0])))
    wanted = np.searchsorted(along, np.linspace(0, along[-1], most - 2)[:-1])
    return sorted({*wanted.tolist(), best, len(recall) - 1})


def _bins(scores: Floats) -> Counts:
    """The bin of each cosine. A product of floats can miss an edge by one, so the edges themselves decide."""
    _refuse_not_finite(scores)
    if scores.size and np.abs(scores).max() > 1 + SLACK:
        raise NotCalibratedError("not_cosines", "A score lies outside -1 to 1: calibrate with vectors of length one.")
    held = np.clip(scores, -1.0, 1.0)
    bins = np.clip(np.floor(held * BINS_PER_ONE).astype(np.int64) + BINS_PER_ONE, 0, len(EDGES) - 1)
    bins += held >= EDGES[np.minimum(bins + 1, len(EDGES) - 1)]
    bins = np.minimum(bins, len(EDGES) - 1)
    return np.asarray(bins - (held < EDGES[bins]), dtype=np.int64)


def floor_to_bin(scores: ArrayLike) -> Floats:
    """Cosines cut down to the lower edge of their bin, four decimals, flat. For a threshold that is such an edge, and
    every one made here is, `s >= t` says of the cut score what it says of the score. Raises NotCalibratedError."""
    return EDGES[_bins(np.asarray(scores, dtype=np.float64).ravel())]


def _refuse_not_finite(scores: Floats) -> None:
    if not np.isfinite(scores).all():
        raise NotCalibratedError("not_finite", "A score is NaN or infinite: the model is damaged. Take another.")


def _best(distinct: Floats, n_positive: Counts, n_negative: Counts) -> Balance:
    """`distinct` scores ascending, and how many positives and negatives have each."""
    n = int(n_positive.sum())
    if not n:
        raise NotCalibratedError("no_positives", "There is no positive pair: give more pairs than one batch holds.")
    if not n_negative.sum():
        raise NotCalibratedError("no_negatives", "There is no negative pair: all captions are equal.")
    if len(distinct) < 2:
        raise NotCalibratedError("constant_scores", "All scores are the same: this model tells nothing apart.")
    hits, false_alarms = np.cumsum(n_positive[::-1]), np.cumsum(n_negative[::-1])
    f1 = 2 * hits / (hits + false_alarms + n)
    at = int(f1.argmax())  # the strictest come first, and argmax takes the first of equals
    precision, recall = hits[at] / (hits[at] + false_alarms[at]), hits[at] / n
    return Balance(float(distinct[::-1][at]), float(f1[at]), float(precision), float(recall))


def calibrate_vectors(
    image_vectors: ArrayLike, texts: Sequence[str], text_vectors: ArrayLike, *, batch_size: int = BATCH, seed: int = 0
) -> Calibration:
    """The threshold of a model from its unit vectors, row i of both for pair i, (n, d) each.

    Pairs are shuffled by `seed` into batches; the last ragged batch is dropped. Raises NotCalibratedError.
    """
    known: dict[str, int] = {}
    ids = np.fromiter((known.setdefault(text, len(known)) for text in texts), dtype=np.int64, count=len(texts))
    return calibrate_with_curve(image_vectors, ids, text_vectors, batch_size=batch_size, seed=seed)[0]


def calibrate_with_curve(
    image_vectors: ArrayLike, text_ids: Counts, text_vectors: ArrayLike, *, batch_size: int = BATCH, seed: int = 0
) -> tuple[Calibration, list[Point]]:
    """The same with the precision-recall curve; equal texts have equal ids.

    One batch at a time is in float64, so that vectors may lie in a file (numpy.memmap) and memory does not grow with
    them. Raises NotCalibratedError.
    """
    images, captions = _unit(image_vectors, "image", batch_size), _unit(text_vectors, "text", batch_size)
    ids = np.asarray(text_ids)
    if images.shape != captions.shape or len(ids) != len(images):
        raise ValueError(f"{images.shape} image vectors, {captions.shape} text vectors and {len(ids)} texts differ.")
    _refuse_few(len(ids), batch_size)
    histogram, n_equal = _histogram(images, captions, ids, batch_size, seed)
    best = histogram.best()
    made = Calibration(
        **vars(best),
        batch_size=batch_size,
        n_pairs=len(ids),
        n_positives=int(histogram.positive.sum()),
        n_negatives=int(histogram.negative.sum()),
        n_equal_texts=n_equal,
        pool_keep_fraction=_kept(images, captions, best.threshold, batch_size),
        seed=seed,
    )
    return made, histogram.curve()


def _kept(images: NDArray[Any], captions: NDArray[Any], threshold: float, batch_size: int) -> float:
    """The share of all pairs whose own score reaches the threshold."""
    n = 0
    for start in range(0, len(images), batch_size):
        some = slice(start, start + batch_size)
        of_pairs = np.einsum("nd,nd->n", images[some].astype(np.float64), captions[some].astype(np.float64))
        n += int((of_pairs >= threshold).sum())
    return n / len(images)


def _histogram(
    images: NDArray[Any], captions: NDArray[Any], ids: Counts, batch_size: int, seed: int
) -> tuple[ScoreHistogram, int]:
    """The scores of every full batch, and how many negatives were left out for having the caption of their positive."""
    order = np.random.default_rng(seed).permutation(np.arange(len(ids), dtype=np.uint32))  # half the memory
    diagonal = np.eye(batch_size, dtype=bool)
    histogram, n_equal = ScoreHistogram(), 0
    for start in range(0, len(ids) - batch_size + 1, batch_size):
        rows = order[start : start + batch_size]
        scores = images[rows].astype(np.float64) @ captions[rows].astype(np.float64).T
        equal = ids[rows][:, None] == ids[rows][None, :]
        histogram.add(positive=scores[diagonal], negative=scores[~equal])
        n_equal += int(equal.sum()) - batch_size
    return histogram, n_equal


def _refuse_few(n: int, batch_size: int) -> None:
    if batch_size < 2:
        raise ValueError(f"A batch of {batch_size} has no negatives: batch_size must be at least 2.")
    if n < batch_size:
        message = f"{n} pairs do not fill one batch of {batch_size}: give more pairs or a smaller batch."
        raise NotCalibratedError("no_positives", message)


def _unit(vectors: ArrayLike, what: str, batch_size: int) -> NDArray[Any]:
    """(n, d), as they are. Raises NotCalibratedError where a row is not finite or not of length one."""
    rows = np.asanyarray(vectors)
    for start in range(0, len(rows), max(1, batch_size)):
        some = rows[start : start + max(1, batch_size)].astype(np.float64)
        _refuse_not_finite(some)
        if rows.ndim != 2 or np.abs(np.linalg.norm(some, axis=1) - 1).max(initial=0.0) > SLACK:
            message = f"The {what} vectors are not all of length one: normalise them first."
            raise NotCalibratedError("not_cosines", message)
    return rows
