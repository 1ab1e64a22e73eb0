"""Intervals of Cohen's kappa of every two annotators and of each one's mean, as they are kept beside the sums of all
pairs. A mean stands as a pair of somebody with themselves.

Packed rows, not JSON: 200 annotators are 19,900 pairs under four readings, twelve megabytes of JSON and one of these.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import (
    UNSURE_READINGS,
    Bootstrap,
    CoRatings,
    Reading,
    annotator_intervals,
    co_ratings,
    pair_intervals,
)
from backend.methods.agreement.cohen import Weights
from backend.methods.agreement.figures import Interval
from backend.methods.agreement.kept_tables import FASTEST
from backend.methods.agreement.left_out import left_out_interval
from backend.methods.agreement.over_pairs import weights_of
from backend.methods.agreement.pair_intervals import interval_from
from backend.methods.judgments import Judgments

MOST_DRAWN = 20_000  # all pairs of 200 annotators; of more, those who judged most in common
BOOTSTRAP = Bootstrap()  # is not kept with what was drawn: whoever changes it draws again, by a migration
READ_AS: tuple[tuple[Reading, Weights], ...] = tuple(
    (reading, weights) for reading in UNSURE_READINGS for weights in weights_of(reading)
)
ROW = np.dtype(
    [
        ("first", "<i8"), ("second", "<i8"), ("low", "<f8"), ("high", "<f8"), ("undefined", "<f4"), ("n_groups", "<i4"),
        ("is_few_by_chance", "?"),
    ]
)  # fmt: skip
Ints = NDArray[np.int64]
BEYOND = Interval(None, None, BOOTSTRAP.level, 0, 0.0, 0, BOOTSTRAP.seed, "beyond_largest")


@dataclass(frozen=True)
class PairDraws:
    """The intervals under one reading, `rows` of ROW, where each two annotators' is, and how many those are."""

    rows: NDArray[Any]
    place: dict[tuple[int, int], int]
    n_pairs: int

    def of(self, first: int, second: int) -> dict[str, Any] | None:
        """That of two annotators by id, the smaller first. None where it is not drawn yet; one without bounds and with
        its reason where it cannot be, or is not drawn because so many others judged more in common."""
        at = self.place.get((first, second))
        if at is not None:
            row = self.rows[at]
            low, high, undefined = (float(row[name]) for name in ("low", "high", "undefined"))
            return asdict(interval_from(low, high, undefined, int(row["n_groups"]), BOOTSTRAP))
        return asdict(BEYOND) if self.n_pairs >= MOST_DRAWN else None

    def of_mean(self, person: int) -> dict[str, Any] | None:
        """That of the mean of one annotator with all others. None where it is not drawn yet."""
        at = self.place.get((person, person))
        if at is None:
            return None
        row = self.rows[at]
        low, high, undefined = (float(row[name]) for name in ("low", "high", "undefined"))
        n_groups, is_few = int(row["n_groups"]), bool(row["is_few_by_chance"])
        return asdict(left_out_interval(low, high, undefined, n_groups, BOOTSTRAP.level, is_few_by_chance=is_few))


def draw_pairs(judgments: Judgments, *, people: Ints, clusters: Ints) -> bytes:
    """The intervals under every reading, packed; `people` (n_annotators,) are ids in rising order, `clusters`
    (n_items,) those of the items."""
    rated = co_ratings(judgments)
    largest = rated.of_largest(MOST_DRAWN)
    drawn = (
        rows
        for read_as in READ_AS
        for rows in (_drawn(largest, people, clusters, *read_as), _means(rated, people, clusters, *read_as))
    )
    return zlib.compress(np.concatenate(list(drawn)).tobytes(), FASTEST)


def _drawn(rated: CoRatings, people: Ints, clusters: Ints, reading: Reading, weights: Weights) -> NDArray[Any]:
    found = pair_intervals(rated, reading, weights, clusters=clusters, bootstrap=BOOTSTRAP)
    rows = np.zeros(len(rated.pairs), dtype=ROW)
    rows["first"], rows["second"] = people[rated.pairs].reshape(-1, 2).T
    rows["low"], rows["high"] = found.low, found.high
    rows["undefined"], rows["n_groups"] = found.undefined_share, found.n_groups
    return rows


def _means(rated: CoRatings, people: Ints, clusters: Ints, reading: Reading, weights: Weights) -> NDArray[Any]:
    """Of everybody who shares something, over all their pairs."""
    found = annotator_intervals(rated, reading, weights, clusters=clusters, bootstrap=BOOTSTRAP)
    those = np.unique(rated.pairs)
    rows = np.zeros(len(those), dtype=ROW)
    rows["first"] = rows["second"] = people[those]
    rows["low"], rows["high"] = found.low[those], found.high[those]
    rows["undefined"], rows["n_groups"] = found.undefined_share[those], found.n_groups[those]
    rows["is_few_by_chance"] = found.is_few_by_chance[those]
    return rows


def intervals_of(draws: bytes | memoryview, reading: Reading, weights: Weights) -> PairDraws:
    """What was drawn under one reading; no bytes are no draws."""
    if not draws:
        return PairDraws(np.empty(0, dtype=ROW), {}, 0)
    of_readings = np.frombuffer(zlib.decompress(draws), dtype=ROW).reshape(len(READ_AS), -1)
    rows = of_readings[READ_AS.index((reading, weights))]
    n_pairs = int((rows["first"] != rows["second"]).sum())
    return PairDraws(rows, {pair: at for at, pair in enumerate(_pairs(rows))}, n_pairs)


def _pairs(rows: NDArray[Any]) -> Iterator[tuple[int, int]]:
    return zip(rows["first"].tolist(), rows["second"].tolist(), strict=True)
