"""Tables of ratings for the tests of agreement and aggregation, and the toy table of SCIENCE 3."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from backend.methods.judgments import CodedJudgments, Judgments, code_judgments

LETTERS = {"g": "good", "b": "bad", "u": "unsure"}
TOY = {"A": "ggbbugbgub", "B": "gbbbugggbb", "C": "ggbuugbgbb"}
TOY_GAPS = {("A", 10), ("B", 2), ("B", 5), ("C", 1), ("C", 2)}
OURS = ("good", "bad", "unsure")
MISSING = -1

# (annotators, items) of labels 0..2, -1 where an annotator did not judge an item.
RATINGS = st.tuples(st.integers(2, 5), st.integers(1, 12)).flatmap(
    lambda shape: arrays.arrays(np.int64, shape, elements=st.integers(MISSING, 2))
)

SAID_ALONE, GONE = (0.0, 0.002, 0.01, 0.5), (0.0, 0.1, 0.9, 0.999)


def lopsided(seed: int, shape: tuple[int, int], rare: float, gone: float, *, n_labels: int = 3) -> np.ndarray:
    """Ratings (annotators, items) of which nearly all are one label; `rare` of them another, `gone` of them missing."""
    dice = np.random.default_rng(seed)
    usual = dice.integers(n_labels)
    said = np.where(dice.random(shape) < rare, dice.integers(0, n_labels, shape), usual)
    return np.where(dice.random(shape) < gone, MISSING, said)


# Single items, hundreds of them, one category, one judgment in five hundred unlike all others, hardly any judgment.
LOPSIDED = st.builds(
    lopsided,
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(2, 5), st.sampled_from([1, 2, 30, 400])),
    st.sampled_from(SAID_ALONE),
    st.sampled_from(GONE),
)


def toy(*, gaps: bool = False) -> CodedJudgments:
    """Three annotators and ten items; with `gaps`, five of the thirty judgments are missing."""
    told = [
        (f"{item:02}", annotator, LETTERS[letter])
        for annotator, letters in TOY.items()
        for item, letter in enumerate(letters, start=1)
        if not (gaps and (annotator, item) in TOY_GAPS)
    ]
    return code_judgments(told, labels=OURS)


def judgments_of(ratings: np.ndarray, *, n_labels: int = 3) -> Judgments:
    """A matrix of ratings (annotators, items) as judgments."""
    annotators, items = np.nonzero(ratings != MISSING)
    return Judgments(items, annotators, ratings[annotators, items], ratings.shape[1], len(ratings), n_labels)
