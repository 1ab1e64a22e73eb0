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
