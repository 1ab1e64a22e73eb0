"""Intervals of Cohen's kappa of every two annotators, as they are kept beside the sums of all pairs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backend.methods.agreement import UNSURE_READINGS, Bootstrap, CoRatings, Reading, co_ratings, pair_figures
from backend.methods.agreement.cohen import Weights
from backend.methods.agreement.over_pairs import MEASURE, weights_of
from backend.methods.judgments import Judgments

MOST_PAIRS = 2000  # of 63 annotators; of more, those who judged most in common
BOOTSTRAP = Bootstrap(n_replicates=500)  # a quarter of those of a mean: there are up to 8,000 intervals to draw
Ints = NDArray[np.int64]
PairDraws = dict[str, list[Any]]


def draw_pairs(judgments: Judgments, *, people: Ints, clusters: Ints) -> PairDraws:
    """Rows [first, second, interval] for each reading and weights; `people` (n_annotators,) are ids in rising order,
    `clusters` (n_items,) those of the items."""
    rated = co_ratings(judgments).of_largest(MOST_PAIRS)
    return {
        _key(reading, weights): _rows(rated, reading, weights, people, clusters)
        for reading in UNSURE_READINGS
        for weights in weights_of(reading)
    }


def _rows(rated: CoRatings, reading: Reading, weights: Weights, people: Ints, clusters: Ints) -> list[Any]:
    return [
        [int(people[pair.first]), int(people[pair.second]), asdict(pair.figure.interval)]
        for pair in pair_figures(rated, reading, weights, clusters=clusters, bootstrap=BOOTSTRAP)
        if pair.figure.interval
    ]


def intervals_of(draws: PairDraws, reading: Reading, weights: Weights) -> dict[tuple[int, int], dict[str, Any]]:
    """What was drawn under one reading, by the two annotators' ids, the smaller first."""
    return {(first, second): interval for first, second, interval in draws.get(_key(reading, weights), [])}


def _key(reading: Reading, weights: Weights) -> str:
    return f"{MEASURE[weights]} {reading.name}"
