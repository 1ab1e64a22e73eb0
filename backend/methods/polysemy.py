"""How a caption's meanings spread over what looks alike: similarity and geodesic distance over radius (IMP Figure 3).

N_R(q) are the R nearest neighbours of a query picture q, which is not among them (SCIENCE 2.3):

    image similarity(R)   = mean_q  mean_{j in N_R(q)}        cos(d_q, d_j)
    in-cluster mean(R)    = mean_q  (||sum v||^2 - n) / (n (n - 1))      over the n = R + 1 vectors of q and N_R(q)
    geodesic distance(R)  = mean_q  mean_{c in captions(N_R(q))}  arccos <u_q, t_c>      in radians

d are unit image features, u and t unit image and text vectors of one CLIP model. The angle is counted as
2 atan2(||u - t||, ||u + t||), for arccos loses what lies near 0. At R = 0 a picture stands alone and nothing is
defined: null, where the paper draws 0. A query with fewer neighbours than R gives those it has; one without neighbours,
or without a caption among them, is left out of that mean, and each mean says of how many queries it is.

The 95% intervals are of a bootstrap over the query pictures. Each of DRAWS resamples counts a query as often as a
Poisson number with mean 1 says, which follows from the seed and the query's place. So the sums of the resamples grow
query by query like the means do, and no query is kept.

>>> [round(float(angle(np.array([1., 0.]), np.array([[c, (1 - c * c) ** .5]]))[0]), 4) for c in (.35, .2, 0)]
[1.2132, 1.3694, 1.5708]
"""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

RADII = (0, 1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100)
MOST_RADII = 50  # what a cursor holds and a plot can show
DRAWS = 400  # resamples; their sums lie in the cursor, 20 kB for each radius
SLACK = 1e-3  # how far single-precision vectors may be from length one


@dataclass(frozen=True)
class Point:
    """The means at one radius, None where they are not defined, each with the number of queries behind it.

    `low` and `high` are the 95% interval of a mean, None where fewer than two queries are behind it.
    """

    radius: int
    image_similarity: float | None
    in_cluster_similarity: float | None
    geodesic_distance: float | None
    n_queries: int
    n_queries_with_captions: int
    n_captions: int
    n_short: int
    image_similarity_low: float | None = None
    image_similarity_high: float | None = None
    in_cluster_similarity_low: float | None = None
    in_cluster_similarity_high: float | None = None
    geodesic_distance_low: float | None = None
    geodesic_distance_high: float | None = None


@dataclass(frozen=True)
class Curves:
    """The curves of one corpus, by ascending radius. `n_short` of a point counts queries with fewer neighbours."""

    points: tuple[Point, ...]
    n_queries: int

    def to_json(self) -> dict[str, Any]:
        """Plain values, names as here."""
        return asdict(self)

    def to_csv(self) -> str:
        """A header and a row for each radius; what is not defined is an empty cell."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(field.name for field in fields(Point))
        writer.writerows(asdict(point).values() for point in self.points)
        return out.getvalue()


def read_radii(text: str) -> tuple[int, ...]:
    """The radii that `text` lists by comma, ascending. Raises ValueError for too many, and for one that comes twice."""
    radii = sorted(int(part) for part in text.split(","))
    if len(radii) > MOST_RADII:
        raise ValueError(f"There are {len(radii):,} radii, and at most {MOST_RADII} are measured: leave some out.")
    if twice := sorted({radius for radius, after in pairwise(radii) if radius == after}):
        raise ValueError(f"More than once among the radii: {', '.join(map(str, twice))}. Give each of them once.")
    return tuple(radii)


class CurveSums:
    """Adds up the curves query by query: `add` each, `curves` at the end. Only sums are held, some for each radius."""

    def __init__(self, radii: Sequence[int] = RADII, *, seed: int = 0) -> None:
        """`seed` is of the intervals. Raises ValueError for no radius, a negative one, or one that comes twice."""
        if not radii or min(radii) < 0 or len(set(radii)) != len(radii):
            raise ValueError(f"Give one or more different radii of 0 or more, not {list(radii)}.")
        self.radii = np.array(sorted(radii))
        self.seed = seed
        self.n_queries = 0
        self._sums = np.zeros((3, len(radii)))
        self._counts = np.zeros((4, len(radii)), dtype=np.int64)
        # The three sums, then the two counts that they are divided by, of every resample.
        self._resampled = np.zeros((DRAWS, 5, len(radii)))

    def add(
        self,
        image: ArrayLike,
        neighbours: ArrayLike,
        *,
        clip_image: ArrayLike,
        captions: ArrayLike,
        caption_of: ArrayLike,
    ) -> None:
        """One query: its feature (d,), its neighbours' (n, d), nearest first; its CLIP vector (e,), the neighbours'
        captions' (m, e) and for each caption the place 0 .. n-1 of its neighbour (m,).

        Neighbours beyond the largest radius, and their captions, are not needed. Raises ValueError for vectors that are
        not of length one or not of one dimension, and for a caption of no neighbour.
        """
        own, near = _unit(image, "image"), _unit(neighbours, "neighbour", like=image)
        viewed, texts = _unit(clip_image, "CLIP image"), _unit(captions, "caption", like=clip_image)
        places = np.asarray(caption_of, dtype=np.int64).ravel()
        if len(places) != len(texts) or (len(places) and not 0 <= places.min() <= places.max() < len(near)):
            raise ValueError(f"Each of {len(texts)} captions needs the place of its neighbour, 0 to {len(near) - 1}.")
        reached = np.minimum(self.radii, len(near))
        has_near, *similarities = self._of_images(own[0], near, reached)
        distances, n_captions = self._of_captions(angle(viewed[0], texts), places, reached)
        added, behind = np.stack([*similarities, distances]), np.stack([has_near, n_captions > 0])
        self._sums += added
        self._counts += np.stack([*behind, n_captions, reached < self.radii]).astype(np.int64)
        times = np.random.default_rng([self.seed, self.n_queries]).poisson(1.0, DRAWS)
        self._resampled += times[:, None, None] * np.concatenate([added, behind])
        self.n_queries += 1

    def _of_images(self, own: Floats, near: Floats, reached: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
        """Whether the query has neighbours, its mean cosine and its in-cluster mean, at each radius."""
        has_any = reached > 0
        cosines = np.concatenate([[0.0], np.cumsum(near @ own)])[reached]
        n = reached + 1
        squares = (_sums_at(near, reached, own) ** 2).sum(axis=1)
        cosine = np.where(has_any, cosines / np.maximum(reached, 1), 0)
        return has_any.astype(np.float64), cosine, np.where(has_any, (squares - n) / np.maximum(n * reached, 1), 0)

    def _of_captions(
        self, angles: Floats, places: NDArray[np.int64], reached: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.int64]]:
        """The mean angle to the captions within each radius, and how many they are."""
        n_places = int(reached.max()) + 1
        within = places < n_places - 1
        total = np.bincount(places[within] + 1, weights=angles[within], minlength=n_places)
        number = np.bincount(places[within] + 1, minlength=n_places)
        n_captions = np.cumsum(number)[reached]
        return np.where(n_captions > 0, np.cumsum(total)[reached] / np.maximum(n_captions, 1), 0), n_captions

    def to_state(self) -> dict[str, Any]:
        """The sums as plain values, which JSON keeps to the last bit."""
        sums, counts = self._sums.tolist(), self._counts.tolist()
        resampled = base64.b64encode(self._resampled.astype("<f8").tobytes()).decode("ascii")
        of = {"radii": self.radii.tolist(), "seed": self.seed, "n_queries": self.n_queries}
        return of | {"sums": sums, "counts": counts, "resampled": resampled}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> CurveSums:
        """What `to_state` gave, to go on with: the queries added before and after make the same curves as in one go."""
        made = cls(state["radii"], seed=state["seed"])
        made.n_queries = int(state["n_queries"])
        made._sums[:] = state["sums"]
        made._counts[:] = state["counts"]
        resampled = np.frombuffer(base64.b64decode(state["resampled"]), dtype="<f8")
        made._resampled[:] = resampled.reshape(made._resampled.shape)
        return made

    def curves(self) -> Curves:
        """The means over the queries added so far."""
        intervals = self._intervals()
        return Curves(tuple(self._point(at, intervals[at]) for at in range(len(self.radii))), self.n_queries)

    def _intervals(self) -> list[list[list[float]]]:
        """The 95% interval of each of the three means, by radius; NaN where no resample defines it."""
        sums, n = self._resampled[:, :3], self._resampled[:, [3, 3, 4]]
        means = np.divide(sums, n, out=np.full_like(sums, np.nan), where=n > 0)
        ends = np.full((2, *means.shape[1:]), np.nan)
        is_any = ~np.isnan(means).all(axis=0)
        ends[:, is_any] = np.nanquantile(means[:, is_any], [0.025, 0.975], axis=0)
        by_radius: list[list[list[float]]] = ends.transpose(2, 1, 0).tolist()
        return by_radius

    def _point(self, at: int, intervals: list[list[float]]) -> Point:
        similarity, in_cluster, distance = self._sums[:, at].tolist()
        n, n_with_captions, n_captions, n_short = self._counts[:, at].tolist()
        behind = (n, n, n_with_captions)
        pairs = [(low, high) if m > 1 else (None, None) for (low, high), m in zip(intervals, behind, strict=True)]
        ends = [None if value is None else round(value, 6) for pair in pairs for value in pair]
        return Point(
            radius=int(self.radii[at]),
            image_similarity=_mean(similarity, n),
            in_cluster_similarity=_mean(in_cluster, n),
            geodesic_distance=_mean(distance, n_with_captions),
            n_queries=n,
            n_queries_with_captions=n_with_captions,
            n_captions=n_captions,
            n_short=n_short,
            image_similarity_low=ends[0],
            image_similarity_high=ends[1],
            in_cluster_similarity_low=ends[2],
            in_cluster_similarity_high=ends[3],
            geodesic_distance_low=ends[4],
            geodesic_distance_high=ends[5],
        )


def _mean(total: float, n: int) -> float | None:
    """To six decimals: the vectors are of single precision, and what lies beyond depends on the machine."""
    return round(total / n, 6) if n else None


def angle(vector: Floats, others: Floats) -> Floats:
    """The angles in radians, (m,), between a unit vector (e,) and unit vectors (m, e)."""
    apart, together = np.linalg.norm(others - vector, axis=1), np.linalg.norm(others + vector, axis=1)
    return np.asarray(2 * np.arctan2(apart, together), dtype=np.float64)


def _sums_at(near: Floats, reached: NDArray[np.int64], own: Floats) -> Floats:
    """The sum of `own` and the first `reached[i]` of `near`, (radii, d), without an (n, d) table of running sums."""
    sums = np.empty((len(reached), len(own)))
    total, taken = own.copy(), 0
    for row, until in enumerate(reached.tolist()):
        total += near[taken:until].sum(axis=0)
        sums[row], taken = total, until
    return sums


def _unit(vectors: ArrayLike, what: str, *, like: ArrayLike | None = None) -> Floats:
    """(n, d) in float64 and exactly of length one, which single precision is not."""
    wide = np.asarray(vectors, dtype=np.float64)
    wide = wide[None, :] if wide.ndim == 1 and like is None else wide
    if like is not None and wide.size == 0:
        return np.empty((0, np.shape(like)[-1]))
    if wide.ndim != 2 or (like is not None and wide.shape[1] != np.shape(like)[-1]):
        raise ValueError(f"The {what} vectors of shape {wide.shape} do not fit: give one row of d numbers for each.")
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    if not (np.abs(lengths - 1) <= SLACK).all():
        raise ValueError(f"The {what} vectors must have length one. Normalise them, and embed NaN and zeros again.")
    return np.asarray(wide / lengths)
