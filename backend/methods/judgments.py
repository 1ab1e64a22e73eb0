"""Judgments as arrays: who said what of which item, each person once an item. The form that every method here takes.

>>> coded = code_judgments([("t1", "ann", "good"), ("t1", "bob", "bad"), ("t2", "ann", "good")], labels=("bad", "good"))
>>> coded.judgments.counts().tolist()
[[1, 1], [0, 1]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judgments:
    """Row i: annotator `annotators[i]` gave `items[i]` the label `labels[i]`; all three are places, (n,) int64.

    Raises ValueError where the three differ in length, a place is out of bounds, or a person judged an item twice:
    which of two answers holds is settled before (the superseding one), not by arithmetic.
    """

    items: Ints
    annotators: Ints
    labels: Ints
    n_items: int
    n_annotators: int
    n_labels: int

    def __post_init__(self) -> None:
        if not self.items.shape == self.annotators.shape == self.labels.shape == (len(self.items),):
            raise ValueError("Items, annotators and labels must be flat and of one length.")
        for name, places, bound in (
            ("item", self.items, self.n_items),
            ("annotator", self.annotators, self.n_annotators),
            ("label", self.labels, self.n_labels),
        ):
            if places.size and (places.min() < 0 or places.max() >= bound):
                raise ValueError(f"A place of {name} lies outside 0 to {bound - 1}.")
        if len(np.unique(self.items * self.n_annotators + self.annotators)) != len(self.items):
            raise ValueError("An annotator judged an item twice: keep the judgment that holds.")

    def __len__(self) -> int:
        return len(self.items)

    def only(self, rows: NDArray[np.bool_]) -> Judgments:
        """Some of the rows, of the same items and annotators."""
        shape = (self.n_items, self.n_annotators, self.n_labels)
        return Judgments(self.items[rows], self.annotators[rows], self.labels[rows], *shape)

    def counts(self) -> Ints:
        """How many people gave each item each label, (n_items, n_labels)."""
        return label_counts(self.items, self.labels, self.n_items, self.n_labels)


def label_counts(items: Ints, labels: Ints, n_items: int, n_labels: int) -> Ints:
    """How often each item was given each label, (n_items, n_labels), by whomever."""
    return np.bincount(items * n_labels + labels, minlength=n_items * n_labels).reshape(n_items, n_labels)


@dataclass(frozen=True)
class CodedJudgments:
    """Judgments with the names that their places stand for."""

    judgments: Judgments
    items: tuple[str, ...]
    annotators: tuple[str, ...]
    labels: tuple[str, ...]


def code_judgments(rows: Iterable[tuple[str, str, str]], *, labels: Sequence[str] | None = None) -> CodedJudgments:
    """Rows `task, worker, label` as arrays. Items and annotators come in the order of their names, so that the order of
    the rows changes nothing; `labels` are the given ones, or those that occur, by name. Raises ValueError on a label
    that is not among the given ones, and as Judgments does."""
    told = list(rows)
    (task, worker), n = Counter((row[0], row[1]) for row in told).most_common(1)[0] if told else (("", ""), 0)
    if n > 1:
        raise ValueError(f"{worker} judged the item {task!r} {n} times: keep the judgment that holds.")
    names = [sorted({row[column] for row in told}) for column in range(3)]
    known = list(labels) if labels is not None else names[2]
    if strange := sorted(set(names[2]) - set(known)):
        raise ValueError(f"The label {strange[0]!r} is none of: {', '.join(known)}.")
    items, annotators, said = (_places(column, told, known) for column, known in enumerate([*names[:2], known]))
    judgments = Judgments(items, annotators, said, len(names[0]), len(names[1]), len(known))
    return CodedJudgments(judgments, tuple(names[0]), tuple(names[1]), tuple(known))


def _places(column: int, rows: Sequence[tuple[str, str, str]], names: Sequence[str]) -> Ints:
    place = {name: at for at, name in enumerate(names)}
    return np.array([place[row[column]] for row in rows], dtype=np.int64)
