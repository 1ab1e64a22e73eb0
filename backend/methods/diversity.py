"""How much the captions of one image differ, and how two datasets compare in that (IMP Figure 5 and appendix I).

For each image with n captions, all of unit length:

    text similarity  = (||sum t||^2 - n) / (n (n - 1))      the mean cosine of its n (n - 1) / 2 pairs
    image similarity = mean_i <u, t_i>                      u is the vector of the image
    BERTScore        = the mean F1 of the same pairs, by the vectors of their tokens (Zhang et al. 2020)

An image with one caption has no pair, so its text similarity is null (SCIENCE 2.9). A dataset is the mean over its
images. Its interval is a percentile bootstrap that draws images: captions of one image are not independent. Two
datasets are drawn apart, or image by image where both have the same images.

Densities are 50-bin counts over one range for all datasets, and a Gaussian kernel estimate with Scott's bandwidth.

>>> mean_of_pairs(np.array([[1., 0.], [0., 1.], [.6, .8]]))  # (0 + .6 + .8) / 3
0.466667
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

MEASURES = ("sbert", "clip_text", "clip_image", "bertscore")
BINS = 50
POINTS = 121  # of a drawn curve
REPLICATES = 2000
LEVEL = 0.95
DECIMALS = 6
AT_ONCE = 4_000_000  # numbers held while replicates are drawn
LEAST_SPREAD = 1e-6  # below it all values are equal, and a density says nothing
SLACK = 1e-3  # how far single-precision vectors may be from length one


class Tokens(NamedTuple):
    """The tokens of one caption: unit vectors (n, d), and the weight of each. A mark such as [CLS] has the weight 0: it
    can be matched, and is not counted."""

    vectors: NDArray[np.floating]
    weights: NDArray[np.floating]


@dataclass(frozen=True)
class Summary:
    """The mean over the `n` images that have a value, with its interval. `n_missing` images have none.

    There is no mean of no image, and no interval and no deviation of fewer than two.
    """

    n: int
    n_missing: int
    mean: float | None
    low: float | None
    high: float | None
    deviation: float | None


@dataclass(frozen=True)
class Difference:
    """The mean of the first dataset minus that of the second. `is_paired` where both have the same images."""

    value: float | None
    low: float | None
    high: float | None
    is_paired: bool
    n: int | None  # images in both, where paired


@dataclass(frozen=True)
class Density:
    """How the values of several datasets spread over one range: counts of equal bins, and a curve over `x`.

    A curve is null where fewer than two values differ.
    """

    low: float
    high: float
    counts: tuple[tuple[int, ...], ...]
    x: tuple[float, ...]
    curves: tuple[tuple[float, ...] | None, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values, names as here."""
        return asdict(self)


def mean_of_pairs(vectors: ArrayLike) -> float | None:
    """The mean cosine of all pairs of unit vectors (n, d); None for fewer than two. Raises ValueError on others."""
    given = _unit(vectors)
    n = len(given)
    if n < 2:
        return None
    total = float(np.square(given.sum(axis=0)).sum() - np.square(given).sum())
    return _rounded(total / (n * (n - 1)))


def mean_of_image(image: ArrayLike, captions: ArrayLike) -> float | None:
    """The mean cosine of an image (d,) and its captions (n, d), unit vectors all; None where it has no caption."""
    given = _unit(captions)
    return _rounded(float((given @ _unit(np.asarray(image)[None])[0]).mean())) if len(given) else None


def token_matches(captions: Sequence[Tokens]) -> Floats:
    """(n, n): how well the tokens of caption i are found in caption j, as the mean over i of the best cosine in j.

    Of the pair (candidate i, reference j), [i, j] is BERTScore's precision and [j, i] its recall, without idf and
    without a baseline. A caption without a token that counts has 0 with every other one.
    """
    sizes = [len(caption.vectors) for caption in captions]
    totals = np.array([float(np.sum(caption.weights)) for caption in captions])
    every = _unit(np.concatenate([np.asarray(caption.vectors, dtype=np.float64) for caption in captions]))
    starts = np.cumsum([0, *sizes[:-1]])
    best = np.maximum.reduceat(every @ every.T, starts, axis=1)  # (tokens, n): the best of each caption
    best[:, totals == 0] = 0
    weights = np.concatenate([np.asarray(caption.weights, dtype=np.float64) for caption in captions])
    sums = np.add.reduceat(best * weights[:, None], starts, axis=0)
    return np.asarray(np.divide(sums, totals[:, None], out=np.zeros_like(sums), where=totals[:, None] > 0))


def mean_bertscore(captions: Sequence[Tokens]) -> float | None:
    """The mean F1 of all pairs, each in both orders, which have the same; None for fewer than two captions."""
    if len(captions) < 2:
        return None
    precision = token_matches(captions)
    recall = precision.T
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    upper = np.triu_indices(len(captions), 1)
    return _rounded(float((f1 + f1.T)[upper].sum()) / (2 * comb(len(captions), 2)))


def summarise(values: ArrayLike, *, seed: int = 0, replicates: int = REPLICATES, level: float = LEVEL) -> Summary:
    """The mean of one number for each image, NaN where an image has none, with a bootstrap over images."""
    given = np.asarray(values, dtype=np.float64)
    known = given[~np.isnan(given)]
    n = len(known)
    mean = _rounded(float(known.mean())) if n else None
    low, high = _interval(_means(known, seed, replicates), level) if n > 1 else (None, None)
    deviation = _rounded(float(known.std(ddof=1))) if n > 1 else None
    return Summary(n, len(given) - n, mean, low, high, deviation)


def compare(
    first: ArrayLike,
    second: ArrayLike,
    *,
    is_paired: bool = False,
    seed: int = 0,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> Difference:
    """The first mean minus the second, with a bootstrap that draws images: of each dataset apart, or of both together
    where row i of both is the same image. Raises ValueError where paired datasets have other sizes."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if is_paired:
        if one.shape != other.shape:
            raise ValueError("Paired datasets must have the same images.")
        both = (one - other)[~np.isnan(one - other)]
        found = summarise(both, seed=seed, replicates=replicates, level=level)
        return Difference(found.mean, found.low, found.high, True, found.n)
    one, other = one[~np.isnan(one)], other[~np.isnan(other)]
    value = _rounded(float(one.mean() - other.mean())) if len(one) and len(other) else None
    if min(len(one), len(other)) < 2:
        return Difference(value, None, None, False, None)
    drawn = _means(one, [seed, 0], replicates) - _means(other, [seed, 1], replicates)
    return Difference(value, *_interval(drawn, level), False, None)


def density_of(datasets: Sequence[ArrayLike], *, bins: int = BINS, points: int = POINTS) -> Density | None:
    """Counts and curves of several datasets over the range that all their values span; None where there is no value.

    The curves go on past the range until they are almost zero.
    """
    known = [given[~np.isnan(given)] for given in (np.asarray(each, dtype=np.float64) for each in datasets)]
    every = np.concatenate(known) if known else np.empty(0)
    if not len(every):
        return None
    low, high = float(every.min()), float(every.max())
    if high - low < LEAST_SPREAD:
        low, high = low - 0.01, high + 0.01
    counts = tuple(tuple(int(n) for n in np.histogram(values, bins, (low, high))[0]) for values in known)
    kernels = [_kernel(values) for values in known]
    reach = max((3 * float(np.sqrt(kernel.covariance[0, 0])) for kernel in kernels if kernel), default=0.0)
    x = np.linspace(low - reach, high + reach, points)
    curves = tuple(tuple(_rounded(float(y)) for y in kernel(x)) if kernel else None for kernel in kernels)
    return Density(_rounded(low), _rounded(high), counts, tuple(_rounded(float(at)) for at in x), curves)


def _kernel(values: Floats) -> Any:
    """Scott's kernel estimate; None where it is not defined."""
    from scipy.stats import gaussian_kde  # takes half a second to import

    if len(values) < 2 or float(values.std()) < LEAST_SPREAD:
        return None
    return gaussian_kde(values, bw_method="scott")


def _means(values: Floats, seed: int | Sequence[int], replicates: int) -> Floats:
    """The mean of as many draws with replacement as there are values, again and again, (replicates,)."""
    dice = np.random.default_rng(seed)
    step = max(1, AT_ONCE // max(1, len(values)))
    sizes = [min(step, replicates - at) for at in range(0, replicates, step)]
    return np.concatenate([values[dice.integers(len(values), size=(n, len(values)))].mean(axis=1) for n in sizes])


def _interval(replicates: Floats, level: float) -> tuple[float, float]:
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return _rounded(float(low)), _rounded(float(high))


def _unit(vectors: ArrayLike) -> Floats:
    given = np.atleast_2d(np.asarray(vectors, dtype=np.float64))
    if given.size == 0:
        return given.reshape(0, given.shape[-1])
    if not np.isfinite(given).all() or not np.allclose(np.linalg.norm(given, axis=1), 1.0, atol=SLACK):
        raise ValueError("Diversity takes unit vectors. Normalise them first.")
    return given


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # no -0.0
